"""The map of a long chain: its chapters in a narrow column beside the tree (docs/screens.md, "The map").

Each line represents the same share of all rows. The cost depends on the number of lines, not on the session's length.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.chapters import Chapter, ChapterKind, chapters_of, thinned
from seqthink.chain.model import NONE
from seqthink.chain.native.retractions import retraction_in
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts, text_that_titles
from seqthink.core.text import SafeText, first_line, one_line
from seqthink.drawing.describe.asides import aside_line, aside_text
from seqthink.drawing.describe.calls import put_back_facts
from seqthink.drawing.describe.lanes import lane_name, lane_role
from seqthink.drawing.describe.marks import retraction_mark
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import DOWN, HEAVY_BOXES, RIGHT, UP, Signs
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width
from seqthink.drawing.tree.row_source import RowKind, RowSource, TreeRow

MIN_LONG_SCREENS = 3
"""A chain is long, so that its map appears by itself, from this many times the height of the screen on."""
SIGN_CELLS = 4
"""Width of a map that shows signs only: the bar and up to three signs."""
MIN_WORD_CELLS, MAX_WORD_CELLS = 20, 28
"""Width of a map with words."""
MIN_ROW_CELLS, MIN_ROW_CELLS_WITH_WORDS = 56, 68
"""Cells that rows keep beside a map that appears by itself, and beside one with words."""
MIN_ROW_CELLS_CHOSEN = 24
"""Cells that rows keep beside a map that the user asked for."""
CHAPTERS_PER_LINE = 2
"""How many chapters of each kind are looked at, for each line: a line shows one."""
HITS_PER_LINE = 8
"""How many hits of a search are looked at, for each line."""
_MAX_SIGNS = 3


def map_width(tree_width: int, *, is_chosen: bool) -> int:
    """Return the width of a map beside rows that have ``tree_width`` cells without it; 0 if there is no room.

    ``is_chosen`` says that the user asked for it.
    """
    with_words = min(MAX_WORD_CELLS, tree_width - MIN_ROW_CELLS_WITH_WORDS)
    if with_words >= MIN_WORD_CELLS:
        return with_words
    least = MIN_ROW_CELLS_CHOSEN if is_chosen else MIN_ROW_CELLS
    return SIGN_CELLS if tree_width - SIGN_CELLS >= least else 0


class PlacedChapter(NamedTuple):
    """A chapter and its row."""

    row: int
    chapter: Chapter


class PlacedMark(NamedTuple):
    """A thought that the user marked, or a hit of the search that is on, and its row."""

    row: int
    is_hit: bool


class RowsInView(NamedTuple):
    """Which rows are on the screen."""

    first: int
    last: int
    selected: int


def placed_chapters(tree: RowSource, height: int) -> list[PlacedChapter]:
    """Return the chapters for a map of ``height`` lines, from the top; of those in one row only the most important."""
    session = tree.session
    found: dict[int, Chapter] = {}
    for chapter in chapters_of(session, CHAPTERS_PER_LINE * height):
        row = _row_of(tree, session, chapter)
        if row is not None and (row not in found or chapter.kind < found[row].kind):
            found[row] = chapter
    return [PlacedChapter(row, found[row]) for row in sorted(found)]


def placed_marks(tree: RowSource, height: int, hits: Sequence[int], marked: Iterable[int]) -> list[PlacedMark]:
    """Return what the user marked and what was found, for a map of ``height`` lines; of many hits only some.

    Args:
        tree: the rows.
        height: the lines of the map.
        hits: the thoughts that a search found.
        marked: the thoughts that the user marked.
    """
    session = tree.session
    found = [(index, False) for index in marked]
    found += [(index, True) for index in thinned(hits, HITS_PER_LINE * height)]
    rows = [
        (tree.row_of(_thought_row(session, index)), is_hit) for index, is_hit in found if index < session.thought_count
    ]
    return [PlacedMark(row, is_hit) for row, is_hit in rows if row is not None]


def _thought_row(session: Session, index: int) -> TreeRow:
    return TreeRow(RowKind.THOUGHT, session.chains.drawn_in(index), session.thoughts.lane_of(index), index)


def _row_of(tree: RowSource, session: Session, chapter: Chapter) -> int | None:
    kind, ordinal, is_aside = chapter
    if kind is ChapterKind.CHAIN:
        return tree.row_of(TreeRow(RowKind.CHAIN, ordinal, NONE, ordinal))
    if is_aside:
        return tree.row_of(TreeRow(RowKind.ASIDE, session.asides.chain_of(ordinal), NONE, ordinal))
    lane, chain = session.thoughts.lane_of(ordinal), session.chains.drawn_in(ordinal)
    if kind is ChapterKind.FORK and tree.foldable is not None:
        return tree.row_of(TreeRow(RowKind.BRANCH, chain, lane, lane))
    return tree.row_of(_thought_row(session, ordinal))


class ChapterMap(Struct, frozen=True, kw_only=True):
    """Draws the map of a tree at one size."""

    tree: RowSource
    texts: SessionTexts
    chapters: Sequence[PlacedChapter]
    """What `placed_chapters` returned for the tree."""
    width: int
    height: int
    signs: Signs
    marks: Sequence[PlacedMark] = ()
    """What `placed_marks` returned for the tree."""

    @property
    def _places(self) -> int:
        """How many rows the lines share; a line has at most one row."""
        return max(self.tree.count, self.height, 1)

    def line_of(self, row: int) -> int:
        """Return the line that represents a row."""
        return row * self.height // self._places

    def row_at(self, line: int) -> int:
        """Return the row to go to from a line: that of its most important chapter, of what is marked, or its first."""
        here = [placed for placed in self.chapters if self.line_of(placed.row) == line]
        if here:
            return min(here, key=lambda placed: placed.chapter.kind).row
        marked = [mark.row for mark in sorted(self.marks) if self.line_of(mark.row) == line]
        if marked:
            return marked[0]
        return max(0, min(-(-line * self._places // max(1, self.height)), self.tree.count - 1))

    def lines(self, view: RowsInView) -> list[Spans]:
        """Return the lines, with the part marked that is on the screen."""
        by_line: dict[int, list[Chapter]] = {}
        for row, chapter in self.chapters:
            by_line.setdefault(self.line_of(row), []).append(chapter)
        marks_of: dict[int, set[bool]] = {}
        for row, is_hit in self.marks:
            marks_of.setdefault(self.line_of(row), set()).add(is_hit)
        seen = range(self.line_of(view.first), self.line_of(view.last) + 1)
        selected = self.line_of(view.selected)
        return [
            [
                self._bar(is_seen=line in seen, is_selected=line == selected),
                *self._line(by_line.get(line, []), [self._mark(is_hit) for is_hit in sorted(marks_of.get(line, ()))]),
            ]
            for line in range(self.height)
        ]

    def _bar(self, *, is_seen: bool, is_selected: bool) -> Span:
        if is_selected:
            return Span(self.signs.selected, Role.ACCENT)
        box = self.signs.box
        return Span((HEAVY_BOXES[box] if is_seen else box)[UP | DOWN], Role.ACCENT if is_seen else Role.LINE)

    def _mark(self, is_hit: bool) -> Span:
        return Span("/", Role.MATCH) if is_hit else Span(self.signs.marked, Role.ACCENT)

    def _line(self, chapters: Sequence[Chapter], marks: Spans) -> Spans:
        """Return what a line says about its chapters, and about what the user marked or looks for."""
        chapters = sorted(chapters, key=lambda chapter: chapter.kind)
        of_chapters = list(dict.fromkeys(map(self._sign, chapters)))
        if self.width < MIN_WORD_CELLS or not chapters:
            return [*marks, *of_chapters][:_MAX_SIGNS]
        shown = [of_chapters[0], *marks, *of_chapters[1:]][:_MAX_SIGNS]
        more: Spans = [Span(" "), *shown[1:]] if shown[1:] else []
        room = self.width - 3 - spans_width(shown[:1]) - spans_width(more)
        words = cut(self._words(chapters[0]), room, self.signs.ellipsis)
        gap = " " * (room - width(words)) if more else ""
        return [shown[0], Span(f" {words}{gap}", self._word_role(chapters[0])), *more]

    def _sign(self, chapter: Chapter) -> Span:
        signs = self.signs
        match chapter.kind:
            case ChapterKind.CHAIN:
                return Span(signs.rule, Role.LINE)
            case ChapterKind.PROMPT:
                return Span(signs.prompt, Role.ACCENT)
            case ChapterKind.FORK:
                return Span(signs.box[UP | DOWN | RIGHT], self._lane_role(chapter.ordinal))
            case ChapterKind.RETURN:
                [first, *_] = self.tree.session.branch_returns.brought_back_by(chapter.ordinal)
                return Span(signs.brings_back, lane_role(self.tree.session.lanes.get(first)))
            case ChapterKind.REVISION:
                return Span(signs.revision, Role.REVISION)
            case ChapterKind.RETRACTION:
                return retraction_mark(signs)

    def _lane_role(self, index: int) -> Role:
        session = self.tree.session
        return lane_role(session.lanes.get(session.thoughts.lane_of(index)))

    def _word_role(self, chapter: Chapter) -> Role:
        return Role.TEXT if chapter.kind <= ChapterKind.PROMPT else Role.MUTED

    def _words(self, chapter: Chapter) -> SafeText:
        session, ordinal = self.tree.session, chapter.ordinal
        match chapter.kind:
            case ChapterKind.CHAIN:
                return SafeText(f"{ordinal + 1} {first_line(text_that_titles(self.texts, ordinal))}")
            case ChapterKind.PROMPT:
                if chapter.is_aside:
                    return aside_line(self.texts, session, ordinal, self.signs)
                return first_line(self.texts.row_text(ordinal))
            case ChapterKind.FORK | ChapterKind.RETURN:
                return self._lane_words(chapter)
            case ChapterKind.REVISION:
                thought = session.thoughts.get(ordinal)
                return SafeText(f"{thought.number} revises {thought.revised_number}")
            case ChapterKind.RETRACTION:
                return self._retraction_words(chapter)

    def _retraction_words(self, chapter: Chapter) -> SafeText:
        session, ordinal = self.tree.session, chapter.ordinal
        if not chapter.is_aside:
            return one_line(retraction_in(self.texts.prefix(ordinal).text))
        facts = put_back_facts(session, ordinal)
        return SafeText(facts[0]) if facts else one_line(retraction_in(aside_text(self.texts, session, ordinal)))

    def _lane_words(self, chapter: Chapter) -> SafeText:
        session, ordinal = self.tree.session, chapter.ordinal
        if chapter.kind is ChapterKind.FORK:
            return first_line(lane_name(session, session.lanes.get(session.thoughts.lane_of(ordinal))) or "?")
        [first, *_] = session.branch_returns.brought_back_by(ordinal)
        return first_line(session.lanes.get(first).name or "?")
