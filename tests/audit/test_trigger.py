"""When a thought is audited: the written thoughts of thoughts.txt, many of them unseen when the signs were set.

A head `%%% tuned|held yes|no | why` says in which half a thought is and whether it holds code. On its first run the
held half scored a precision of 1.0 (0 false alarms) and a recall of 40 of 43; the three that were missed have signs
since then. Those on short code without a fence were written in four rounds, each before its first run: 228 to set the
signs by, then 145 (`fresh`; precision 0.973, recall 0.960), 160 (`fresh2`; 0.986, 0.875) and 135 (`fresh3`; 1.0,
0.846). What was misjudged has signs since then.

Those of blind_thoughts.txt were written afterwards, by somebody who had seen neither the rules nor the other thoughts:
110 with code and 110 without. At first sight 105 and 110 of them were judged right: precision 1.0, recall 0.955.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from seqthink.audit.code.blocks import should_audit


class Written(NamedTuple):
    half: str
    is_code: bool
    why: str
    text: str


def _written(name: str = "thoughts.txt") -> list[Written]:
    source = Path(__file__).with_name(name).read_text(encoding="utf-8")
    thoughts: list[Written] = []
    for part in source.split("%%% ")[1:]:
        head, _, text = part.partition("\n")
        labels, _, why = head.partition(" | ")
        half, answer = labels.split()
        assert half in {"tuned", "held", "blind"}
        assert answer in {"yes", "no"}
        thoughts.append(Written(half, answer == "yes", why, text))
    return thoughts


WRITTEN = _written()
BLIND = _written("blind_thoughts.txt")
FALSE_ALARMS: set[str] = set()
"""Thoughts without code that are audited by mistake."""
MISSED: set[str] = set()
"""Thoughts with code that are missed."""


@pytest.mark.parametrize("half", ["tuned", "held"])
def test_exactly_the_known_thoughts_are_misjudged(half: str) -> None:
    thoughts = [one for one in WRITTEN if one.half == half]
    misjudged = [one for one in thoughts if should_audit(one.text) != one.is_code]

    assert {one.why for one in misjudged if not one.is_code} == FALSE_ALARMS
    assert {one.why for one in misjudged if one.is_code} == MISSED
    assert min(sum(one.is_code for one in thoughts), sum(not one.is_code for one in thoughts)) >= 40


def test_of_the_blind_thoughts_few_are_missed_and_hardly_any_is_a_false_alarm() -> None:
    audited = [one for one in BLIND if should_audit(one.text)]
    holding = [one for one in BLIND if one.is_code]
    found = [one for one in audited if one.is_code]

    assert len(found) / len(audited) >= 0.98
    assert len(found) / len(holding) >= 0.95
    assert (len(holding), len(BLIND)) == (110, 220)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_no_line_ending_changes_a_judgement(ending: str) -> None:
    changed = [one.why for one in WRITTEN if should_audit(one.text.replace("\n", ending)) != one.is_code]

    assert changed == []


def test_prose_around_code_hides_no_code_and_code_around_prose_makes_none() -> None:
    prose = "\nI looked at the numbers first, and then at what the others had written about them.\n\n"
    changed = [one.why for one in WRITTEN if should_audit(prose + one.text.rstrip() + "\n" + prose) != one.is_code]

    assert changed == []


@pytest.mark.parametrize(
    "thought", ["", " ", "\n", "```", "```\n```", "~~~", "```py", "```py\n\n```", "@@", "---", "\0"]
)
def test_what_holds_nothing_is_not_audited(thought: str) -> None:
    assert not should_audit(thought)


def test_the_written_thoughts_differ() -> None:
    assert len({one.text for one in WRITTEN}) == len({one.why for one in WRITTEN}) == len(WRITTEN) >= 150
