import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.opencode.feed import OpenCodeFeed
from seqthink.sources.transcripts.source import SessionFeed
from tests.sources.transcripts.opencode.client_database import BEGIN, ClientDatabase

ROOT = "ses_root"
THOUGHT = {"thought": "It is the pool", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True}


@pytest.fixture(params=[True, False], ids=["log", "no log"])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ClientDatabase]:
    database = ClientDatabase(tmp_path / "opencode.db", has_log=request.param)
    database.session(ROOT, "a title")
    yield database
    database.close()


@pytest.fixture
def feed(database: ClientDatabase) -> Iterator[OpenCodeFeed]:
    feed = OpenCodeFeed(database.path, ROOT)
    yield feed
    feed.close()


def news(feed: SessionFeed) -> list[Fact]:
    batch = feed.read(1 << 20)
    assert not batch.restarted
    facts = batch.facts
    while not batch.at_end:
        batch = feed.read(1 << 20)
        facts += batch.facts
    return facts


def ask(database: ClientDatabase, message_id: str, text: str, session: str = ROOT) -> None:
    database.message(session, message_id, "user")
    database.part(session, message_id, f"{message_id}-text", type="text", text=text)


def tool(database: ClientDatabase, message_id: str, part_id: str, state: dict[str, Any], **more: object) -> None:
    part: dict[str, Any] = {"type": "tool", "tool": "seq_sequentialthinking", "callID": f"call-{part_id}", **more}
    database.part(ROOT, message_id, part_id, state=state, **part)


