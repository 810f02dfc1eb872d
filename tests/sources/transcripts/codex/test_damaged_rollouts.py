"""What a damaged or unusual rollout costs: each found by `tests/sources/transcripts/test_law.py`."""

from seqthink.sources.transcripts.codex.line_head import LARGE_OUTPUT_BYTES
from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, Remark, ToolCall, TurnEnded
from tests.sources.transcripts.codex.rollouts import event, facts_of, item, message, meta, of

CALL = item("function_call", name="sequentialthinking", namespace="mcp__seq", arguments="{}", call_id="call_0")


def test_a_record_that_was_written_twice_is_read_once() -> None:
    typed = event("user_message", message="why?")

    facts = facts_of([meta(), typed, typed, CALL, CALL])

    assert len(of(Prompt, facts)) == 1
    assert len(of(ToolCall, facts)) == 1


def test_damaged_lines_that_are_alike_are_all_counted() -> None:
    counts = ReadCounts()
    facts_of([meta(), b"\x9c\x9c", b"\x9c\x9c"], counts=counts)

    assert counts.corrupt == 2


def test_a_prompt_that_was_emitted_without_its_event_is_not_emitted_again_with_it() -> None:
    reader = RolloutReader(ReadCounts())
    facts: list[Fact] = [fact for line in (meta(), message("user", "why?")) for fact in reader.read(line)]
    facts += reader.settle()
    facts += reader.read(event("user_message", message="why?"))
    facts += reader.read(event("user_message", message="why?", second=9))

    assert [fact.text for fact in of(Prompt, facts)] == ["why?", "why?"]


def test_words_before_a_call_that_is_lost_come_before_what_the_agent_reasoned_next() -> None:
    summary = [{"text": "hm"}]
    for output in ("ok", "x" * LARGE_OUTPUT_BYTES):
        lines = [
            event("task_started", turn_id="t1"),
            event("user_message", message="why?"),
            event("agent_message", message="let me look"),
            item("function_call_output", call_id="lost", output=output),
            item("reasoning", id="rs_1", summary=summary),
            event("agent_message", message="so"),
            event("task_complete", turn_id="t1", last_agent_message="so"),
        ]

        said = [one for one in facts_of([meta(), *lines]) if isinstance(one, Remark | Reasoning | TurnEnded)]

        assert [one.text for one in said] == ["let me look", "hm", "so"]
