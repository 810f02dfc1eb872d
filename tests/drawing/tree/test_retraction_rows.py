"""What an agent takes back in its own words, drawn: rows, map, text pane, help, pages and reports."""

import io
from pathlib import Path

import pytest

from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.query import filter_query
from seqthink.drawing import plain
from seqthink.drawing.detail.aside_page import AsidePage
from seqthink.drawing.detail.thought_page import ThoughtPage
from seqthink.drawing.panels.chapter_map import ChapterMap, RowsInView, placed_chapters
from seqthink.drawing.panels.help_page import help_lines
from seqthink.drawing.rows.painter import whole_session_painter
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs, retraction_sign
from seqthink.drawing.text.spans import spans_text
from seqthink.library.catalog.search_hits import Search
from seqthink.library.catalog.text_scan import scan
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from seqthink.share.export.html_templates import resource
from seqthink.share.export.markdown import markdown
from tests.support.journals.build import JournalBuilder

SAID = "The test is green. I was wrong about the lock, and the pool is as it was before."
FACT = "takes something back, in its own words: I was wrong about the lock, and the pool is as it was before."


@pytest.fixture(params=[False, True], ids=["alone", "beside thoughts"])
def texts(tmp_path: Path, request: pytest.FixtureRequest) -> JournalTexts:
    """A session with two remarks, the second of which takes something back."""
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    if request.param:
        builder.thought("Pool?", 1, 2)
    builder.event("remark", {"text": "Now the pool.", "id": "m1"}).event("remark", {"text": SAID, "id": "m2"})
    path = builder.write(tmp_path / "20260310T140200.000000Z-k3v9qa.jsonl")
    return load_journal(path, shown=Shown.WORDS if request.param else None)


@pytest.mark.parametrize(("signs", "sign"), [(UNICODE, "↶"), (ASCII, "u")])
@pytest.mark.parametrize("width", [28, 44, 80, 120])
@pytest.mark.parametrize("is_timeline", [False, True])
def test_its_row_has_a_mark_at_every_width(
    texts: JournalTexts, width: int, signs: Signs, sign: str, *, is_timeline: bool
) -> None:
    lines = plain.overview_lines(texts, width=width, signs=signs, is_timeline=is_timeline)

    assert [line.split()[-1] == sign or f" {sign} " in line for line in lines if "pool" in line or "green" in line][
        -2:
    ] == [False, True]


def test_the_map_has_it_as_a_chapter_with_the_sentence(texts: JournalTexts) -> None:
    painter = whole_session_painter(texts, width=80)
    chapters = placed_chapters(painter.tree, 8)
    drawn = ChapterMap(tree=painter.tree, texts=texts, chapters=chapters, width=28, height=8, signs=UNICODE)
    lines = [spans_text(line) for line in drawn.lines(RowsInView(0, 1, 0))]

    assert [line for line in lines if "↶" in line] == ["│↶ I was wrong about the l…"]


def test_the_text_pane_quotes_the_sentence(texts: JournalTexts) -> None:
    session = texts.session
    if session.asides.retractions:
        page = AsidePage(session=session, texts=texts, ordinal=session.asides.retractions[0], width=200)
        lines = page.lines()
    else:
        index = session.native.retractions[0]
        lines = ThoughtPage(
            session=session, texts=texts, index=index, width=200, screen_width=200
        ).footer_lines()  # fmt: skip

    assert spans_text(lines[-1]).strip() == FACT


def test_help_explains_the_sign_where_it_is_on_the_screen(texts: JournalTexts) -> None:
    screen = "\n".join(plain.overview_lines(texts, width=80, signs=UNICODE))

    assert any("↶   takes back" in spans_text(line) for line in help_lines(UNICODE, [], 80, screen))
    assert not any("↶" in spans_text(line) for line in help_lines(UNICODE, [], 80, "● 1 I was wrong"))


def test_a_report_has_the_mark_or_the_sentence(texts: JournalTexts) -> None:
    written = io.StringIO()
    written.writelines(markdown(texts))

    assert "↶" in written.getvalue() or FACT in written.getvalue()


def test_the_filter_finds_it_alone(texts: JournalTexts) -> None:
    search = Search(query=filter_query("is:retraction"), is_filter=True)
    [batch] = scan(search, texts.session, texts, lambda: 0.0)
    said = [*texts.session.native.retractions, *texts.session.asides.retractions]

    assert [*batch.thoughts, *batch.asides] == said


def test_the_page_explains_the_sign() -> None:
    assert f'["{retraction_sign(UNICODE)}", "takes something back' in resource("page.js")


def test_what_puts_an_edited_file_back_has_the_mark_and_is_named(tmp_path: Path) -> None:
    builder = JournalBuilder().session(cwd="/w").event("prompt", {"text": "Why?", "id": "p"})
    builder.event("action", {"tool": "Edit", "summary": "/w/lib/pool.ex"})
    builder.event("action", {"tool": "Bash", "summary": "git checkout lib/pool.ex", "call": "b"})
    builder.event("action", {"tool": "?", "call": "b", "ended": "done"})
    builder.event("action", {"tool": "Bash", "summary": "mix test", "failed": True})
    texts = load_journal(builder.write(tmp_path / "20260310T140200.000000Z-k3v9qa.jsonl"))
    [row] = [line for line in plain.overview_lines(texts, width=80, signs=UNICODE) if "Edit" in line]
    page = AsidePage(session=texts.session, texts=texts, ordinal=0, width=80)
    search = Search(query=filter_query("is:retraction"), is_filter=True)

    assert row.split()[-2:] == ["✗1", "↶"]
    assert spans_text(page.lines()[-1]).strip() == "puts back a file that was edited before: lib/pool.ex"
    assert [batch.asides for batch in scan(search, texts.session, texts, lambda: 0.0)] == [[0]]
