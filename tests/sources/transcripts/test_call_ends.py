"""The ends of calls in a journal to which a later import adds, and the first line of why a call failed."""

from collections.abc import Sequence

import pytest

from seqthink.core.events import ActionEvent
from seqthink.core.times import datetime_of
from seqthink.sources.transcripts.facts import Fact, Prompt, Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.opencode.tool_calls import tool_part_facts
from seqthink.sources.transcripts.resumption import EarlierTranslation
from seqthink.sources.transcripts.tool_names import MAX_SUMMARY_CHARS, failure_line, question_of
from seqthink.sources.transcripts.translation import Draft, SessionNames, Translator
from tests.support.transcripts.translated import transcript_of

FAILED = "exit code 1: cat: no-such-file.log: No such file or directory"
"""Why the one call fails that fails in each recorded run."""
NAMES = SessionNames("claude-s1", "claude", "s1", "Claude Code", imported=True)
ASKED = Prompt(id="p1", time=1_000_000, text="Why?")
ASKED_AGAIN = Prompt(id="p2", time=9_000_000, text="And?")
CALLED = ToolCall(id="c", time=2_000_000, tool="Bash", summary="make")
ANSWERED = Result(id="c", time=3_000_000, is_error=False)


def _ends(drafts: Sequence[Draft]) -> list[tuple[str, object]]:
    ends = [draft.fields for draft in drafts if draft.fields.get("ended") or draft.fields.get("failed")]
    return [(fields["call"], fields.get("ended", "failed")) for fields in ends]


def _imported(facts: Sequence[Fact], *, has_ends: bool = True) -> Translator:
    """Return a translator that adds to the journal of these facts, as it is or as older versions wrote it."""
    drafts = Translator(NAMES).translate(facts)
    kept = [draft for draft in drafts if has_ends or not draft.fields.get("ended")]
    earlier = EarlierTranslation()
    for seq, draft in enumerate(kept, 1):
        earlier.take({"type": draft.kind, "seq": seq, "time": datetime_of(draft.time), **draft.fields})
    return Translator(NAMES, len(kept) + 1, earlier)


@pytest.mark.parametrize(
    ("before", "after", "ends"),
    [
        ([ASKED, CALLED], [ANSWERED], [("c", "done")]),
        ([ASKED, CALLED, ANSWERED], [ASKED_AGAIN], []),
        ([ASKED, CALLED], [ASKED_AGAIN, ANSWERED], [("c", "unknown"), ("c", "done")]),
        ([ASKED, CALLED, ASKED_AGAIN], [ANSWERED], [("c", "done")]),
        ([ASKED, CALLED], [TurnEnded(id="t", time=4_000_000, is_aborted=True), ANSWERED], [("c", "interrupted")]),
    ],
)
def test_a_later_import_adds_the_ends_that_are_not_in_the_journal(
    before: list[Fact], after: list[Fact], ends: list[tuple[str, str]]
) -> None:
    assert _ends(_imported(before).translate([*before, *after])) == ends


def test_an_older_import_gets_no_ends_for_the_calls_of_earlier_turns() -> None:
    before = [ASKED, CALLED, ANSWERED, TurnEnded(id="t", time=4_000_000, text="So")]

    assert _imported(before, has_ends=False).translate([*before, ASKED_AGAIN])[0].kind == "prompt"


ASKS = ToolCall(id="q", time=2_000_000, tool="AskUserQuestion", question="Which pool?")


def _exchange(drafts: Sequence[Draft]) -> list[tuple[str, object, object]]:
    found = [draft for draft in drafts if draft.kind in {"asking", "elicit"}]
    return [
        (draft.kind, draft.fields["of"], draft.fields.get("message", draft.fields.get("action"))) for draft in found
    ]


@pytest.mark.parametrize(
    ("end", "action"),
    [
        (Result(id="q", time=3_000_000, is_error=False), "accept"),
        (Result(id="q", time=3_000_000, is_error=True), "decline"),
        (TurnEnded(id="t", time=3_000_000, is_aborted=True), "cancel"),
        (ASKED_AGAIN, None),
    ],
)
def test_a_call_that_asks_the_user_is_a_question_until_it_ends(end: Fact, action: str | None) -> None:
    asked, ended = ("asking", 3, "Which pool?"), ("elicit", 3, action)

    assert _exchange(Translator(NAMES).translate([ASKED, ASKS, end])) == [asked, ended]
    assert _exchange(_imported([ASKED, ASKS]).translate([ASKED, ASKS, end])) == [ended]


@pytest.mark.parametrize(
    ("tool", "arguments", "question"),
    [
        ("AskUserQuestion", {"questions": [{"question": "Which? "}, {"question": "When?"}]}, "Which?\nWhen?"),
        ("request_user_input", {"questions": [{"id": "a", "question": "Which?"}]}, "Which?"),
        ("Bash", {"questions": [{"question": "Which?"}]}, ""),
        ("question", {"questions": [{"question": 5}, "x", None]}, ""),
        ("ask_user", {"questions": "Which?"}, ""),
        ("ask_user", "Which?", ""),
    ],
)
def test_what_a_client_s_tool_asks_the_user_is_found_in_its_arguments(
    tool: str, arguments: object, question: str
) -> None:
    assert question_of(tool, arguments) == question


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("no such file\nmore", "no such file"),
        ("\n  <tool_use_error>File has not been read yet.</tool_use_error>", "File has not been read yet."),
        ("Error: Exit code 2\nmake: *** [all] Error 1\n", "exit code 2: make: *** [all] Error 1"),
        ("Exit code 137", "exit code 137"),
        ("Exit code: 1\nWall time: 0.2 seconds\nTotal output lines: 3\nOutput:\nls: no a", "exit code 1: ls: no a"),
        ("x" * 1000, "x" * MAX_SUMMARY_CHARS),
        (" \n\n", ""),
    ],
)
def test_of_a_failure_the_first_line_of_why_is_kept(text: str, line: str) -> None:
    assert failure_line(text) == line


@pytest.mark.parametrize("run", ["claude/agents", "codex/agents", "gemini/agents"])
def test_each_call_of_a_recorded_run_has_one_end(run: str) -> None:
    actions = [event for event in transcript_of(run).events if isinstance(event, ActionEvent)]
    begun = {action.call: action for action in actions if not action.is_end}
    ends = [action for action in actions if action.is_end]

    assert sorted(str(end.call) for end in ends) == sorted(map(str, begun))
    assert all(end.time >= begun[end.call].time for end in ends)
    assert [end.error for end in ends if end.failed] == [FAILED]
    assert {end.ended for end in ends if not end.failed} == {"done"}


@pytest.mark.parametrize(
    ("state", "end"),
    [
        ({"status": "running"}, None),
        ({"status": "completed", "output": "12", "metadata": {"exit": 0}}, (False, "")),
        (
            {"status": "completed", "output": "cat: no a\nmore", "metadata": {"exit": 1}},
            (True, "exit code 1: cat: no a"),
        ),
        ({"status": "error", "error": "Tool execution aborted\nmore"}, (True, "Tool execution aborted")),
    ],
)
def test_the_state_of_a_part_of_opencode_says_how_its_call_ended(
    state: dict[str, object], end: tuple[bool, str] | None
) -> None:
    facts = tool_part_facts("part", {"tool": "bash", "callID": "c", "state": state}, "c", None, 1)

    assert next(((fact.is_error, fact.error) for fact in facts if isinstance(fact, Result)), None) == end
