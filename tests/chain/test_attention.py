"""What a session needs from the person who watches it."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seqthink.chain.attention import (
    Attention,
    Doing,
    Ending,
    EndingThought,
    Question,
    Standing,
    StuckReason,
    ending_of,
    last_activity,
    standing,
)
from seqthink.chain.fold import fold
from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.overview.ending_lines import ending_of_lines, fields_of_line
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.events import ThoughtEvent, WriterState
from seqthink.journal.decode import decode
from tests.support.journals.build import JournalBuilder

SECOND = 1_000_000
STATES = {WriterState.ALIVE: State.THINKING, WriterState.GONE: State.LOST, WriterState.UNKNOWN: State.UNKNOWN}


def _folded(journal: JournalBuilder, writer: WriterState) -> tuple[Session, list[str]]:
    events = [decode(line) for line in journal.lines]
    texts = [event.thought for event in events if isinstance(event, ThoughtEvent)]
    return fold(events, writer), texts


def _endings(journal: JournalBuilder, writer: WriterState = WriterState.ALIVE) -> list[Ending]:
    """Return the end of a session by the fold and by its lines."""
    session, texts = _folded(journal, writer)
    lines = [fields for fields in map(fields_of_line, journal.lines) if fields is not None]
    return [
        ending_of(session, last_activity(session), texts.__getitem__),
        ending_of_lines(lines, STATES[writer]),
    ]


def _standings(journal: JournalBuilder, *, after: int = 0, writer: WriterState = WriterState.ALIVE) -> list[Standing]:
    """Return how a session stands by the fold and by its lines, ``after`` seconds after its last activity."""
    return [standing(ending, ending.last_activity + after * SECOND) for ending in _endings(journal, writer)]


def _is(found: list[Standing], attention: Attention, reason: StuckReason | None = None) -> bool:
    return all((one.attention, one.reason) == (attention, reason) for one in found)


def _started() -> JournalBuilder:
    return JournalBuilder().session().thought("Why?", 1, 5).thought("The pool", 2, 5)


def test_a_session_that_is_silent_for_long_is_stuck() -> None:
    assert _is(_standings(_started(), after=300), Attention.THINKING)
    assert _is(_standings(_started(), after=301), Attention.STUCK, StuckReason.SILENT)


def test_a_session_without_a_thought_waits_and_a_long_wait_is_no_silence() -> None:
    found = _standings(JournalBuilder().session(), after=4000)
    assert _is(found, Attention.THINKING)
    assert {one.doing for one in found} == {Doing.WAITING}


def test_no_silence_counts_where_none_is_wanted() -> None:
    ending = Ending(State.THINKING, 0, thoughts=(EndingThought(1, "", "x"),))
    assert standing(ending, 10**15, 0).attention is Attention.THINKING


def test_the_same_thought_again_is_stuck_and_another_one_frees_it() -> None:
    again = _started().thought("The pool", 2, 5)
    assert _is(_standings(again), Attention.STUCK, StuckReason.REPEATING)
    assert {one.numbers for one in _standings(again)} == {(2, 2)}
    assert _is(_standings(again.thought("The job", 3, 5)), Attention.THINKING)


def test_an_earlier_thought_under_another_number_is_the_same_thought_again() -> None:
    journal = _started().thought("DNS", 3, 9).thought("Why?", 4, 9)
    assert _is(_standings(journal), Attention.STUCK, StuckReason.REPEATING)


def test_the_first_thought_sent_again_is_the_same_thought_again() -> None:
    journal = JournalBuilder().session().thought("Why?", 1, 3).thought("Why?", 1, 3)
    assert _is(_standings(journal), Attention.STUCK, StuckReason.REPEATING)


def test_a_thought_that_is_almost_the_same_is_not_stuck() -> None:
    assert _is(_standings(_started().thought("The pool.", 3, 5)), Attention.THINKING)


def test_the_same_words_in_another_chain_or_of_another_agent_are_not_stuck() -> None:
    chains = JournalBuilder().session().thought("Why?", 1, 1, next=False).thought("No", 1, 3).thought("Why?", 2, 3)
    assert _is(_standings(chains), Attention.THINKING)
    agents = JournalBuilder().session().thought("Why?", 1, 3).thought("Why?", 1, 3, agent="a1")
    assert _is(_standings(agents), Attention.THINKING)


def test_numbers_that_circle_are_stuck_with_their_numbers_and_a_revision_is_no_circle() -> None:
    circling, revising = _started(), _started()
    for number in range(12):
        circling.thought(f"look {number}", 3 + number % 2, 5)
        revising.thought(f"look {number}", 3 + number % 2, 5, revises=2)
    assert _is(_standings(circling), Attention.STUCK, StuckReason.CIRCLING)
    assert {one.numbers for one in _standings(circling)} == {(3, 4)}
    assert _is(_standings(revising), Attention.THINKING)


def test_a_question_to_the_person_is_asking_with_what_it_blocks() -> None:
    journal = _started().asking(3, "limit", "elicit", message="May it go on?")
    found = _standings(journal, after=4000)
    assert _is(found, Attention.ASKING)
    assert {(one.question, one.blocked) for one in found} == {("May it go on?", 2)}
    assert _is(_standings(journal.elicit(3, "limit", "accept")), Attention.THINKING)


def test_audits_and_questions_to_the_model_are_not_stuck_however_long_they_take() -> None:
    auditing = _started().event("auditing", {"of": 3, "done": 1, "steps": 4, "doing": "tests"})
    sampling = _started().asking(3, "audit", "sample")
    assert _is([*_standings(auditing, after=4000), *_standings(sampling, after=4000)], Attention.THINKING)
    assert {one.doing for one in _standings(sampling)} == {Doing.SAMPLING}


@pytest.mark.parametrize(
    ("journal", "writer", "attention"),
    [
        (_started().thought("So", 3, 3, next=False), WriterState.ALIVE, Attention.DONE),
        (_started().thought("So", 3, 3, next=False).end(), WriterState.GONE, Attention.DONE),
        (_started().end(), WriterState.GONE, Attention.STOPPED),
        (_started(), WriterState.GONE, Attention.LOST),
        (_started().asking(3, "limit", "elicit"), WriterState.GONE, Attention.LOST),
        (_started().thought("The pool", 2, 5), WriterState.UNKNOWN, Attention.OPEN),
    ],
)
def test_what_ended_or_cannot_be_known_is_never_stuck(
    journal: JournalBuilder, writer: WriterState, attention: Attention
) -> None:
    assert _is(_standings(journal, after=10**6, writer=writer), attention)


def _with_agent_in_the_background() -> JournalBuilder:
    journal = _started().event("agent", {"id": "x", "name": "read the log"})
    journal.event("prompt", {"text": "Read the log", "id": "p", "agent": "x"})
    journal.thought("What is there?", 1, 2, agent="x").thought("So", 3, 3, next=False)
    return journal.event("turn", {"text": "It is the job", "id": "t"})


def test_a_session_goes_on_while_a_subagent_is_at_work_in_the_background() -> None:
    journal = _with_agent_in_the_background()
    during = _standings(journal)
    acting = _standings(journal.event("action", {"tool": "Read", "call": "a", "agent": "x"}))
    ended = _standings(journal.event("turn", {"text": "It fails", "id": "u", "agent": "x"}))

    assert _is([*during, *acting], Attention.THINKING)
    assert {one.doing for one in acting} == {Doing.ACTING}
    assert _is(ended, Attention.DONE)


def test_a_subagent_in_the_background_that_is_silent_for_long_or_was_interrupted_keeps_no_session_open() -> None:
    journal = _with_agent_in_the_background()
    silent, unknown = _standings(journal, after=301), _standings(journal, writer=WriterState.UNKNOWN)
    interrupted = _standings(journal.event("turn", {"aborted": True, "id": "v"}))

    assert _is([*silent, *unknown, *interrupted], Attention.DONE)


_TOLD: dict[str, tuple[str, dict[str, object]]] = {
    "prompt to x": ("prompt", {"text": "Go", "id": "p", "agent": "x"}),
    "turn of x": ("turn", {"id": "t", "agent": "x"}),
    "prompt to y": ("prompt", {"text": "Go", "id": "q", "agent": "y"}),
    "turn": ("turn", {"id": "u"}),
    "interrupted": ("turn", {"id": "v", "aborted": True}),
    "remark": ("remark", {"text": "Look", "id": "m"}),
    "action": ("action", {"tool": "Read"}),
    "call a": ("action", {"tool": "Read", "call": "a"}),
    "call b": ("action", {"tool": "Read", "call": "b"}),
    "call a by x": ("action", {"tool": "Read", "call": "a", "agent": "x"}),
    "failed a": ("action", {"tool": "Read", "call": "a", "failed": True}),
    "ended a": ("action", {"tool": "Read", "call": "a", "ended": "done"}),
    "asks by a": ("asking", {"of": 2, "purpose": "ask", "kind": "elicit", "message": "Which?", "call": "a"}),
    "ended": ("action", {"tool": "Read", "ended": "unknown"}),
    "asks about the end": ("asking", {"of": 3, "purpose": "limit", "kind": "elicit", "message": "More?"}),
    "given up": ("elicit", {"of": 3, "purpose": "limit", "error": "client left"}),
    "no answer": ("elicit", {"of": 3, "purpose": "limit", "error": "no answer within 600 s"}),
    "more": ("elicit", {"of": 3, "purpose": "limit", "action": "accept"}),
    "no more": ("elicit", {"of": 3, "purpose": "limit", "action": "decline"}),
    "back": ("rewound", {"of": 4, "id": "k"}),
    "all back": ("rewound", {"of": 2, "id": "l"}),
    "x goes back": ("rewound", {"of": 4, "id": "n", "agent": "x"}),
    "rejected early": ("audit", {"of": 4, "review": {"verdict": "reject"}}),
}
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("thought"), st.sampled_from(["x", "y", "z"]), st.integers(1, 4), st.booleans()),
        st.tuples(st.sampled_from(sorted(_TOLD))),
        st.tuples(st.sampled_from(["concludes", "asking", "sample", "elicit", "auditing", "session", "end"])),
    ),
    max_size=14,
)


@given(_steps, st.sampled_from(list(WriterState)), st.integers(0, 400))
@example([("asking",), ("asks by a",)], WriterState.UNKNOWN, 0)
@example([("concludes",), ("asks about the end",), ("end",)], WriterState.GONE, 0)
@example([("concludes",), ("asks about the end",), ("given up",)], WriterState.ALIVE, 0)
@example([("rejected early",), ("concludes",)], WriterState.ALIVE, 0)
@example([("prompt to x",), ("concludes",), ("back",)], WriterState.ALIVE, 0)
def test_the_lines_give_what_the_fold_gives(
    steps: list[tuple[str, str, int, bool] | tuple[str]], writer: WriterState, after: int
) -> None:
    journal = JournalBuilder().session().thought("begin", 1, 9)
    for step in steps:
        if len(step) == 4:
            journal.thought(step[1], 1 + step[2], 9, next=step[3])
        elif step[0] in _TOLD:
            journal.event(*_TOLD[step[0]])
        else:
            _add(journal, step[0])
    by_fold, by_lines = _standings(journal, after=after, writer=writer)
    assert by_lines == by_fold


_PLAIN: dict[str, tuple[str, dict[str, object]]] = {
    **{
        name: fields
        for name, fields in _TOLD.items()
        if fields[0] not in {"asking", "elicit", "audit"} and name != "ended"
    },
    "prompt": ("prompt", {"text": "Go", "id": "w"}),
    "reasoning": ("reasoning", {"text": "So", "id": "r"}),
    "text not kept": ("reasoning", {"id": "s"}),
    "remark of x": ("remark", {"text": "Look", "id": "n", "agent": "x"}),
}


@given(st.lists(st.sampled_from(sorted(_PLAIN)), max_size=10), st.sampled_from(list(WriterState)), st.integers(0, 400))
@example(["turn of x", "call a by x", "turn"], WriterState.ALIVE, 0)
@example(["turn", "prompt", "back"], WriterState.ALIVE, 0)
def test_the_lines_of_a_plain_session_give_what_the_viewer_shows(
    names: list[str], writer: WriterState, after: int
) -> None:
    journal = JournalBuilder().session(source="claude").event("prompt", {"text": "Why?", "id": "first"})
    for number, name in enumerate(names):
        kind, fields = _PLAIN[name]
        journal.event(kind, fields if kind == "action" else {**fields, "id": f"{number}"})
    shown = SwitchableFold()
    for event in journal.events:
        shown.evolve(event)
    session = shown.session(writer)
    lines = [fields for fields in map(fields_of_line, journal.lines) if fields is not None]
    endings = ending_of(session, last_activity(session)), ending_of_lines(lines, STATES[writer])
    by_fold, by_lines = (standing(ending, ending.last_activity + after * SECOND) for ending in endings)

    assert (by_lines.attention, by_lines.doing) == (by_fold.attention, by_fold.doing)


def _add(journal: JournalBuilder, kind: str) -> None:
    match kind:
        case "concludes":
            journal.thought("So", 9, 9, next=False)
        case "asking":
            journal.asking(2, "limit", "elicit", message="?")
        case "sample":
            journal.asking(2, "audit", "sample")
        case "elicit":
            journal.elicit(2, "limit", "accept")
        case "auditing":
            journal.event("auditing", {"of": 2, "done": 1, "steps": 2, "doing": "x"})
        case "session":
            journal.session(resumed=True)
        case _:
            journal.end()


_KEYS = ["type", "time", "thought", "thoughtNumber", "of", "agent", "review", "branchId"]
_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(_KEYS), inner),
)


@given(_values)
def test_no_line_of_a_stranger_breaks_it(value: object) -> None:
    line = {"type": "thought", "thought": value, "thoughtNumber": value, "time": value, "nextThoughtNeeded": value}
    asked = {"type": "asking", "kind": "elicit", "of": 1, "purpose": "limit", "message": value, "time": value}
    keys = ["of", "agent", "kind", "purpose", "action", "seq", "review", "branchId", "isRevision"]
    odd = [dict.fromkeys(keys, value) | {"type": kind} for kind in ("thought", "asking", "elicit", "audit", "auditing")]
    fields = [fields_of_line(json.dumps(one).encode()) for one in (value, line, asked, *odd)]
    ending = ending_of_lines([one for one in fields if one is not None], State.THINKING)
    assert isinstance(standing(ending, 0), Standing)


def test_a_question_of_a_session_that_was_lost_asks_nobody() -> None:
    assert standing(Ending(State.LOST, 0, Question(1, "?")), 0).attention is Attention.LOST
