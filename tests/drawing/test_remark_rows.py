"""Remarks in the tree: quiet beside thoughts of the tool, the main line without them."""

from pathlib import Path

import pytest

from seqthink.chain.attention import last_activity
from seqthink.chain.native.switchable_fold import Shown, SwitchableFold
from seqthink.chain.query import words_query
from seqthink.chain.statistics.session_statistics import session_statistics
from seqthink.drawing import plain
from seqthink.drawing.panels.help_page import help_lines
from seqthink.drawing.panels.transport import position_words
from seqthink.drawing.rows.painter import whole_session_painter
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, spans_text
from seqthink.library.finding.found import found_in
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.share.export.markdown import markdown
from seqthink.share.export.mermaid import mermaid
from tests.support.journals.build import JournalBuilder


def journal(*, has_thoughts: bool) -> JournalBuilder:
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    builder.event("action", {"tool": "Read", "call": "c1"}).event("remark", {"text": "Looking at it\nnow", "id": "m1"})
    builder.event("action", {"tool": "Read", "call": "c2"})
    if has_thoughts:
        builder.thought("Pool?", 1, 2).event("remark", {"text": "I try it", "id": "m2"}).thought(
            "Yes", 2, 2, next=False
        )
    return builder.event("turn", {"text": "The pool.", "id": "t"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "20260310T140200.000000Z-k3v9qa.jsonl"


def load(path: Path, builder: JournalBuilder, shown: Shown | None) -> JournalTexts:
    path.write_bytes(builder.data)
    return load_journal(path, shown=shown)


def rows(texts: JournalTexts) -> list[str]:
    return [" ".join(line.split()) for line in plain.overview_lines(texts, width=60, signs=UNICODE)][1:]


def test_without_thoughts_of_the_tool_remarks_are_shown_by_themselves_in_order(path: Path) -> None:
    texts = load(path, journal(has_thoughts=False), None)

    assert rows(texts) == ["› Why?", "→ Read", "• Looking at it now", "→ Read", "✓ The pool."]


def test_with_thoughts_they_are_hidden_until_words_are_wanted(path: Path) -> None:
    builder = journal(has_thoughts=True)

    assert [row for row in rows(load(path, builder, None)) if "•" in row] == []
    assert [row for row in rows(load(path, builder, Shown.WORDS)) if "•" in row] == ["• Looking at it", "• I try it"]


@pytest.mark.parametrize("shown", Shown)
def test_a_remark_never_counts_as_a_thought(path: Path, shown: Shown) -> None:
    session = load(path, journal(has_thoughts=True), shown).session
    counted = session_statistics(session, identity="s", name="s", client="c", folder="f", models={})

    assert session.native.call_count == counted.thoughts == 2
    assert session.chain_count == 1


@pytest.mark.parametrize(("has_thoughts", "role"), [(True, Role.MUTED), (False, Role.TEXT)])
@pytest.mark.parametrize("shown", [Shown.WORDS, Shown.EVERYTHING])
def test_a_remark_is_dim_only_beside_thoughts(path: Path, shown: Shown, role: Role, *, has_thoughts: bool) -> None:
    texts = load(path, journal(has_thoughts=has_thoughts), shown)
    painter = whole_session_painter(texts, width=60)
    drawn = [painter.draw_row(number) for number in range(painter.tree.count)]

    assert [span.role for row in drawn for span in row if "Looking at it" in span.text] == [role]


@pytest.mark.parametrize(
    ("has_remark", "choices"),
    [(True, (Shown.THOUGHTS, Shown.WORDS, Shown.EVERYTHING)), (False, (Shown.THOUGHTS, Shown.EVERYTHING))],
)
def test_only_what_makes_a_difference_can_be_chosen(choices: tuple[Shown, ...], *, has_remark: bool) -> None:
    fold = SwitchableFold()
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    for event in (builder.event("remark", {"text": "Looking", "id": "m"}) if has_remark else builder).events:
        fold.evolve(event)

    assert fold.choices == choices


def test_the_silence_of_a_session_begins_with_the_last_record_of_any_kind(path: Path) -> None:
    builder = JournalBuilder().session().thought("Pool?", 1, 2).event("action", {"tool": "Read", "call": "c"}, after=60)
    session = load(path, builder, None).session

    assert last_activity(session) - session.thoughts.time_of(0) == 60_000_000


def test_exports_call_a_remark_by_its_kind_and_give_it_no_number(path: Path) -> None:
    texts = load(path, journal(has_thoughts=False), None)

    assert "### remark" in "".join(markdown(texts))
    assert '["Looking at it"]' in "".join(mermaid(texts))


def test_a_text_in_a_remark_is_found() -> None:
    event = journal(has_thoughts=False).events[3]
    found = found_in(event, words_query("looking"), lambda text: "Looking" in text)

    assert found is not None
    assert (found.kind, found.excerpt) == ("remark", "Looking at it now")


def test_there_is_a_column_of_numbers_only_once_something_has_a_number(path: Path) -> None:
    plain_rows = plain.overview_lines(load(path, journal(has_thoughts=False), None), width=60, signs=UNICODE)
    reasoning = journal(has_thoughts=False).event("reasoning", {"text": "Hm", "id": "r"})
    numbered_rows = plain.overview_lines(load(path, reasoning, None), width=60, signs=UNICODE)

    assert [row.rstrip() for row in plain_rows if "\N{BULLET}" in row] == [" \N{BULLET} Looking at it now"]
    assert [row.rstrip() for row in numbered_rows if "\N{BULLET}" in row] == [" \N{BULLET}     Looking at it now"]


def test_a_replay_counts_rows_where_there_is_no_thought(path: Path) -> None:
    whole = load(path, journal(has_thoughts=False), None).session

    assert position_words(whole.at_thought(2), whole) == "row 2 of 3"


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_help_explains_remarks_and_not_what_was_not_kept(path: Path, signs: Signs) -> None:
    said = plain.overview_lines(load(path, journal(has_thoughts=False), None), width=60, signs=signs)
    silent = [f" {signs.separator} thought, text not kept", f" {signs.changed} Read"]
    pages = [
        "".join(spans_text(line) for line in help_lines(signs, [], 80, "\n".join(rows))) for rows in (said, silent)
    ]

    assert ["what it said" in page for page in pages] == [True, False]
