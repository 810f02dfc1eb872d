"""A call, its event and its answer: what the agent learns, what is kept, and that memory stays small."""

import gc
import json
import os
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seqthink.chain.health.oddities import OddityKind
from seqthink.core.events import EVENT_TYPES, RejectedEvent, ThoughtEvent
from seqthink.journal.decode import decode
from seqthink.journal.locked_journal import LockedJournal
from seqthink.journal.writer import JournalWriter, WriterEnvironment
from seqthink.library.live_session import load_journal
from seqthink.server.recording import recorder_state
from seqthink.server.recording.calls import Answer, Call
from seqthink.server.recording.context_items import ContextItems
from seqthink.server.recording.note_inbox import NoteInbox
from seqthink.server.recording.recorder import ThoughtRecorder
from seqthink.server.tools import thinking_tool as tools
from seqthink.server.tools.agents import CallingAgent
from seqthink.server.wire import stderr
from tests.core.test_arguments import JSON, MINIMAL, OPTIONAL
from tests.journal.test_writer import disk_of
from tests.support.servers.wire import events, journals, thought

if TYPE_CHECKING:
    from collections.abc import Mapping

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class Session:
    """A thinking server without the protocol around it."""

    def __init__(
        self,
        folder: Path,
        *,
        resume: Path | None = None,
        required: bool = False,
        limit: int = 1 << 24,
        context: bool = False,
        most: int = 0,
        has_notes: bool = False,
    ) -> None:
        self.folder = folder
        self.shown: list[Mapping[str, Any]] = []
        self.said: list[str] = []
        self.thinking = ThoughtRecorder(
            JournalWriter(
                folder,
                WriterEnvironment(lambda: MOMENT, lambda: os.urandom(3).hex(), lambda _: None),
                resumed=resume and (resume.stem, LockedJournal.open(resume, lambda _: None)),
                required=required,
            ),
            session_fields={"title": "T", "cwd": "/w"},
            max_thought_bytes=limit,
            max_thoughts=most,
            show=self.shown.append,
            print_stderr=self.said.append,
            context=ContextItems(limit) if context else None,
            note_inbox=NoteInbox(folder, self.said.append) if has_notes else None,
        )

    def call(self, arguments: Any, tool: str = "sequentialthinking", **more: Any) -> Answer:  # noqa: ANN401 - whatever a test hands over
        return self.thinking.record(Call(tool, arguments, **more))

    def journal(self) -> Path:
        return journals(self.folder)[-1]

    def last(self) -> dict[str, Any]:
        return events(self.journal())[-1]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_the_answer_has_the_five_fields_as_text_and_as_structure(session: Session) -> None:
    result = session.call(thought(number=5)).result()

    text = '{"thoughtNumber":5,"totalThoughts":5,"nextThoughtNeeded":true,"branches":[],"thoughtHistoryLength":1}'
    assert result == {"content": [{"type": "text", "text": text}], "structuredContent": json.loads(text)}


def test_a_thought_is_journaled_as_it_came_and_as_it_was_understood(session: Session) -> None:
    arguments = thought("e\u0301 \ud800 思", "5", 3.0, branchFromThought=" 1 ", branchId="b", isRevision=None, extra=1)
    session.call(arguments, id="toolu_1")

    event = session.last()
    assert list(event) == [
        *("v", "seq", "time", "type", "thought", "nextThoughtNeeded", "thoughtNumber", "totalThoughts"),
        *("branchFromThought", "branchId", "requestedTotal", "coerced", "call"),
    ]
    assert (event["thought"], event["totalThoughts"], event["requestedTotal"]) == ("e\u0301 \ud800 思", 5, 3)
    assert event["coerced"] == ["thoughtNumber", "totalThoughts", "branchFromThought"]


def test_the_session_event_names_the_first_caller(session: Session) -> None:
    session.call(thought(), client={"name": "c", "version": "1"}, protocol_version="2025-06-18")

    first = events(session.journal())[0]
    assert (first["title"], first["client"], first["protocolVersion"]) == (
        "T",
        {"name": "c", "version": "1"},
        "2025-06-18",
    )


def test_a_refused_call_gets_the_reason_and_is_journaled_but_not_counted(session: Session) -> None:
    result = session.call(thought(number="abc")).result()

    problem = 'must be a positive integer, got "abc"'
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert json.loads(result["content"][0]["text"]) == {
        "error": f"Invalid thoughtNumber: {problem}", "status": "failed", "details": {"thoughtNumber": problem},
    }  # fmt: skip
    assert session.last()["arguments"] == thought(number="abc")
    assert session.call(thought()).body["thoughtHistoryLength"] == 1


