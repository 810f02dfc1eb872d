"""What a row, the text pane and the pages say of branches that come back, early context items and refused tools."""

from pathlib import Path

import pytest

from seqthink.chain.fold import fold
from seqthink.drawing.describe.marks import row_marks
from seqthink.drawing.describe.thought import MAX_RETURNS_NAMED, call_facts
from seqthink.drawing.detail.aside_page import AsidePage
from seqthink.drawing.rows.painter import whole_session_painter
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import BRANCH_ROLES, spans_text
from seqthink.library.live_session import load_journal
from seqthink.share.export.html import html
from seqthink.share.export.markdown import markdown
from tests.support.journals.build import JournalBuilder


def rows(builder: JournalBuilder, folder: Path, cells: int = 80, signs: Signs = UNICODE) -> list[str]:
    painter = whole_session_painter(load_journal(builder.write(folder / "a.jsonl")), width=cells, signs=signs)
    return [spans_text(row).rstrip() for row in painter.draw_rows(0, painter.tree.count)]


def returned(branch: str = "cron-job", said: str = "cron-job it is") -> JournalBuilder:
    return JournalBuilder().session().thought("Why?", 1, 2).thought("x", branch=branch, from_=1).thought(said, 2, 2)


def test_a_row_names_the_branch_that_comes_back_in_its_colour(tmp_path: Path) -> None:
    session = fold(returned().events)
    marks = row_marks(session, session.thoughts.get(2), UNICODE, is_odd=False, max_marks=2, has_words=True)

    assert [(mark.text, mark.role) for mark in marks.marks] == [("◂ cron-job", BRANCH_ROLES[0])]
    assert rows(returned(), tmp_path)[-1].endswith(" ◂ cron-job  10s")


def test_a_narrow_row_has_the_sign_alone(tmp_path: Path) -> None:
    assert rows(returned(), tmp_path, 44)[-1].endswith(" ◂")
    assert rows(returned(), tmp_path, 44, ASCII)[-1].endswith(" <")


def test_a_hostile_name_is_cleaned_and_cut(tmp_path: Path) -> None:
    name = "\x1b[31m-a-very-long-branch-name\n"
    shown = rows(returned(name, f"`{name.strip()}`"), tmp_path)[-1]

    assert "\x1b" not in shown
    assert "◂ " in shown
    assert "…" in shown


def test_several_branches_are_counted_on_the_row_and_named_in_the_pane(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("Why?", 1, 2)
    names = [f"b-{number}" for number in range(MAX_RETURNS_NAMED + 2)]
    for name in names:
        builder.thought("x", branch=name, from_=1)
    builder.thought(" ".join(names), 2, 2)
    session = fold(builder.events)
    sentences = list(call_facts(session, session.thoughts.get(session.thought_count - 1), None))

    assert "◂10 branches" in rows(builder, tmp_path)[-1]
    assert rows(builder, tmp_path, 44)[-1].endswith(" ◂10")
    assert sentences == [
        *(f"brings back branch b-{number}" for number in range(MAX_RETURNS_NAMED)), "brings back 2 more branches",
    ]  # fmt: skip


@pytest.mark.parametrize(("total", "mark"), [(2, "+?"), (5, "2→5+?"), (12345678, "→12345…+?")])
def test_a_changed_estimate_and_the_wish_for_more_are_both_seen(tmp_path: Path, total: int, mark: str) -> None:
    builder = JournalBuilder().session().thought("a", 1, 2).thought("b", 2, total, needsMoreThoughts=True)

    assert mark in "".join(rows(builder, tmp_path))


def test_context_items_from_before_the_first_call_are_rows(tmp_path: Path) -> None:
    builder = JournalBuilder().session().context(tags=["pool"]).context(None, action="update", tags=[]).thought("a")
    texts = load_journal(builder.write(tmp_path / "a.jsonl"))
    pages = [AsidePage(session=texts.session, texts=texts, ordinal=number, width=44) for number in (0, 1)]

    assert rows(builder, tmp_path)[:2] == [
        " + context stored c1: The pool has 50 connections.", " + context updated c1",
    ]  # fmt: skip
    assert [[spans_text(line).rstrip() for line in page.lines()] for page in pages] == [
        ["── + context stored · c1 ────────── #pool ──", " The pool has 50 connections."],
        ["── + context updated · c1 ─────── no tags ──", " the text is unchanged"],
    ]
    assert "The pool has 50 connections." in "".join(markdown(texts))
    assert "The pool has 50 connections." in "".join(html(texts))


def test_a_context_item_after_a_call_is_the_call_s() -> None:
    session = fold(JournalBuilder().session().thought("a").context().events)

    assert (session.asides.count, len(session.thoughts.attachments(0))) == (0, 1)


def test_a_refused_call_says_of_which_tool_it_was(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("a").rejected("No item c9", tool="update\x1b_context")
    texts = load_journal(builder.write(tmp_path / "a.jsonl"))
    page = AsidePage(session=texts.session, texts=texts, ordinal=0, width=60)

    assert "✗ refused update_context: No item c9" in "\n".join(rows(builder, tmp_path)).replace("␛", "")
    assert "refused update" in spans_text(page.heading(""))
    assert "✗ refused update" in "".join(html(texts))
    assert "### ✗ refused `update" in "".join(markdown(texts))
