"""Messages that wait in Claude Code's queue: one that the agent was given while it worked is a prompt, once."""

import pytest

from seqthink.sources.transcripts.facts import Prompt, ToolCall
from tests.support.transcripts.claude_lines import assistant, call, facts_of, line, result, user

PICTURE = [{"type": "image", "source": {"type": "base64"}}]
ABSORBED = {"reason": "absorbed_mid_turn"}


def queue(operation: str, content: object = None, /, **fields: object) -> bytes:
    more = {} if content is None else {"content": content}
    return line("queue-operation", operation=operation, **more, **fields)


def attached(prompt: object) -> bytes:
    return line("attachment", "x1", "u1", attachment={"type": "queued_command", "prompt": prompt})


@pytest.mark.parametrize(
    ("records", "prompts"),
    [
        ([queue("enqueue", "more"), queue("dequeue", "more", **ABSORBED)], ["more"]),
        ([queue("enqueue", "more"), queue("dequeue", **ABSORBED)], ["more"]),
        ([queue("enqueue", "one"), queue("enqueue", "two"), queue("popAll", **ABSORBED)], ["one", "two"]),
        ([queue("enqueue", "one"), queue("enqueue", "two"), queue("popAll", "one\ntwo")], []),
        ([queue("enqueue", "more"), attached("more"), queue("remove", "more", **ABSORBED)], ["more"]),
        ([queue("enqueue", "more"), queue("remove", "more", **ABSORBED), attached("more")], ["more"]),
        ([queue("enqueue", "more"), attached("more"), queue("remove", "more")], ["more"]),
        ([attached(PICTURE)], ["[image]"]),
        ([queue("enqueue", PICTURE), queue("remove", PICTURE, **ABSORBED), attached(PICTURE)], ["[image]"]),
    ],
)
def test_a_message_that_left_the_queue_for_the_agent_at_work_is_a_prompt_once(
    records: list[bytes], prompts: list[str]
) -> None:
    facts = facts_of([user("u1", None, "why?"), *records])
    found = [fact for fact in facts if isinstance(fact, Prompt)]

    assert [prompt.text for prompt in found] == ["why?", *prompts]
    assert len({prompt.id for prompt in found}) == len(found)


def test_two_calls_of_one_record_that_are_alike_in_all_are_two() -> None:
    alike = [call("call:0", "mcp__seq__sequentialthinking", thought="so")] * 2
    facts = facts_of(
        [assistant("a1", None, "m1", *alike, stop="tool_use"), user("u1", "a1", [result("call:0"), result("call:0")])]
    )

    assert len({fact.id for fact in facts if isinstance(fact, ToolCall)}) == 2