@pytest.mark.parametrize("text", ["é" * 5000, "x\ud800" * 5000], ids=["two bytes", "lone surrogates"])
def test_large_rejected_arguments_are_cut_to_valid_text(session: Session, text: str) -> None:
    session.call(thought(text, number=0))

    event = decode(session.journal().read_bytes().splitlines()[-1])
    assert isinstance(event, RejectedEvent)
    assert event.truncated
    assert 4000 < len(event.arguments.encode()) <= 4096


@pytest.mark.parametrize("arguments", [None, [], "text", 5, {"thoughtNumber": float("inf")}, {"a": [1.5, 2**70]}])
def test_any_arguments_can_be_rejected_and_read_back(session: Session, arguments: object) -> None:
    answer = session.call(arguments)

    assert answer.is_error
    assert isinstance(decode(session.journal().read_bytes().splitlines()[-1]), RejectedEvent)


def test_an_unknown_tool_is_named_and_the_alias_is_served(session: Session) -> None:
    unknown = session.call({}, tool="nope" * 1000)
    served = session.call(thought(), tool="sequential_thinking")

    assert str(unknown.body["error"]).startswith('Unknown tool: "nopenope')
    assert len(str(unknown.body["error"])) < 200
    assert events(session.journal())[1]["tool"] == ("nope" * 1000)[:200]
    assert not served.is_error


def test_branches_are_listed_in_order_of_first_use_once_both_fields_came(session: Session) -> None:
    for branch in ("b", "10", "9", "b", "__proto__"):
        session.call(thought(branchFromThought=1, branchId=branch))
    session.call(thought(branchId="alone"))
    session.call(thought(branchFromThought=1))
    answer = session.call(thought(branchFromThought=1, branchId=""))

    assert answer.body["branches"] == ["b", "10", "9", "__proto__"]


def test_branches_past_the_bound_are_journaled_but_not_listed_and_a_hint_says_so(session: Session) -> None:
    answers = [
        session.call(thought(str(number), branchFromThought=1, branchId=f"{number:02}" + "b" * 998))
        for number in range(70)
    ]
    answer = answers[-1]

    assert len(answer.body["branches"]) == recorder_state.MAX_BRANCH_LIST_BYTES // 1000
    assert answer.body["hint"] == session.last()["hint"] == recorder_state.BRANCHES_FULL_HINT
    assert session.last()["branchId"].startswith("69")
    assert "hint" not in session.call(thought(branchFromThought=1, branchId="00" + "b" * 998)).body


def test_the_third_thought_in_a_row_of_the_same_words_gets_a_hint(session: Session) -> None:
    answers = [session.call(thought(text)) for text in "aabbbba"]

    assert ["hint" in answer.body for answer in answers] == [False, False, False, False, True, True, False]
    assert json.loads(answers[4].result()["content"][0]["text"])["hint"] == recorder_state.REPEATED_HINT


def test_numbers_that_circle_get_one_hint_a_chain(session: Session) -> None:
    numbers = [1, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5, 4, 5, 4, 5, 1, 2, 1, 2, 3, 2, 3, 2, 3]
    hints = [session.call(thought(str(place), number, 9)).body.get("hint") for place, number in enumerate(numbers)]

    assert {place: hint for place, hint in enumerate(hints) if hint} == dict.fromkeys(
        (6, 23), recorder_state.CIRCLING_HINT
    )


