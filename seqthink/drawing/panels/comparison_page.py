"""Two compared sessions as rows of text: side by side where there is room, else one below the other.

The rows are known at once, and drawn when they are in view: a long comparison costs no more than a short one.
"""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import cached_property
from itertools import groupby

from msgspec import Struct

from seqthink.chain.comparison.comparison import StretchKind
from seqthink.chain.comparison.passages import PassageKind, passage_text
from seqthink.chain.comparison.side_facts import ComparedSessions, ComparedSide
from seqthink.chain.model import NONE
from seqthink.core.text import one_line, sanitize
from seqthink.drawing.describe.comparison import (
    LEFT,
    RIGHT,
    FactRow,
    answer_words,
    common_words,
    fact_rows,
    own_words,
    parting_words,
    passage_label,
)
from seqthink.drawing.markup.word_changes import word_changes
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.span_wrapping import wrap_spans
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spans_width

MIN_SIDE_BY_SIDE_CELLS = 100
"""From this width on the sessions are side by side."""
MAX_ROW_LINES = 3
"""Lines of a text in a row."""
MAX_SAME_SHOWN = 3
"""Longer runs of texts that are the same are folded, but for the first and the last."""
_MAX_CHARS = 4000
"""Characters of a text that are enough for a row."""
_LEFT_ROLE, _RIGHT_ROLE = Role.BRANCH1, Role.BRANCH2


class ComparedRow(Struct, frozen=True):
    """A row: a text of each side, or of one, or how many that are the same are folded."""

    stretch: int
    """The stretch that it belongs to; the first one of a fold."""
    left: int
    """The passage on the left side, or NONE."""
    right: int
    """The passage on the right side, or NONE."""
    folded: int = 0
    """How many pairs that are the same are not shown."""


