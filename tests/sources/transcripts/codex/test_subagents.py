"""Sub-agents in rollouts: who they are, which call started them, and what is theirs."""

import pytest

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Prompt,
    Remark,
    ToolCall,
    TurnEnded,
)
from tests.sources.transcripts.codex.rollouts import (
    LATER_TURN,
    THREAD,
    completed,
    event,
    facts_of,
    item,
    line,
    meta,
    of,
)


@pytest.mark.parametrize(
    ("record", "name", "model"),
    [
        (
            event("sub_agent_activity", kind="started", event_id="c1", agent_thread_id="kid", agent_path="/root/log"),
            "log",
            None,
        ),
        (
            completed("SubAgentActivity", id="c1", kind="started", agent_thread_id="kid", agent_path="/root/log"),
            "log",
            None,
        ),
        (
            event(
                "collab_agent_spawn_end",
                call_id="c1",
                new_thread_id="kid",
                new_agent_role="explorer",
                new_agent_nickname="Ohm",
                model="m",
            ),
            "explorer: Ohm",
            "m",
        ),
        (
            completed(
                "CollabAgentToolCall",
                id="c1",
                tool="spawn_agent",
                receiver_thread_ids=["kid"],
                receiver_agents=[{"thread_id": "kid", "agent_nickname": "Ohm"}],
                model="m",
            ),
            "Ohm",
            "m",
        ),
        (
            event(
                "collab_agent_spawn_end",
                call_id="c1",
                new_thread_id="kid",
                new_agent_nickname="Ohm",
                prompt="Read the log.\nAll of it.",
            ),
            "Read the log.",
            None,
        ),
        (
            completed(
                "CollabAgentToolCall",
                id="c1",
                tool="spawn_agent",
                prompt="Read the log",
                receiver_thread_ids=["kid"],
                receiver_agents=[{"thread_id": "kid", "agent_nickname": "Ohm"}],
            ),
            "Read the log",
            None,
        ),
    ],
)
def test_a_subagent_is_joined_to_the_call_that_started_it(record: bytes, name: str, model: str | None) -> None:
    started = of(AgentStarted, facts_of([meta(), record]))

    assert [(one.id, one.agent, one.call, one.name, one.model) for one in started] == [("kid", None, "c1", name, model)]


def test_the_output_of_spawn_agent_names_the_agent_too() -> None:
    call = item("function_call", name="spawn_agent", arguments='{"message":"look"}', call_id="c1")
    output = item("function_call_output", call_id="c1", output='{"agent_id":"kid","nickname":"Ohm"}')

    facts = facts_of([meta(), call, output])

    assert [(one.id, one.call, one.name) for one in of(AgentStarted, facts)] == [("kid", "c1", "look")]
    assert of(ToolCall, facts)[0].summary == "look"


@pytest.mark.parametrize(
    ("prompt", "name"),
    [("Read the log.\nAll of it.", "Read the log."), ("gAAAAABm" + "x" * 40, "explorer: Ohm"), ("[image]", "[image]")],
)
def test_a_subagent_without_a_named_task_is_called_by_how_its_prompt_begins(prompt: str, name: str) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "agent_nickname": "Ohm", "agent_path": None}}}
    lines = [
        meta("kid", session_id=THREAD, source=spawn, thread_source="subagent", agent_role="explorer"),
        event("task_started", turn_id=LATER_TURN),
        completed("UserMessage", thread="kid", id="u1", content=[{"text": prompt}]),
        completed("UserMessage", thread="kid", id="u2", content=[{"text": "Go on"}]),
    ]
    names = [one.name for one in of(AgentStarted, facts_of(lines, root=THREAD)) if one.name is not None]

    assert names == [name]


def test_a_subagent_s_rollout_says_who_it_is_and_all_its_facts_are_its() -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "depth": 1, "agent_path": "/root/log"}}}
    task = [{"type": "input_text", "text": "Message Type: NEW_TASK\nTask name: /root/log\nSender: /root\nPayload:\n"}]
    lines = [
        meta("kid", session_id=THREAD, source=spawn, thread_source="subagent", agent_role="explorer"),
        line("turn_context", {"turn_id": LATER_TURN, "model": "m"}),
        item("agent_message", author="/root", recipient="/root/log", content=task),
        item("reasoning", id="rs", summary=[{"text": "hm"}]),
        event("task_complete", turn_id=LATER_TURN, last_agent_message="it fails at :00"),
    ]

    facts = facts_of(lines, root=THREAD)

    assert [(type(fact).__name__, fact.agent) for fact in facts] == [
        ("AgentStarted", None),
        ("AgentStarted", None),
        ("Prompt", "kid"),
        ("Reasoning", "kid"),
        ("TurnEnded", "kid"),
    ]
    assert [(one.id, one.name, one.model) for one in of(AgentStarted, facts)] == [
        ("kid", "log", None),
        ("kid", None, "m"),
    ]
    assert of(Prompt, facts)[0].text == "log"


def test_what_threads_count_alike_is_each_one_s_own() -> None:
    def lines(thread: str) -> list[bytes]:
        return [
            event("task_started", turn_id="t1"),
            completed("UserMessage", thread=thread, id="u1", content=[{"text": "look"}]),
            completed("Reasoning", thread=thread, id="r1", summary_text=["hm"]),
            event("agent_message", message="so"),
            item("function_call", name="shell", arguments="{}", call_id="call_0"),
            event("task_complete", turn_id="t1", last_agent_message="done"),
        ]

    main = facts_of([meta(THREAD), *lines(THREAD)])
    spawned = meta("kid", parent_thread_id=THREAD, thread_source="subagent")
    agent = facts_of([spawned, *lines("kid")], root=THREAD)

    assert [type(fact) for fact in agent if not isinstance(fact, AgentStarted)] == [type(fact) for fact in main[1:]]
    assert not {(type(fact), fact.id) for fact in main} & {(type(fact), fact.id) for fact in agent}


def test_a_sealed_task_is_shown_by_its_name_and_a_sealed_report_by_nothing() -> None:
    sealed = "gAAAAABm" + "x" * 40
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "agent_path": "/root/judge"}}}
    lines = [
        meta("kid", source=spawned, thread_source="subagent"),
        event("task_started", turn_id="t1"),
        completed("UserMessage", id="u1", content=[{"text": sealed}]),
        completed("AgentMessage", id="a1", content=[{"text": sealed}]),
        event("task_complete", turn_id="t1", last_agent_message=sealed),
    ]
    facts = facts_of(lines, root=THREAD)

    assert [fact.text for fact in of(Prompt, facts)] == ["judge"]
    assert [fact.text for fact in of(TurnEnded, facts)] == [""]
    assert not of(Remark, facts)