def test_revisions_branches_and_other_agents_break_a_circle(session: Session) -> None:
    breaks = [{"revisesThought": 1}, {"branchFromThought": 1}, {"branchFromThought": 1, "branchId": "b"}]
    for more in breaks:
        for place, number in enumerate([1, 2, 3, 2, 3, 2, 3]):
            asked = more if place == 5 else {}
            assert "hint" not in session.call(thought(f"{more} {place}", number, 9, **asked)).body
    for agent in (None, "a", "b"):
        for number in (1, 4, 5, 4, 5):
            caller = CallingAgent(agent) if agent else CallingAgent()
            assert "hint" not in session.call(thought(f"{agent} {number}", number, 9), agent=caller).body


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["", "", "", "branch", "revision"])), max_size=40))
def test_the_hint_comes_where_the_fold_first_finds_a_circle(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    session = Session(tmp_path_factory.mktemp("circle"))
    more = {"": {}, "branch": {"branchFromThought": 1, "branchId": "b"}, "revision": {"revisesThought": 1}}
    hinted = [
        place
        for place, (number, shape) in enumerate([(1, ""), *steps])
        if session.call(thought(f"{place}", number, 9, **more[shape])).body.get("hint") == recorder_state.CIRCLING_HINT
    ]
    texts = load_journal(session.journal())
    first: dict[int, int] = {}
    for oddity in texts.health.at(texts.session).oddities():
        if oddity.kind is OddityKind.CIRCLING:
            first.setdefault(texts.session.thoughts.chain_of(oddity.thought), oddity.thought)

    assert hinted == list(first.values())


def test_a_resumed_session_answers_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    calls = [
        thought("1"), thought("2", 2, branchFromThought=1, branchId="b"), thought("x", 0), thought("same"),
        thought("same"), thought("same", branchFromThought=1, branchId="10"), thought("same"), thought("end"),
    ]  # fmt: skip
    whole = Session(tmp_path / "whole")
    expected = [whole.call(call) for call in calls]
    for cut in range(1, len(calls)):
        first = Session(tmp_path / str(cut))
        answers = [first.call(call) for call in calls[:cut]]
        first.thinking.end("eof")
        second = Session(tmp_path / str(cut), resume=first.journal())
        answers += [second.call(call) for call in calls[cut:]]
        second.thinking.end("eof")

        assert [answer.result() for answer in answers] == [answer.result() for answer in expected]
        assert [event["seq"] for event in events(first.journal())] == list(range(1, len(calls) + 5))


def test_a_torn_line_is_reported_on_stderr(tmp_path: Path) -> None:
    first = Session(tmp_path)
    first.call(thought())
    first.thinking.end("eof")
    with first.journal().open("ab") as file:
        file.write(b"torn")
    second = Session(tmp_path, resume=first.journal())
    second.call(thought())

    assert second.said == [f"removed 4 bytes of an unfinished line from session {first.journal().stem}"]


def test_thinking_goes_on_while_the_disk_is_full_and_each_reply_says_so(session: Session) -> None:
    session.call(thought("1"))
    with disk_of(session.journal().stat().st_size):
        answers = [session.call(thought("2")), session.call(thought("3"))]
    last = session.call(thought("4"))

    marks = [answer.result()["_meta"]["seqthink/journal"] for answer in answers]
    assert [mark["waiting"] for mark in marks] == [1, 2]
    assert all(mark["error"] for mark in marks)
    assert not any(answer.is_error for answer in answers)
    assert "_meta" not in last.result()
    assert last.body["thoughtHistoryLength"] == 4
    assert [event.get("thought") for event in events(session.journal())] == [None, "1", "2", "3", "4"]


def test_a_required_journal_refuses_what_it_cannot_keep_and_counts_nothing(tmp_path: Path) -> None:
    session = Session(tmp_path, required=True)
    session.call(thought("1"))
    with disk_of(session.journal().stat().st_size):
        answers = [session.call(thought("2", branchFromThought=1, branchId="b")) for _ in range(3)]
    last = session.call(thought("2"))

    assert all(answer.is_error for answer in answers)
    assert str(answers[0].body["error"]).startswith("the journal cannot be written: ")
    assert last.body == {
        "thoughtNumber": 1, "totalThoughts": 3, "nextThoughtNeeded": True, "branches": [], "thoughtHistoryLength": 2,
    }  # fmt: skip
    assert [event["seq"] for event in events(session.journal())] == [1, 2, 3]


def test_a_deleted_journal_is_reported_once(session: Session) -> None:
    session.call(thought("1"))
    old = session.journal()
    old.unlink()
    answers = [session.call(thought("2")), session.call(thought("3"))]

    assert answers[0].meta == {"seqthink/journal": {"session": session.journal().stem, "continues": old.stem}}
    assert answers[1].meta == {}
    assert answers[1].body["thoughtHistoryLength"] == 3


def test_a_deleted_journal_is_reported_in_the_first_of_several_answers(session: Session) -> None:
    session.call(thought("1"))
    session.journal().unlink()
    answers = session.thinking.record_all([Call("sequentialthinking", thought(str(n))) for n in range(2, 5)])

    assert ["seqthink/journal" in answer.meta for answer in answers] == [True, False, False]


def test_an_internal_error_fails_its_call_and_no_other(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    add = recorder_state.RecorderState.add

    def fail_for_two(self: recorder_state.RecorderState, fields: dict[str, Any], agent: str | None) -> str | None:
        if fields["thought"] == "2":
            raise ZeroDivisionError("two")
        return add(self, fields, agent)

    session.call(thought("0"))
    monkeypatch.setattr(recorder_state.RecorderState, "add", fail_for_two)
    answers = session.thinking.record_all([Call("sequentialthinking", thought(str(n))) for n in range(1, 4)])

    assert [answer.is_error for answer in answers] == [False, True, False]
    assert answers[1].body["error"] == "The server failed: ZeroDivisionError: two"
    assert answers[2].body["thoughtHistoryLength"] == 3
    assert [event.get("thought") for event in events(session.journal())] == [None, "0", "1", "3"]


def test_a_thought_that_cannot_be_shown_is_answered(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_fields: dict[str, Any]) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(session.thinking, "_show", fail)

    assert not session.call(thought()).is_error
    assert session.said == ["a thought cannot be shown: ZeroDivisionError: no"]


def test_several_calls_are_one_write_and_are_answered_in_order(session: Session) -> None:
    answers = session.thinking.record_all([Call("sequentialthinking", thought(str(n), n)) for n in range(5)])

    assert [answer.is_error for answer in answers] == [True, False, False, False, False]
    assert [answer.body["thoughtHistoryLength"] for answer in answers[1:]] == [1, 2, 3, 4]


def test_memory_does_not_grow_with_the_thoughts(session: Session) -> None:
    session.call(thought("x" * 1000))
    tracemalloc.start()
    try:
        for number in range(500):
            session.thinking.record(Call("sequentialthinking", thought(f"{number}" + "x" * 1000)))
        session.shown.clear()
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert held < 50_000


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([*MINIMAL, *OPTIONAL]), JSON), st.booleans(), st.text(min_size=1))
def test_every_line_that_is_written_reads_back(
    session: Session, noise: dict[str, Any], is_sound: bool, text: str
) -> None:
    arguments = noise | thought(text) if is_sound else noise
    answer = session.call(arguments)
    event = decode(session.journal().read_bytes().splitlines()[-1])

    assert isinstance(event, RejectedEvent if answer.is_error else ThoughtEvent)
    if isinstance(event, ThoughtEvent):
        assert event.thought == text


