"""What agents say between calls: each text once, as a remark or as the answer, from every source."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from seqthink.core.times import datetime_of
from seqthink.sources.transcripts.claude.records import FileKind
from seqthink.sources.transcripts.codex.records import RolloutReader
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, Remark, Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.opencode.records import OpenCodeReader
from seqthink.sources.transcripts.opencode.rows import MessageRow, PartRow
from seqthink.sources.transcripts.resumption import EarlierTranslation
from seqthink.sources.transcripts.translation import SessionNames, Translator
from tests.sources.transcripts.codex import rollouts as codex
from tests.sources.transcripts.gemini import test_records as gemini
from tests.support.transcripts import claude_lines as claude

NAMES = SessionNames("claude-s1", "claude", "s1", "Claude Code")


def said(facts: Iterable[Fact]) -> list[tuple[str, str]]:
    """Return the remarks and answers among facts."""
    return [(type(fact).__name__, fact.text) for fact in facts if isinstance(fact, Remark | TurnEnded)]


def claude_turn(stop: str | None) -> list[bytes]:
    return [
        claude.user("u1", None, "why?"),
        claude.assistant("a1", "u1", "m1", claude.text("Looking"), stop=stop),
        claude.assistant("a2", "a1", "m1", claude.call("t1", "Read", file_path="a.py"), stop=stop),
        claude.user("u2", "a2", [claude.result("t1")]),
        claude.assistant("a3", "u2", "m2", claude.text("Half of it"), stop=stop),
        claude.assistant("a4", "a3", "m2", claude.thinking("hm"), stop=stop),
        claude.assistant("a5", "a4", "m3", claude.text("So it is"), stop="end_turn" if stop else None),
    ]


@pytest.mark.parametrize("stop", ["tool_use", None])
def test_claude_code_s_texts_before_a_call_or_more_reasoning_are_remarks(stop: str | None) -> None:
    reader = claude.reader()
    facts = [*claude.facts_of(claude_turn(stop), reader), *reader.settle()]

    assert said(facts) == [("Remark", "Looking"), ("Remark", "Half of it"), ("TurnEnded", "So it is")]
    assert [fact.id for fact in facts if isinstance(fact, Remark)] == ["m1:0", "m2:0"]


def test_a_text_whose_message_says_that_calls_follow_is_emitted_at_once() -> None:
    assert said(claude.facts_of(claude_turn("tool_use")[:2])) == [("Remark", "Looking")]
    assert said(claude.facts_of(claude_turn(None)[:2])) == []


@pytest.mark.parametrize("cut", range(8))
def test_whenever_a_quiet_transcript_is_looked_at_each_text_is_emitted_once(cut: int) -> None:
    reader, lines = claude.reader(), claude_turn(None)
    facts = [*claude.facts_of(lines[:cut], reader), *reader.settle(), *claude.facts_of(lines[cut:], reader)]

    assert [text for _, text in said([*facts, *reader.settle()])] == ["Looking", "Half of it", "So it is"]


def test_a_subagent_s_remarks_are_its_own_and_its_report_is_none() -> None:
    reader = claude.reader(FileKind.AGENT, "a1")
    facts = claude.facts_of(claude_turn("tool_use"), reader)

    assert [(fact.agent, fact.text) for fact in facts if isinstance(fact, Remark)] == [
        ("a1", "Looking"),
        ("a1", "Half of it"),
    ]


def test_words_before_an_interruption_are_a_remark() -> None:
    lines = [*claude_turn(None)[:2], claude.user("u3", "a1", "[Request interrupted by user]")]

    assert said(claude.facts_of(lines)) == [("Remark", "Looking"), ("TurnEnded", "")]


CALL = codex.item("function_call", name="shell", call_id="c1", arguments="{}")
CODEX_TEXTS = {
    "an item": [codex.message("assistant", "Looking")],
    "an event": [codex.event("agent_message", message="Looking")],
    "a completed item": [codex.completed("AgentMessage", id="m", content=[{"type": "Text", "text": "Looking"}])],
    "event and item": [codex.event("agent_message", message="Looking"), codex.message("assistant", "Looking")],
    "item and event": [codex.message("assistant", "Looking"), codex.event("agent_message", message="Looking")],
}


@pytest.mark.parametrize("records", CODEX_TEXTS.values(), ids=CODEX_TEXTS)
def test_what_codex_says_before_a_call_is_one_remark_in_any_number_of_records(records: Sequence[bytes]) -> None:
    end = codex.event("task_complete", turn_id="t", last_agent_message="So it is")
    begin = [codex.meta(), codex.event("task_started", turn_id="t"), codex.event("user_message", message="why?")]
    answer = codex.message("assistant", "So it is")

    assert said(codex.facts_of([*begin, *records, CALL, answer, end])) == [
        ("Remark", "Looking"),
        ("TurnEnded", "So it is"),
    ]
    again = codex.item("function_call", name="shell", call_id="c2", arguments="{}")
    assert said(codex.facts_of([*begin, *records, CALL, *records, again])) == [("Remark", "Looking")] * 2


@pytest.mark.parametrize("answer", ["So it is", "Looking"])
@pytest.mark.parametrize("is_marked", [True, False])
def test_a_codex_turn_that_went_on_after_it_seemed_over_has_its_answer_too(answer: str, is_marked: bool) -> None:
    reader = RolloutReader(ReadCounts())
    begin = [codex.meta(), codex.event("task_started", turn_id="t"), codex.event("user_message", message="why?")]
    end = [codex.event("task_complete", turn_id="t", last_agent_message=answer)] if is_marked else []

    early = [*codex.facts_in(reader, [*begin, codex.message("assistant", "Looking")]), *reader.settle()]
    late = [*codex.facts_in(reader, [CALL, codex.message("assistant", answer), *end]), *reader.settle()]

    assert said([*early, *late]) == [("TurnEnded", "Looking"), ("TurnEnded", answer)]
    assert len({fact.id for fact in (*early, *late) if isinstance(fact, TurnEnded)}) == 2


def test_a_codex_turn_whose_prompt_cannot_be_read_has_its_answer() -> None:
    reader = RolloutReader(ReadCounts())
    lines = [codex.meta(), codex.event("task_started", turn_id="t"), codex.message("assistant", "So it is")]

    assert said([*codex.facts_in(reader, lines), *reader.settle()]) == [("TurnEnded", "So it is")]


def test_what_codex_calls_commentary_is_a_remark_at_once() -> None:
    commentary = codex.item("message", role="assistant", phase="commentary", content=[{"text": "Looking"}])

    assert said(codex.facts_of([codex.meta(), commentary])) == [("Remark", "Looking")]


def test_a_codex_turn_that_ended_without_more_words_does_not_repeat_its_last_remark() -> None:
    end = codex.event("turn_aborted", turn_id="t", reason="interrupted")

    emitted = said(codex.facts_of([codex.meta(), codex.message("assistant", "Looking"), CALL, end]))

    assert emitted == [("Remark", "Looking"), ("TurnEnded", "")]


def test_what_gemini_cli_says_in_a_message_with_calls_is_a_remark() -> None:
    message = gemini.model("m1", content="Looking", toolCalls=[gemini.call(tool="read_file")])
    facts = gemini.facts_of([gemini.HEADER, gemini.user("u1", "why?"), message, gemini.model("m2", content="So it is")])

    assert said(facts) == [("Remark", "Looking"), ("TurnEnded", "So it is")]


def opencode_step(reader: OpenCodeReader, finish: str | None, *parts: dict[str, Any]) -> list[Fact]:
    info = {"role": "assistant", "finish": finish, "time": {"completed": 9} if finish else {}}
    rows = [PartRow(f"p{place}", place, json.dumps(part).encode()) for place, part in enumerate(parts)]
    return reader.take_message(MessageRow("m", "root", 1, json.dumps(info).encode()), rows)


def opencode_call(tool: str, *, start: int = 2, end: int | None = None, **more: object) -> dict[str, Any]:
    state = {"status": "completed" if end else "running", "time": {"start": start, "end": end}, **more}
    return {"type": "tool", "tool": tool, "callID": "c", "state": state}


def test_what_opencode_says_before_a_call_is_a_remark_once_the_call_is_there() -> None:
    reader = OpenCodeReader("root", ReadCounts())
    words = {"type": "text", "text": "Looking"}
    called = {"type": "tool", "tool": "read", "callID": "c", "state": {"status": "running"}}

    assert said(opencode_step(reader, None, words)) == []
    assert said(opencode_step(reader, None, words, called)) == [("Remark", "Looking")]
    assert said(opencode_step(reader, "tool-calls", words, called)) == []
    assert said(opencode_step(OpenCodeReader("root", ReadCounts()), "tool-calls", words)) == [("Remark", "Looking")]
    assert said(opencode_step(OpenCodeReader("root", ReadCounts()), "stop", words)) == [("TurnEnded", "Looking")]


def test_an_older_import_gets_no_words_at_its_end_that_were_said_before_it() -> None:
    earlier = EarlierTranslation()
    translator = Translator(NAMES)
    for seq, draft in enumerate(translator.translate([Prompt(id="p", time=5_000_000, text="why?")]), 1):
        earlier.take({"type": draft.kind, "seq": seq, "time": datetime_of(draft.time), **draft.fields})
    old, new = (Remark(id=name, time=time, text=name) for name, time in (("old", 1_000_000), ("new", 6_000_000)))

    drafts = Translator(NAMES, 3, earlier).translate([old, new])

    assert [(draft.kind, draft.fields["text"]) for draft in drafts] == [("remark", "new")]


def test_words_and_reasoning_of_opencode_come_before_the_call_after_them_though_their_end_is_stored_later() -> None:
    thought = {"type": "reasoning", "text": "hm", "time": {"start": 1, "end": 9}}
    words = {"type": "text", "text": "Looking", "time": {"start": 2, "end": 9}}
    called = opencode_call("bash", start=3)

    facts = opencode_step(OpenCodeReader("root", ReadCounts()), None, thought, words, called)

    assert [type(fact) for fact in sorted(facts, key=lambda fact: fact.time)] == [Reasoning, Remark, ToolCall]


@pytest.mark.parametrize("kind", ["text", "reasoning"])
def test_a_call_of_opencode_that_runs_waits_for_the_words_before_it_that_are_not_stored_yet(kind: str) -> None:
    reader = OpenCodeReader("root", ReadCounts())
    begun: dict[str, Any] = {"type": kind, "text": "", "time": {"start": 1}}
    words = {**begun, "text": "Looking", "time": {"start": 1, "end": 9}}
    called, ended = opencode_call("bash", start=2), opencode_call("bash", start=2, end=3)

    assert opencode_step(reader, None, begun, called) == []
    assert [type(fact) for fact in opencode_step(reader, None, words, called)][1:] == [ToolCall]
    assert [type(fact) for fact in opencode_step(reader, None, words, ended)] == [Result]
    assert ToolCall in map(type, opencode_step(OpenCodeReader("root", ReadCounts()), None, begun, ended))


def test_a_thought_waits_for_no_words_of_opencode_and_a_task_does() -> None:
    begun: dict[str, Any] = {"type": "text", "text": "", "time": {"start": 1}}
    calls = (opencode_call("seq_sequentialthinking"), opencode_call("task", metadata={"sessionId": "child"}))
    emitted = [opencode_step(OpenCodeReader("root", ReadCounts()), None, begun, called) for called in calls]

    assert [ToolCall in map(type, facts) for facts in emitted] == [True, False]