class ComparisonPage(Struct, frozen=True, dict=True):
    """Two compared sessions, drawn ``cells`` cells wide."""

    sessions: ComparedSessions
    cells: int
    signs: Signs
    zone: tzinfo
    is_full: bool = False
    """Whether texts are shown to their end, and nothing is folded."""

    @property
    def is_side_by_side(self) -> bool:
        """Whether there is room for both sessions beside each other."""
        return self.cells >= MIN_SIDE_BY_SIDE_CELLS

    @cached_property
    def rows(self) -> list[ComparedRow]:
        """The rows, in order."""
        rows = list(self._all_rows())
        return rows if self.is_full else list(self._folded(rows))

    def _all_rows(self) -> Iterator[ComparedRow]:
        for place, stretch in enumerate(self.sessions.comparison.stretches):
            if self.is_side_by_side or stretch.kind is not StretchKind.APART:
                for at in range(max(len(stretch.left), len(stretch.right))):
                    yield ComparedRow(place, _at(stretch.left, at), _at(stretch.right, at))
            else:
                yield from (ComparedRow(place, at, NONE) for at in stretch.left)
                yield from (ComparedRow(place, NONE, at) for at in stretch.right)

    def _folded(self, rows: Sequence[ComparedRow]) -> Iterator[ComparedRow]:
        """Yield the rows; of a long run of thoughts that are the same, the first, a fold, and the last."""
        for is_same, group in groupby(rows, self._is_same_thought):
            run = list(group)
            if is_same and len(run) > MAX_SAME_SHOWN:
                yield run[0]
                yield ComparedRow(run[1].stretch, run[1].left, run[1].right, len(run) - 2)
                yield run[-1]
            else:
                yield from run

    def _is_same_thought(self, row: ComparedRow) -> bool:
        """Whether a row may be folded: prompts are headings."""
        is_same = self.kind_of(row) is StretchKind.SAME
        return is_same and self.sessions.left.side.passages[row.left].kind is not PassageKind.PROMPT

    def kind_of(self, row: ComparedRow) -> StretchKind:
        """Return how the sides of a row are related."""
        return self.sessions.comparison.stretches[row.stretch].kind

    def is_first_of_parting(self, row: ComparedRow) -> bool:
        """Whether a row is the first of those in which the sessions part."""
        parting = self.sessions.comparison.first_parting
        if row.stretch != parting or row.folded:
            return False
        stretch = self.sessions.comparison.stretches[parting]
        return row.left == _at(stretch.left, 0) and (row.right == _at(stretch.right, 0) or row.left != NONE)

    # Above the rows

    def head_lines(self) -> list[Spans]:
        """Return the facts of both sessions, and what they have in common."""
        facts = fact_rows(self.sessions, self.signs, self.zone)
        label_cells = max(width(row.label) for row in facts) + 2
        column = max(4, (self.cells - 1 - label_cells) // 2)
        lines = [self._fact_line(FactRow("", LEFT, RIGHT), label_cells, column)]
        lines += [self._fact_line(row, label_cells, column) for row in facts]
        comparison = self.sessions.comparison
        said = f"{common_words(comparison)}. {parting_words(self.sessions)} {answer_words(comparison)}"
        named = own_words(comparison)
        texts = [Span(said), *([Span(f"\n{named}", Role.MUTED)] if named else [])]
        return [*lines, [], *([Span(" "), *line] for line in wrap_spans(texts, self.cells - 2)), []]

    def _fact_line(self, row: FactRow, label_cells: int, column: int) -> Spans:
        is_head = not row.label
        roles = (_LEFT_ROLE, _RIGHT_ROLE) if is_head else (Role.TEXT, Role.TEXT)
        left = cut(row.left, column - 2, self.signs.ellipsis)
        right = cut(row.right, column - 1, self.signs.ellipsis)
        line = [
            Span(" " + row.label + " " * (label_cells - width(row.label)), Role.MUTED),
            Span(left + " " * (column - width(left)), roles[0], BOLD if is_head else 0),
            Span(right, roles[1], BOLD if is_head else 0),
        ]
        return clip(line, self.cells)

    # Rows

    def lines_of(self, row: ComparedRow) -> list[Spans]:
        """Return the lines of a row; before the first that parts them, a rule says so."""
        lines = list(self._rule()) if self.is_first_of_parting(row) else []
        if row.folded:
            return [*lines, [Span(f"   {self.signs.missing} {row.folded:,} the same", Role.MUTED)]]
        drawn = self._beside if self.is_side_by_side else self._below
        return [*lines, *drawn(row)]

    def _rule(self) -> Iterator[Spans]:
        words = " here they part "
        after = max(0, self.cells - 4 - width(words))
        yield [Span(f" {self.signs.rule * 2}{words}{self.signs.rule * after} ", Role.ACCENT)]

    def _beside(self, row: ComparedRow) -> Iterator[Spans]:
        column = (self.cells - 5) // 2
        left, right = self._texts(row)
        kind = self.kind_of(row)
        is_same = kind is StretchKind.SAME and not self.is_full
        lefts = self._cell(self.sessions.left, row.left, left, column, _LEFT_ROLE)
        rights = self._cell(self.sessions.right, row.right, [] if is_same else right, column, _RIGHT_ROLE)
        for number in range(max(len(lefts), len(rights))):
            line = lefts[number] if number < len(lefts) else []
            other = rights[number] if number < len(rights) else []
            sign = self._sign(kind) if not number else " "
            blanks = " " * (column - spans_width(line))
            yield clip([Span(" "), *line, Span(f"{blanks} "), Span(sign, Role.MUTED), Span("  "), *other], self.cells)

    def _below(self, row: ComparedRow) -> Iterator[Spans]:
        left, right = self._texts(row)
        is_same = self.kind_of(row) is StretchKind.SAME
        lead = Span(f" {self._sign(self.kind_of(row))} ", Role.MUTED)
        cells = self.cells - 6
        if row.left != NONE:
            letter = Span(f"{LEFT} ", _LEFT_ROLE)
            for number, line in enumerate(self._cell(self.sessions.left, row.left, left, cells, _LEFT_ROLE)):
                yield [*((lead, letter) if not number else (Span("     "),)), *line]
        if row.right != NONE and not is_same:
            letter = Span(f"{RIGHT} ", _RIGHT_ROLE)
            first = lead if row.left == NONE else Span("   ")
            for number, line in enumerate(self._cell(self.sessions.right, row.right, right, cells, _RIGHT_ROLE)):
                yield [*((first, letter) if not number else (Span("     "),)), *line]

    def _sign(self, kind: StretchKind) -> str:
        match kind:
            case StretchKind.SAME:
                return "="
            case StretchKind.ALIKE:
                return "~"
            case StretchKind.APART:
                return " "

    def _texts(self, row: ComparedRow) -> tuple[Spans, Spans]:
        """Return the texts of a row; of two that are alike, the words that differ are bold."""
        left, right = self._text(self.sessions.left, row.left), self._text(self.sessions.right, row.right)
        if self.kind_of(row) is StretchKind.SAME:
            return [Span(left, Role.MUTED)], [Span(right, Role.MUTED)]
        if self.kind_of(row) is StretchKind.APART:
            return [Span(left)], [Span(right)]
        return word_changes(left, right)

    def _text(self, side: ComparedSide, place: int) -> str:
        if place == NONE:
            return ""
        text = passage_text(side.texts, side.side.passages[place])
        if self.is_full:
            return sanitize(text).strip("\n")
        return one_line(text[:_MAX_CHARS]) + (self.signs.ellipsis if len(text) > _MAX_CHARS else "")

    def _cell(self, side: ComparedSide, place: int, text: Spans, cells: int, role: Role) -> list[Spans]:
        """Return a text of one side behind its label, in a few lines."""
        if place == NONE:
            return []
        passage = side.side.passages[place]
        label = passage_label(side, passage)
        named = f"{label.name} ({label.lane}) " if label.lane else f"{label.name} "
        named = cut(named, max(4, cells // 2), f"{self.signs.ellipsis} ")
        face = BOLD if place == side.side.answer or passage.kind is PassageKind.PROMPT else 0
        lines: list[Spans] = []
        for line in wrap_spans([Span(named, role, face), *text], cells):
            if len(lines) == MAX_ROW_LINES and not self.is_full:
                lines[-1] = [*clip(lines[-1], cells - 2), Span(f" {self.signs.ellipsis}", Role.MUTED)]
                break
            lines.append(line)
        return lines


def _at(places: Sequence[int], at: int) -> int:
    return places[at] if at < len(places) else NONE
