"""What a judge's conversation and an audit's summary look like in the text pane."""

from pathlib import Path
from typing import Any

from seqthink.drawing.describe.audits import answer_heading, is_review_or_diff, remaining_summary
from seqthink.drawing.detail.audits import answer_lines
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import Role, Span, Spans, spans_text
from tests.drawing.test_thought_page import page
from tests.support.journals.build import JournalBuilder

DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-old\n+new\n"
OPINION: dict[str, Any] = {
    "overall": 54.0,
    "summary": "Not yet.",
    "dimensions": [{"name": "clarity", "score": 60.5}],
    "inline": [{"path": "a.py", "line": 3, "comment": "Say why."}],
}


def drawn(answer: dict[str, Any], *shown: str) -> list[str]:
    return [spans_text(line).rstrip() for line in answer_lines([Span(" a-model: ")], answer, shown, 40)]


def test_an_opinion_is_a_score_a_summary_and_comments() -> None:
    assert drawn(OPINION) == [" a-model: 54  Not yet.", " clarity 60.5", " a.py:3  Say why."]


def test_a_diff_is_drawn_unless_it_stands_above() -> None:
    assert drawn({"diff": DIFF}) == [" a-model: a diff", " @@ a.py", "- 1   old", "+ 1   new"]
    assert drawn({"diff": DIFF}, DIFF) == [" a-model: the proposed diff"]
    assert drawn(OPINION | {"proposed_diff": DIFF})[-2:] == ["- 1   old", "+ 1   new"]


def test_only_a_review_and_a_diff_have_a_shape_and_no_value_of_theirs_is_trusted() -> None:
    assert not is_review_or_diff({"city": "Bern"})
    assert not is_review_or_diff({"diff": 3})
    assert answer_heading({"overall": [], "summary": None}, ()) == "[]  "
    assert drawn({"overall": "\x1b[2J", "dimensions": 3, "inline": ["x"], "proposed_diff": {}})[0].isprintable()


def test_of_a_summary_only_what_is_not_shown_elsewhere_is_left() -> None:
    comment = {"path": "a.py", "line": 3, "comment": "Say why."}
    review = {
        "review": {
            "summary": "Revise. 1 to look at: a.py:3 Say why. Too bold. It was not applied.",
            "inline": [comment],
        },
        "judge_cards": [{"model": "reviewer", "notes": "Too bold."}],
    }
    alone = {
        "review": {
            "summary": "Pass. Looked for: syntax for JSON; secrets. No known mistake found; behaviour was not checked."
        }
    }
    foreign = {"review": {"summary": "All of it.", "inline": [comment]}}

    assert remaining_summary(review) == "It was not applied."
    assert (
        remaining_summary(alone)
        == "Pass. Looked for: syntax for JSON; secrets. No known mistake found; behaviour was not checked."
    )
    assert remaining_summary(foreign) == ""


def test_what_was_not_judged_is_said_also_where_the_judge_is_not_shown() -> None:
    notes = "Not judged by 'internal' (no judge supports its language): thought:9 (elixir)."
    comment = {"path": "a.py", "line": 3, "comment": "TODO left."}
    review = {
        "verdict": "pass",
        "review": {"summary": f"Pass. 1 to look at: a.py:3 TODO left. {notes}", "inline": [comment]},
        "judge_cards": [{"model": "internal", "score": 95, "notes": notes}],
    }

    assert remaining_summary(review) == notes
    assert remaining_summary(review | {"verdict": "revise"}) == ""


def test_a_rule_without_room_loses_the_parts_of_its_right_end_and_then_the_end_of_its_left() -> None:
    left: Spans = [Span("── "), Span("model asked · repair", Role.MUTED)]

    assert spans_text(rule(left, "a-model · 3s", 42, UNICODE)) == "── model asked · repair ── a-model · 3s ──"
    assert spans_text(rule(left, "a-model · 3s", 38, UNICODE)) == "── model asked · repair ─── a-model ──"
    assert spans_text(rule(left, "a-model · 3s", 33, UNICODE)) == "── model asked · repair ─────────"
    assert spans_text(rule(left, "", 20, UNICODE)) == "── model asked · … ─"


def test_what_was_asked_for_an_audit_stands_below_it_and_a_long_prompt_is_only_begun(tmp_path: Path) -> None:
    prompt = "\n".join(f"line {number}" for number in range(30))
    messages = [
        {"role": "user", "content": {"type": "text", "text": prompt}},
        {"role": "assistant", "content": {"type": "tool_use", "name": "__schema__", "input": OPINION}},
    ]
    journal = JournalBuilder().session().thought("Code").sample(2, messages=messages, parsed=OPINION).audit(2)

    below = [spans_text(line).rstrip() for line in page(journal, tmp_path, 0, 60).footer_lines()]

    assert [line.split()[1] for line in below if line.startswith("──")] == ["audit", "model"]
    start = next(number for number, line in enumerate(below) if line.startswith("── model"))
    assert below[start + 1 : start + 6] == [
        " seqthink: line 0",
        "           line 1",
        "           line 2",
        " … 27 more lines",
        " a-model: 54  Not yet.",
    ]


def test_a_text_without_room_for_its_audit_says_how_that_stands(tmp_path: Path) -> None:
    code = JournalBuilder().session().thought("Code")
    asked = {"doing": "asking you", "steps": 3, "done": 2}

    def glance(journal: JournalBuilder) -> str:
        return spans_text(page(journal, tmp_path, 0).summary_spans())

    assert glance(code) == ""
    assert glance(code.event("auditing", {"of": 2} | asked)) == "auditing, 2 of 3"
    assert glance(code.asking(2, "apply", message="Apply?")) == "you are asked"
    assert glance(code.elicit(2, "apply").audit(2, verdict="revise", score=71)) == "audit !71 revise"
