"""On which occasions a command is started, and with which facts."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.attention import Attention, Standing, StuckReason
from seqthink.share.notify.facts import (
    MAX_FOLDER_CHARS,
    MAX_NAME_CHARS,
    MAX_QUESTION_CHARS,
    facts_of,
    json_line,
    variables_of,
)
from seqthink.share.notify.occasions import Occasion, Occasions, Subject
from seqthink.share.notify.states import NotifyState

SECOND = 1_000_000
STARTED = 100 * SECOND
LATER = 200 * SECOND
HOSTILE = "a\x1b]0;owned\x07 $(touch /tmp/owned) `id` \0 \n\r\u2028; \u202e'\" --option"


def subject(attention: Attention, *, since: int = LATER, key: str = "shop", **more: Any) -> Subject:  # noqa: ANN401 - its fields
    reason = StuckReason.SILENT if attention is Attention.STUCK else None
    question = "Go on?" if attention is Attention.ASKING else ""
    fields: dict[str, Any] = {"standing": Standing(attention, reason, since, question), "started": LATER, **more}
    names: dict[str, Any] = {"key": key, "session": key, "name": key}
    return Subject(**(names | fields))


THINKS = subject(Attention.THINKING)


def states(found: list[Occasion]) -> list[str]:
    return [str(occasion.state) for occasion in found]


def test_each_state_is_an_occasion_once_and_what_goes_on_is_none() -> None:
    occasions = Occasions(STARTED)
    looks = [THINKS, *[subject(one) for one in Attention for _ in range(2)], THINKS]
    found = [states(occasions.look([one])) for one in looks]

    assert [one for one in found if one] == [["asking"], ["stuck"], ["done"], ["lost"]]
    assert occasions.look([THINKS]) == []


def test_what_was_the_case_before_is_no_occasion_and_a_new_question_is_one() -> None:
    occasions = Occasions(STARTED)

    assert (
        occasions.look([subject(Attention.ASKING, since=STARTED - 1), subject(Attention.DONE, since=0, key="b")]) == []
    )
    assert states(occasions.look([subject(Attention.ASKING, since=LATER)])) == ["asking"]
    assert occasions.look([subject(Attention.ASKING, since=LATER)]) == []


def test_what_another_machine_had_before_is_no_occasion_whatever_the_clocks_say() -> None:
    occasions = Occasions(STARTED)
    for state in (Attention.THINKING, Attention.DONE, Attention.ASKING):  # as its lines arrive
        assert occasions.look([subject(state, machine="lab", is_as_before=True)]) == []

    assert states(occasions.look([subject(Attention.STUCK, machine="lab", is_as_before=True)])) == ["stuck"]
    assert states(occasions.look([subject(Attention.ASKING, machine="lab")])) == ["asking"]


def test_a_session_that_ends_twice_between_two_looks_has_two_ends() -> None:
    occasions = Occasions(STARTED)
    first = occasions.look([subject(Attention.DONE, newest=1)])
    again = occasions.look([subject(Attention.DONE, newest=2)])

    assert (states(first), states(again), first == again) == (["done"], ["done"], False)


def test_what_a_person_looks_at_waits_until_they_look_away_and_an_end_is_over_by_then() -> None:
    occasions = Occasions(STARTED)
    asks, done = subject(Attention.ASKING), subject(Attention.DONE, key="b")
    seen = [occasions.look([asks, done], seen="shop"), occasions.look([asks, done], seen="b")]

    assert [states(one) for one in seen] == [["done"], ["asking"]]
    assert occasions.look([asks, done]) == []
    occasions.look([THINKS])
    occasions.look([asks], seen="shop")
    assert occasions.look([THINKS], seen="shop") == occasions.look([THINKS]) == []


def test_a_context_that_is_nearly_full_is_an_occasion_whatever_else_the_session_does() -> None:
    occasions = Occasions(STARTED)
    occasions.look([THINKS])
    found = occasions.look([subject(Attention.ASKING, full_context=80)])

    assert states(found) == ["asking", "context"]
    assert occasions.look([subject(Attention.THINKING, full_context=99)]) == []


def test_the_facts_say_in_words_what_has_happened() -> None:
    asked = facts_of(Occasion(NotifyState.ASKING, subject(Attention.ASKING)), LATER + 360 * SECOND)
    stuck = facts_of(Occasion(NotifyState.STUCK, subject(Attention.STUCK)), LATER + 360 * SECOND)
    full = facts_of(Occasion(NotifyState.CONTEXT, subject(Attention.THINKING, full_context=81)), LATER)

    assert (asked["text"], asked["question"], asked["reason"]) == ("shop asks you: Go on?", "Go on?", "")
    assert (stuck["text"], stuck["reason"]) == ("shop is stuck: silent", "silent 6m")
    assert (full["text"], full["question"]) == ("shop: context 81 % full", "")
    assert (asked["since"], asked["time"]) == ("1970-01-01T00:03:20Z", "1970-01-01T00:09:20Z")


def test_what_a_command_is_given_is_bounded_and_has_no_control_characters() -> None:
    hostile = Standing(Attention.ASKING, since=LATER, question=HOSTILE * 200_000)
    texts = dict.fromkeys(("session", "name", "client", "machine", "folder", "link"), HOSTILE * 1000)
    facts = facts_of(Occasion(NotifyState.ASKING, subject(Attention.ASKING, **texts, standing=hostile)), LATER)
    variables, line = variables_of(facts), json_line(facts)

    assert all(value.isprintable() for value in variables.values())
    assert len(variables["SEQTHINK_QUESTION"]) == MAX_QUESTION_CHARS
    assert len(variables["SEQTHINK_FOLDER"]) == MAX_FOLDER_CHARS
    assert len(variables["SEQTHINK_NAME"]) == MAX_NAME_CHARS
    assert len(line) < 16 << 10
    assert line.count(b"\n") == 1
    assert json.loads(line) == facts


@given(st.text())
def test_no_text_becomes_a_variable_that_the_system_refuses(text: str) -> None:
    facts = facts_of(Occasion(NotifyState.STUCK, subject(Attention.STUCK, name=text, folder=text)), LATER)

    assert all("\0" not in value and value.encode() for value in variables_of(facts).values() if value)
