"""The map of a long chain, as text."""

from itertools import pairwise
from pathlib import Path

import pytest

from seqthink.chain.native.switchable_fold import Shown
from seqthink.drawing.panels.chapter_map import (
    ChapterMap,
    RowsInView,
    map_width,
    placed_chapters,
    placed_marks,
)
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text, spans_width
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.drawing.tree.row_source import RowKind, RowSource
from seqthink.drawing.tree.tree import Tree
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import questions

_TOP = RowsInView(0, 0, 0)
_MOST = 40
"""How many chapters of a kind are on a map of 20 lines."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def _load(path: Path, builder: JournalBuilder, shown: Shown | None = None) -> JournalTexts:
    return load_journal(builder.write(path), shown=shown)


def _chain() -> JournalBuilder:
    """Return a chain with a chapter of each kind: prompts before 1 and 4, a branch from 2, its return, a revision."""
    builder = JournalBuilder().session().event("prompt", {"text": "Why is it **slow**?\nToday", "id": "p"})
    builder.thought("Look", 1, 6).thought("Two ways", 2, 6)
    builder.thought("One", 1, 2, branch="cron-job", from_=2).thought("More", 2, 2, branch="cron-job", from_=2)
    builder.thought("Branch cron-job is it", 3, 6).event("prompt", {"text": "\x1b[2JGo on", "id": "q"})
    return builder.thought("So it goes", 4, 6).thought("No, it does not", 5, 6, revises=4)


def _map(
    texts: JournalTexts, tree: RowSource, *, width: int = 24, height: int = 0, signs: Signs = UNICODE
) -> ChapterMap:
    tree.sync(texts.session)
    return ChapterMap(
        tree=tree,
        texts=texts,
        chapters=placed_chapters(tree, 20),
        width=width,
        height=height or tree.count,
        signs=signs,
    )


def _drawn(drawn: ChapterMap, view: RowsInView = _TOP) -> list[str]:
    return [spans_text(line) for line in drawn.lines(view)]


def test_each_kind_of_chapter_has_its_sign_and_words_in_the_line_of_its_row(path: Path) -> None:
    chapters = _map(_load(path, _chain()), Tree())

    assert _drawn(chapters, RowsInView(2, 4, 3)) == [
        "│› Why is it slow?",
        "│",
        "┃",
        "▌├ cron-job",
        "┃",
        "│",
        "│◂ cron-job",
        "│› ␛[2JGo on",
        "│",
        "│↺ 5 revises 4",
        "│",
    ]


def test_a_narrow_map_has_the_signs_alone_the_most_important_first(path: Path) -> None:
    texts = _load(path, _chain())

    assert _drawn(_map(texts, Tree(), width=4)) == ["▌›", "│", "│", "│├", "│", "│", "│◂", "│›", "│", "│↺", "│"]
    assert _drawn(_map(texts, Tree(), width=4, height=2)) == ["▌›├", "│›◂↺"]
    assert _drawn(_map(texts, Tree(), width=4, height=2, signs=ASCII)) == [">?+", "|?<R"]


def test_several_chapters_in_one_line_show_the_words_of_the_most_important_and_the_signs_of_all(path: Path) -> None:
    assert _drawn(_map(_load(path, _chain()), Tree(), height=2)) == [
        "▌› Why is it slow?    ├",
        "│› ␛[2JGo on         ◂↺",
    ]


@pytest.mark.parametrize("shown", Shown)
@pytest.mark.parametrize("tree", [Tree, Timeline])
def test_tree_and_timeline_have_the_same_chapters_whatever_of_a_transcript_is_shown(
    path: Path, shown: Shown, tree: type[Tree | Timeline]
) -> None:
    builder = _chain().event("remark", {"text": "I try it", "id": "m"}).event("turn", {"text": "Done", "id": "t"})

    signs = "".join(line[1:2] for line in _drawn(_map(_load(path, builder, shown), tree())))
    assert sorted(signs.replace(" ", "")) == sorted("›├◂›↺")


def test_chapters_in_a_folded_branch_or_chain_are_not_on_the_map(path: Path) -> None:
    texts, tree = _load(path, _chain().thought("No", 3, 3, branch="cron-job", from_=2, revises=1)), Tree()
    tree.sync(texts.session)
    assert len([placed for placed in placed_chapters(tree, 20) if tree.row(placed.row).kind is RowKind.THOUGHT]) == 3

    tree.fold(1, folded=True)
    assert len([placed for placed in placed_chapters(tree, 20) if tree.row(placed.row).kind is RowKind.THOUGHT]) == 2


def test_with_a_filter_only_matching_rows_have_chapters(path: Path) -> None:
    texts = _load(path, _chain())
    tree = FilteredTree(texts.session)
    tree.add_matches([0, 2, 6], ())
    chapters = ChapterMap(tree=tree, texts=texts, chapters=placed_chapters(tree, 20), width=24, height=3, signs=UNICODE)

    assert _drawn(chapters) == ["▌", "│├ cron-job", "│↺ 5 revises 4"]


def test_prompts_are_chapters_also_where_no_thought_has_come(path: Path) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "Why?", "id": "p"})
    builder.event("action", {"tool": "Read", "call": "c"}).event("prompt", {"text": "And now?", "id": "q"})

    assert _drawn(_map(_load(path, builder, Shown.THOUGHTS), Tree())) == ["▌› Why?", "│", "│› And now?"]


def test_each_of_several_chains_has_a_chapter(path: Path) -> None:
    drawn = _drawn(_map(_load(path, questions()), Tree(), width=28))

    assert drawn[:2] == ["▌─ 1 Why does lint pass lo…", "│─ 2 Split the upload form?"]


def test_a_line_leads_to_its_chapter_and_any_other_to_its_first_row(path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 101):
        builder.thought("Step", number, 100, revises=70 if number == 78 else None)
    chapters = _map(_load(path, builder), Tree(), height=10)

    assert [chapters.row_at(line) for line in range(10)] == [0, 10, 20, 30, 40, 50, 60, 77, 80, 90]
    assert [chapters.line_of(chapters.row_at(line)) for line in range(10)] == [*range(10)]


def test_every_line_has_at_most_its_width(path: Path) -> None:
    builder = JournalBuilder().session().event("prompt", {"text": "按任务还是按模块划分目录" * 9, "id": "p"})
    builder.thought("a", 1, 9).thought("b", 1, 1, branch="目录" * 40, from_=1).thought("c", 2, 9, revises=1)
    texts = _load(path, builder)

    for width in range(4, 29):
        for height in range(1, 8):
            lines = _map(texts, Tree(), width=width, height=height).lines(RowsInView(0, 9, 9))
            assert len(lines) == height
            assert max(map(spans_width, lines)) <= width


def test_of_many_chapters_an_even_part_is_shown_that_stays_while_the_chain_grows(path: Path) -> None:
    builder, rows = JournalBuilder().session().thought("a", 1, 9), list[set[int]]()
    for number in range(2, 4 * _MOST):
        builder.thought("a", number, 9, revises=1)
    texts, tree = _load(path, builder), Timeline()
    for count in range(_MOST, texts.session.thought_count, 10):
        tree.sync(texts.session.at_thought(count))
        rows.append({placed.row for placed in placed_chapters(tree, 20)})

    assert all(_MOST // 2 - 1 <= len(found) <= _MOST for found in rows)
    assert sum(not before <= found for before, found in pairwise(rows)) == 2


@pytest.mark.parametrize(
    ("tree", "is_chosen", "cells"),
    [(119, False, 28), (88, False, 20), (87, False, 4), (60, False, 4), (59, False, 0), (59, True, 4), (27, True, 0)],
)
def test_the_map_takes_what_the_rows_can_spare(tree: int, is_chosen: bool, cells: int) -> None:
    assert map_width(tree, is_chosen=is_chosen) == cells


def _marked_map(texts: JournalTexts, width: int, height: int, signs: Signs = UNICODE) -> ChapterMap:
    """Return the map of 80 thoughts: the 13th revises the 7th, some are hits, and two are marked."""
    tree = Tree()
    tree.sync(texts.session)
    marks = placed_marks(tree, height, hits=[13, 14, 63, 500], marked=[15, 43])
    chapters = placed_chapters(tree, height)
    return ChapterMap(
        tree=tree, texts=texts, chapters=chapters, marks=marks, width=width, height=height, signs=signs
    )  # fmt: skip


def _long(path: Path) -> JournalTexts:
    builder = JournalBuilder().session()
    for number in range(1, 81):
        builder.thought(f"Step {number}", number, 80, revises=7 if number == 13 else None)
    return _load(path, builder)


@pytest.mark.parametrize(
    ("signs", "width", "drawn"),
    [
        (UNICODE, 4, ["│", "│⚑/↺", "│", "│", "│⚑", "│", "│/", "│"]),
        (ASCII, 4, ["|", "|@/R", "|", "|", "|@", "|", "|/", "|"]),
        (UNICODE, 24, ["│", "│↺ 13 revises 7      ⚑/", "│", "│", "│⚑", "│", "│/", "│"]),
    ],
)
def test_hits_and_marked_thoughts_have_their_place(path: Path, signs: Signs, width: int, drawn: list[str]) -> None:
    lines = _marked_map(_long(path), width, 8, signs).lines(RowsInView(79, 79, 79))[:-1]

    assert [spans_text(line).rstrip() for line in lines] == drawn[:-1]


def test_a_click_on_a_hit_or_a_marked_thought_goes_there(path: Path) -> None:
    shown = _marked_map(_long(path), 24, 8)

    assert [shown.row_at(line) for line in (1, 4, 6, 5)] == [12, 43, 63, 50]


def test_of_very_many_hits_only_some_are_placed(path: Path) -> None:
    tree = Tree()
    tree.sync(_long(path).session)

    assert len(placed_marks(tree, 2, hits=range(80), marked=())) == 10