def test_a_call_is_reported_when_its_input_is_complete_and_ends_with_its_result(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    tool(database, "m1", "p1", {"status": "pending", "input": {}, "raw": '{"thou'})
    assert [type(fact) for fact in news(feed)] == [SessionDescribed]

    tool(database, "m1", "p1", {"status": "running", "input": THOUGHT, "time": {"start": BEGIN + 50}})
    assert news(feed) == [
        ToolCall(id="call-p1", time=(BEGIN + 50) * 1000, tool="sequentialthinking", arguments=THOUGHT),
    ]

    times = {"start": BEGIN + 50, "end": BEGIN + 60}
    output = '{\n  "nextThoughtNeeded": false\n}\n\nA note of the user: look again.'
    tool(database, "m1", "p1", {"status": "completed", "input": THOUGHT, "output": output, "time": times})
    assert news(feed) == [Result(id="call-p1", time=(BEGIN + 60) * 1000, is_error=False, answered_next=False)]
    assert news(feed) == []


def test_reasoning_waits_for_its_end_since_its_text_comes_with_it(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "assistant", modelID="m")
    database.part(ROOT, "m1", "p1", type="reasoning", text="", time={"start": BEGIN + 1})
    database.part(ROOT, "m1", "p2", type="reasoning", text="", time={"start": BEGIN + 2})
    news(feed)
    database.part(ROOT, "m1", "p2", type="reasoning", text="second", time={"start": BEGIN + 2, "end": BEGIN + 9})
    assert news(feed) == [
        Reasoning(id="p2", time=(BEGIN + 9) * 1000, text="second", duration_ms=7.0, model="m"),
    ]

    database.part(ROOT, "m1", "p1", type="reasoning", text="first", time={"start": BEGIN + 1, "end": BEGIN + 11})
    assert [fact.id for fact in news(feed)] == ["p1"]


def test_reasoning_without_an_end_is_reported_with_the_next_step(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="reasoning", text="", time={"start": BEGIN + 1})
    assert [type(fact) for fact in news(feed)] == [SessionDescribed]

    ask(database, "m2", "still there?")
    assert [type(fact) for fact in news(feed)] == [Prompt]
    database.message(ROOT, "m3", "assistant")
    assert news(feed) == [Reasoning(id="p1", time=(BEGIN + 1) * 1000, text="")]


def test_a_text_of_reasoning_that_an_older_client_never_ended_is_reported_behind_the_next_part(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="reasoning", text="no end", time={"start": BEGIN + 1})
    database.part(ROOT, "m1", "p2", type="text", text="so")

    assert [fact.id for fact in news(feed)] == [ROOT, "p1"]


def test_what_is_not_typed_by_the_user_is_no_prompt(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "user")
    database.part(ROOT, "m1", "p1", type="text", text="Look at @notes.md")
    database.part(ROOT, "m1", "p2", type="text", text="<file>", synthetic=True)
    database.part(ROOT, "m1", "p3", type="file", mime="text/plain", url="file:///notes.md")
    database.part(ROOT, "m1", "p4", type="text", text="hidden", ignored=True)
    database.message(ROOT, "m2", "user")
    database.part(ROOT, "m2", "p5", type="text", text="Continue", synthetic=True)

    assert [(fact.id, fact.text) for fact in news(feed) if isinstance(fact, Prompt)] == [("m1", "Look at @notes.md")]


def test_a_command_that_starts_a_subagent_is_a_prompt(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "user")
    database.part(ROOT, "m1", "p1", type="subtask", prompt="Review it", description="review", agent="general")

    assert [fact.text for fact in news(feed) if isinstance(fact, Prompt)] == ["Review it"]


def test_a_text_that_is_stored_later_is_a_prompt_of_its_own(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    ask(database, "m1", "first")
    news(feed)
    database.part(ROOT, "m1", "p9", type="text", text="second")

    assert [(fact.id, fact.text) for fact in news(feed) if isinstance(fact, Prompt)] == [("p9", "second")]


@pytest.mark.parametrize(
    ("info", "ends"),
    [
        ({"finish": "stop"}, [("m1", False)]),
        ({"finish": "length"}, [("m1", False)]),
        ({"finish": "tool-calls"}, []),
        ({"finish": "unknown"}, []),
        ({}, []),
        ({"error": {"name": "MessageAbortedError", "data": {"message": "aborted"}}}, [("m1", True)]),
        ({"error": {"name": "APIError", "data": {}}, "finish": "tool-calls"}, [("m1", True)]),
    ],
)
def test_a_turn_ends_with_the_step_that_waits_for_nothing(
    database: ClientDatabase, feed: OpenCodeFeed, info: dict[str, Any], ends: list[tuple[str, bool]]
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="text", text="The cron job.")
    database.message(ROOT, "m1", "assistant", time={"created": BEGIN, "completed": BEGIN + 20}, **info)

    found = [fact for fact in news(feed) if isinstance(fact, TurnEnded)]
    assert [(fact.id, fact.is_aborted) for fact in found] == ends
    assert {fact.text for fact in found} <= {"The cron job."}


def test_a_step_that_says_stop_but_called_a_tool_goes_on(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "assistant")
    tool(database, "m1", "p1", {"status": "completed", "input": {}, "output": "", "time": {}}, tool="read")
    news(feed)
    database.message(ROOT, "m1", "assistant", time={"created": BEGIN, "completed": BEGIN + 20}, finish="stop")

    assert not any(isinstance(fact, TurnEnded) for fact in news(feed))


def test_calls_that_a_model_counts_again_are_distinguished(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    for message_id in ("m1", "m2"):
        database.message(ROOT, message_id, "assistant")
        tool(database, message_id, f"{message_id}-p", {"status": "running", "input": THOUGHT}, callID="functions:0")

    assert [fact.id for fact in news(feed) if isinstance(fact, ToolCall)] == ["functions:0", "m2-p"]


def test_a_call_of_no_tool_there_is_is_refused(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    wrong = {"tool": "seq_sequentialthinking", "error": "JSON parsing failed"}
    database.message(ROOT, "m1", "assistant")
    tool(database, "m1", "p1", {"status": "completed", "input": wrong, "output": "no"}, tool="invalid")

    found = [fact for fact in news(feed) if isinstance(fact, ToolCall | Result)]
    assert [type(fact) for fact in found] == [ToolCall, Result]
    assert isinstance(found[0], ToolCall)
    assert found[0].tool == "sequentialthinking"
    assert isinstance(found[1], Result)
    assert found[1].error == "JSON parsing failed"


def test_a_refusal_that_the_client_took_for_an_answer_is_an_error(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    output = '{"error": "Invalid thoughtNumber", "status": "failed"}'
    database.message(ROOT, "m1", "assistant")
    tool(database, "m1", "p1", {"status": "completed", "input": THOUGHT, "output": output})

    result = next(fact for fact in news(feed) if isinstance(fact, Result))
    assert (result.is_error, result.error) == (True, "Invalid thoughtNumber")


def test_going_back_leaves_the_removed_facts_behind(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    ask(database, "m1", "stay")
    database.message(ROOT, "m2", "assistant")
    database.part(ROOT, "m2", "p2", type="reasoning", text="kept", time={"start": BEGIN, "end": BEGIN + 5})
    tool(database, "m2", "p3", {"status": "running", "input": THOUGHT, "time": {"start": BEGIN + 6}})
    ask(database, "m4", "go")
    news(feed)
    database.remove_message(ROOT, "m4")
    database.remove_part(ROOT, "m2", "p3")
    ask(database, "m5", "another way")

    facts = news(feed)
    assert [type(fact) for fact in facts] == [Rewound, Prompt]
    assert isinstance(facts[0], Rewound)
    assert sorted(facts[0].dropped) == ["call-p3", "m4"]
    assert news(feed) == []


def test_what_goes_back_in_a_subagent_is_of_that_agent(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    start_subagent(database)
    news(feed)
    database.remove_message("ses_child", "c1")

    assert [(type(fact), fact.agent) for fact in news(feed)] == [(Rewound, "ses_child")]


def test_what_was_never_reported_is_removed_in_silence(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="step-start")
    news(feed)
    database.remove_message(ROOT, "m1")

    assert news(feed) == []


def test_a_title_that_the_client_made_up_later_is_emitted(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.session(ROOT, "New session - 2026-11-22T17:43:04.023Z")
    assert [fact.title for fact in news(feed) if isinstance(fact, SessionDescribed)] == [None]
    database.session(ROOT, "502s, once an hour")

    assert [fact.title for fact in news(feed) if isinstance(fact, SessionDescribed)] == ["502s, once an hour"]


def start_subagent(database: ClientDatabase) -> None:
    arguments = {"subagent_type": "explore", "description": "the log", "prompt": "Read the log"}
    database.message(ROOT, "m1", "assistant")
    state = {"status": "running", "input": arguments, "metadata": {"sessionId": "ses_child"}}
    database.session("ses_child", "the log (@explore subagent)", parent=ROOT)
    tool(database, "m1", "p1", state, tool="task")
    ask(database, "c1", "Read the log", "ses_child")


def end_subagent(database: ClientDatabase, status: str, **metadata: object) -> None:
    times = {"start": BEGIN, "end": BEGIN + 500}
    known = {"sessionId": "ses_child", **metadata}
    state = {"status": status, "input": {}, "output": "", "error": "stopped", "metadata": known, "time": times}
    tool(database, "m1", "p1", state, tool="task")


def test_the_subagent_of_a_subagent_has_it_as_its_agent(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    start_subagent(database)
    database.session("ses_grandchild", "more (@general subagent)", parent="ses_child")

    agents = {fact.id: fact for fact in news(feed) if isinstance(fact, AgentStarted)}
    assert agents["ses_child"] == AgentStarted(
        id="ses_child", time=agents["ses_child"].time, name="the log", call="call-p1"
    )
    assert (agents["ses_grandchild"].agent, agents["ses_grandchild"].name) == ("ses_child", "more")


def test_words_before_a_task_come_before_it_though_both_are_dated_later(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p0", type="text", text="I ask.", time={"start": BEGIN, "end": BEGIN + 900})
    state = {"status": "running", "metadata": {"sessionId": "ses_child"}, "time": {"start": BEGIN + 500}}
    tool(database, "m1", "p1", state, tool="task")

    kinds = [type(fact) for fact in news(feed) if isinstance(fact, Remark | ToolCall | AgentStarted)]
    assert kinds == [Remark, ToolCall, AgentStarted]


def test_a_task_waits_for_the_words_before_it_though_its_subagent_is_at_work(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    kinds = (Remark, ToolCall, AgentStarted, Prompt)
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p0", type="text", text="", time={"start": BEGIN})
    state = {"status": "running", "metadata": {"sessionId": "ses_child"}, "time": {"start": BEGIN + 500}}
    tool(database, "m1", "p1", state, tool="task")
    database.session("ses_child", "read the log (@general subagent)", ROOT)
    ask(database, "c1", "look", "ses_child")
    before = [type(fact) for fact in news(feed) if isinstance(fact, kinds)]
    database.part(ROOT, "m1", "p0", type="text", text="I ask.", time={"start": BEGIN, "end": BEGIN + 900})
    after = [fact for fact in news(feed) if isinstance(fact, kinds)]

    assert before == [AgentStarted, Prompt]
    assert [type(fact) for fact in after] == [Remark, ToolCall, AgentStarted]
    assert isinstance(after[2], AgentStarted)
    assert after[2].call == after[1].id


@pytest.mark.parametrize(("status", "is_aborted"), [("completed", False), ("error", True)])
def test_the_end_of_the_task_ends_a_subagent_that_did_not_say_so(
    database: ClientDatabase, feed: OpenCodeFeed, status: str, is_aborted: bool
) -> None:
    start_subagent(database)
    news(feed)
    end_subagent(database, status)

    ends = [fact for fact in news(feed) if isinstance(fact, TurnEnded)]
    assert ends == [TurnEnded(id="p1", time=(BEGIN + 500) * 1000, agent="ses_child", is_aborted=is_aborted)]


def test_the_end_of_a_task_in_the_background_ends_no_subagent(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    start_subagent(database)
    end_subagent(database, "completed", background=True)

    assert not any(isinstance(fact, TurnEnded) for fact in news(feed))


def test_a_session_that_does_not_exist_cannot_be_read(database: ClientDatabase) -> None:
    with pytest.raises(FileNotFoundError):
        OpenCodeFeed(database.path, "ses_other").read(1)


def test_a_deleted_session_keeps_what_was_read(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    ask(database, "m1", "go")
    news(feed)
    for table in ("part", "message", "session"):
        database.connection.execute(f"DELETE FROM {table}")

    assert news(feed) == []


def test_a_locked_database_is_tried_again(tmp_path: Path) -> None:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.session(ROOT)
    database.connection.execute("PRAGMA journal_mode = DELETE")
    feed = OpenCodeFeed(database.path, ROOT)
    database.connection.execute("BEGIN EXCLUSIVE")
    assert feed.read(1 << 20) == ([], True, False)
    assert feed.counts.corrupt == 1
    database.connection.execute("ROLLBACK")

    assert [type(fact) for fact in news(feed)] == [SessionDescribed]
    feed.close()
    database.close()


def test_a_database_in_the_middle_of_a_migration_is_tried_again(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    ask(database, "m1", "go")
    news(feed)
    database.connection.execute("ALTER TABLE session RENAME TO session_before")
    assert news(feed) == []
    assert feed.counts.corrupt > 0
    database.connection.execute("ALTER TABLE session_before RENAME TO session")
    ask(database, "m2", "more")

    assert [fact.text for fact in news(feed) if isinstance(fact, Prompt)] == ["more"]


def test_a_new_database_at_the_path_starts_again(database: ClientDatabase, feed: OpenCodeFeed, tmp_path: Path) -> None:
    ask(database, "m1", "before")
    news(feed)
    other = ClientDatabase(tmp_path / "other.db")
    other.session(ROOT)
    ask(other, "m1", "after")
    other.close()
    database.close()
    for suffix in ("-wal", "-shm"):
        (tmp_path / f"opencode.db{suffix}").unlink(missing_ok=True)
    (tmp_path / "other.db").rename(database.path)

    batch = feed.read(1 << 20)
    assert batch.restarted
    assert [fact.text for fact in batch.facts if isinstance(fact, Prompt)] == ["after"]
    assert not feed.read(1 << 20).restarted


def test_a_database_that_is_gone_is_an_error(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    news(feed)
    database.path.unlink()

    with pytest.raises(OSError, match="no database") as caught:
        feed.read(1)
    assert caught.value.errno == errno.ENOENT


@pytest.mark.parametrize(
    "data",
    ["", "no json", "[]", "null", '{"type": "reasoning"', "x" * 100, b"\xff\xfe", None, 7, '"\\ud800"'],
)
def test_an_unreadable_row_loses_nothing_else(database: ClientDatabase, feed: OpenCodeFeed, data: object) -> None:
    ask(database, "m1", "before")
    database.connection.execute("INSERT INTO part VALUES ('p0', 'm1', ?, 1, 1, ?)", (ROOT, data))
    database.connection.execute("INSERT INTO message VALUES ('m0', ?, 1, 1, ?)", (ROOT, data))
    ask(database, "m2", "after")

    assert [fact.text for fact in news(feed) if isinstance(fact, Prompt)] == ["before", "after"]
    assert feed.counts.corrupt + feed.counts.too_long == 2


def test_parts_and_messages_of_a_newer_version_are_counted(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "oracle")
    database.message(ROOT, "m2", "assistant")
    database.part(ROOT, "m2", "p1", type="hologram")
    news(feed)
    database.message(ROOT, "m2", "assistant", finish="stop")
    news(feed)

    assert feed.counts.unknown == 2


def test_a_row_of_many_megabytes_is_left_out_and_counted(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="text", text="x" * 17_000_000)
    database.part(ROOT, "m1", "p2", type="reasoning", text="short", time={"start": BEGIN, "end": BEGIN})

    assert [fact.id for fact in news(feed)] == [ROOT, "p2"]
    assert feed.counts.too_long == 1


def test_a_look_at_an_unchanged_database_reads_no_row(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    ask(database, "m1", "go")
    news(feed)
    before = feed.counts.read

    assert [feed.read(1) for _ in range(3)] == [([], True, False)] * 3
    assert feed.counts.read == before


def test_a_database_without_its_log_file_is_read_without_a_trace(tmp_path: Path) -> None:
    folder = tmp_path / "opencode"
    folder.mkdir()
    database = ClientDatabase(folder / "opencode.db")
    database.session(ROOT)
    ask(database, "m1", "go")
    database.close()
    assert [each.name for each in folder.iterdir()] == ["opencode.db"]
    feed = OpenCodeFeed(database.path, ROOT)

    assert [fact.text for fact in news(feed) if isinstance(fact, Prompt)] == ["go"]
    assert [each.name for each in folder.iterdir()] == ["opencode.db"]
    client = sqlite3.connect(database.path, isolation_level=None)
    client.execute("UPDATE session SET title = 'new'")
    assert [fact.title for fact in news(feed) if isinstance(fact, SessionDescribed)] == ["new"]
    client.close()
    feed.close()


def test_the_client_may_come_and_go_under_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database = ClientDatabase(path)
    database.session(ROOT)
    feed = OpenCodeFeed(path, ROOT)
    news(feed)
    database.close()
    news(feed)
    again = sqlite3.connect(path, isolation_level=None)
    again.execute("UPDATE session SET title = 'second'")
    assert [fact.title for fact in news(feed) if isinstance(fact, SessionDescribed)] == ["second"]
    again.close()
    third = sqlite3.connect(path, isolation_level=None)
    third.execute("UPDATE session SET title = 'third'")

    assert [fact.title for fact in news(feed) if isinstance(fact, SessionDescribed)] == ["third"]
    third.close()
    feed.close()


def test_what_a_killed_client_left_of_an_answer_is_emitted_when_nothing_more_comes(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="text", text="It is the")
    assert [type(fact) for fact in news(feed)] == [SessionDescribed]

    assert [fact.text for fact in feed.settle() if isinstance(fact, TurnEnded)] == ["It is the"]
    assert feed.settle() == []


def test_an_answer_that_was_emitted_as_a_killed_client_s_is_not_emitted_again_at_its_end(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="text", text="It is the pool.")
    news(feed)
    feed.settle()
    database.message(ROOT, "m1", "assistant", finish="stop", time={"created": BEGIN, "completed": BEGIN + 9})

    assert [fact for fact in news(feed) if isinstance(fact, TurnEnded)] == []


def test_a_step_that_a_later_one_follows_had_an_answer(database: ClientDatabase, feed: OpenCodeFeed) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="text", text="one")
    ask(database, "m2", "go on")
    database.message(ROOT, "m3", "assistant")

    assert [fact.text for fact in news(feed) if isinstance(fact, TurnEnded)] == ["one"]


def test_reasoning_in_a_step_that_is_never_completed_is_shown_when_nothing_more_comes(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="reasoning", text="It may be the pool", time={"start": BEGIN})
    before = [fact for fact in news(feed) if isinstance(fact, Reasoning)]

    assert before == []
    assert [fact.text for fact in feed.settle() if isinstance(fact, Reasoning)] == ["It may be the pool"]
    assert feed.settle() == []


def test_reasoning_in_an_uncompleted_step_is_shown_once_a_later_step_begins(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    database.message(ROOT, "m1", "assistant")
    database.part(ROOT, "m1", "p1", type="reasoning", text="It may be the pool", time={"start": BEGIN})
    ask(database, "m2", "go on")
    database.message(ROOT, "m3", "assistant")

    assert [fact.text for fact in news(feed) if isinstance(fact, Reasoning)] == ["It may be the pool"]


def test_a_command_that_was_called_and_does_not_run_yet_may_need_permission(
    database: ClientDatabase, feed: OpenCodeFeed
) -> None:
    def after(status: str, *, call: str = "c", named: str = "bash", **state: object) -> dict[str, int]:
        times = {"time": {"start": BEGIN + 5}}
        database.part(
            ROOT, "m2", call, type="tool", tool=named, callID=call, state={"status": status, **times, **state}
        )
        news(feed)
        return dict(feed.unstarted_calls)

    ask(database, "m1", "go")
    database.message(ROOT, "m2", "assistant")
    held = {"c": (BEGIN + 5) * 1000}

    assert after("pending") == {}
    assert after("running") == held
    assert after("running", call="e", named="edit") == held
    assert after("running", metadata={"output": ""}) == {}
    assert after("running") == held
    assert after("error", error="rejected") == {}