def test_every_kind_that_the_server_writes_is_one_that_journals_know() -> None:
    assert {"session", "thought", "rejected", "end"} <= EVENT_TYPES


@pytest.mark.parametrize("schema", ["lenient", "plain"])
def test_the_tool_is_described_within_what_every_provider_takes(schema: Any) -> None:  # noqa: ANN401 - whatever a test hands over
    tool = tools.thinking_tool_definition(schema)

    assert len(tool["description"]) <= 1024
    assert all(
        word in tool["description"] for word in ("revisesThought", "branchId", "totalThoughts", "false only when")
    )
    assert list(tool["inputSchema"]["properties"]) == [*list(MINIMAL), *OPTIONAL]
    assert tool["inputSchema"]["required"] == list(MINIMAL)
    assert tool["annotations"] == {
        "readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False,
    }  # fmt: skip
    assert ("anyOf" in json.dumps(tool)) == (schema == "lenient")
    assert "oneOf" not in json.dumps(tool)
    assert tool["outputSchema"]["required"] == [
        "thoughtNumber", "totalThoughts", "nextThoughtNeeded", "branches", "thoughtHistoryLength",
    ]  # fmt: skip


def test_claude_code_is_asked_to_show_a_model_the_whole_tool_from_its_first_turn() -> None:
    assert tools.thinking_tool_definition("lenient")["_meta"] == {"anthropic/alwaysLoad": True}


def test_a_block_shows_a_thought_without_its_controls() -> None:
    shown = stderr.format_thought(
        thought("a\x1b[31m\r\n思考\u202e", 3, 5, revisesThought=2, branchId="b\nc", branchFromThought=1)
    )

    assert shown == "╭ thought 3/5, revises 2, branch b c, from 1\n│ a␛[31m\n│ 思考⟨U+202E⟩\n╰\n"


def test_a_block_of_a_very_long_thought_is_cut() -> None:
    assert len(stderr.format_thought(thought("x" * 1_000_000))) < 11_000


def test_a_stderr_that_nobody_reads_never_blocks() -> None:
    reading, writing = os.pipe()
    quiet = stderr.Stderr(writing)
    for _ in range(100):
        quiet.write("x" * 9999 + "\n")
    os.read(reading, 1 << 20)
    quiet.write("after\n")

    assert os.read(reading, 100) == b"\nafter\n"
    os.close(reading)
    quiet.write("to nobody")
    os.close(writing)


def test_only_accepted_thoughts_are_shown_on_stderr(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    session.call(thought("shown"))
    session.call(thought(""))

    assert [fields["thought"] for fields in session.shown] == ["shown"]
    assert capsys.readouterr().out == ""
