"""The scrubber: a bar from the first thought to the newest, with landmarks above it.

See docs/screens.md, "Wide" and "Replay". Its axis counts thoughts in order of arrival. Where several fall into one
cell, the most important landmark is shown.
"""

from collections.abc import Iterator
from datetime import UTC, tzinfo
from itertools import groupby
from typing import NamedTuple

from seqthink.chain.model import Landmark
from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.describe.lanes import lane_name, lane_role
from seqthink.drawing.describe.marks import audit_mark, estimate_mark
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import DOWN, RIGHT, UP, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width
from seqthink.text import first_line

LEFT_CELLS, RIGHT_CELLS = 12, 12
"""Cells left and right of the bar on a screen that is not narrow: times and "live"."""
_MAX_NAME_CELLS = 16
"""Width of a branch's name above the bar."""
MIN_BORDERED_CHAIN_CELLS = 4
"""If a chain has fewer cells than this on average, no lines are drawn between chains: they would hide the bar."""
_SHOWN_LANDMARKS = (Landmark.REFUSAL, Landmark.REVISION, Landmark.VERDICT, Landmark.BRANCH, Landmark.ESTIMATE_CHANGE)


class ScrubberBar(NamedTuple):
    """Position of the bar on its line."""

    left: int
    """Cells before the bar."""
    cells: int
    """Width of the bar."""

    def column_of(self, index: int, length: int) -> int:
        """Return the column of the thought ``index`` of ``length``."""
        return self.left + (round(index * (self.cells - 1) / (length - 1)) if length > 1 else self.cells - 1)

    def index_at(self, column: int, length: int) -> int:
        """Return the thought of ``length`` that is nearest to a column."""
        if self.cells < 2:
            return length - 1
        cell = min(max(0, column - self.left), self.cells - 1)
        return round(cell * (length - 1) / (self.cells - 1))


def scrubber_bar(cells: int) -> ScrubberBar:
    """Return the bar's position on a line of ``cells`` cells."""
    if cells < NARROW_BELOW_CELLS:
        return ScrubberBar(2, max(1, cells - 4))
    return ScrubberBar(LEFT_CELLS, max(1, cells - LEFT_CELLS - RIGHT_CELLS))


def scrubber_lines(
    shown: Session,
    whole: Session,
    cells: int,
    *,
    end_time: int,
    signs: Signs,
    zone: tzinfo = UTC,
    is_live: bool = False,
) -> list[Spans]:
    """Return two lines: the landmarks, and the bar with its playhead where ``shown`` ends within ``whole``.

    ``end_time`` is the time at the end of the bar, in microseconds: now, or the session's last event.
    """
    bar, length = scrubber_bar(cells), whole.thought_count
    if not length:
        return [[], []]
    played = _bar_spans(shown, whole, bar, signs)
    marks = _landmark_spans(whole, bar, signs, has_words=cells >= NARROW_BELOW_CELLS)
    if cells < NARROW_BELOW_CELLS:
        return [[Span(" " * bar.left), *marks], [Span(" " * bar.left), *played]]
    start, end = (
        units.clock(time, zone)
        for time in (whole.thoughts.time_of(0), max(end_time, whole.thoughts.time_of(length - 1)))
    )
    label = Span(f"  {'live' if is_live else '':<10}", Role.GOOD)
    return [[Span(f"  {start:<10}", Role.MUTED), *marks], [label, *played, Span(f"  {end}", Role.MUTED)]]


def _bar_spans(shown: Session, whole: Session, bar: ScrubberBar, signs: Signs) -> Spans:
    """Return the bar: the played part, the playhead, the rest; a thin line where another chain starts."""
    head = bar.column_of(max(0, shown.thought_count - 1), whole.thought_count) - bar.left
    cells = [Span(signs.played, Role.ACCENT)] * head
    cells += [Span(signs.playhead, Role.ACCENT), *[Span(signs.rule, Role.LINE)] * (bar.cells - head - 1)]
    if whole.chain_count * MIN_BORDERED_CHAIN_CELLS <= bar.cells:
        for chain in range(1, whole.chain_count):
            start = bar.column_of(whole.chains.thoughts_of(chain)[0], whole.thought_count) - bar.left
            if start != head:
                cells[start] = Span(signs.box_line(UP | DOWN), Role.LINE)
    return [Span("".join(span.text for span in run), role) for role, run in groupby(cells, key=lambda span: span.role)]


def _landmark_spans(whole: Session, bar: ScrubberBar, signs: Signs, *, has_words: bool) -> Spans:
    spans: Spans = []
    taken = 0
    pending = sorted(_labels(whole, bar, signs, has_words=has_words), key=lambda label: label[0])
    for column, whole_label in pending:
        # Without room for the words, try the most important sign alone.
        for label in (whole_label, whole_label[:1]):
            cells = spans_width(label)
            start = min(column - bar.left, bar.cells - cells)
            if start >= taken:
                blank = [Span(" ")] if has_words else []
                spans += [Span(" " * (start - taken)), *label, *blank]
                taken = start + cells + len(blank)
                break
    return spans


def _labels(whole: Session, bar: ScrubberBar, signs: Signs, *, has_words: bool) -> Iterator[tuple[int, Spans]]:
    """Yield a label for each column that has a landmark."""
    length = whole.thought_count
    if length <= bar.cells:
        bounds = [(bar.column_of(index, length), index, index + 1) for index in range(length)]
    else:
        edges = [column * length // bar.cells for column in range(bar.cells + 1)]
        bounds = [(bar.left + column, edges[column], edges[column + 1]) for column in range(bar.cells)]
    kinds = [kind for kind in _SHOWN_LANDMARKS if whole.landmarks.between(kind, 0, length)]
    for column, first, stop in bounds:
        label = _label(whole, kinds, first, stop, signs, has_words=has_words)
        if label:
            yield column, label


def _label(whole: Session, kinds: list[Landmark], first: int, stop: int, signs: Signs, *, has_words: bool) -> Spans:
    label: Spans = []
    for kind in kinds:
        found = whole.landmarks.between(kind, first, stop)
        if not found:
            continue
        span = _sign(whole, kind, found[-1], signs, has_words=has_words)
        if span is not None and not has_words:
            return [span]
        if span is not None:
            label += [Span(" "), span] if label and kind is not Landmark.VERDICT else [span]
    return label[:3]


def _sign(whole: Session, kind: Landmark, ordinal: int, signs: Signs, *, has_words: bool) -> Span | None:
    index = whole.landmarks.thought_at(kind, ordinal)
    match kind:
        case Landmark.REFUSAL:
            return Span(signs.refused, Role.BAD)
        case Landmark.VERDICT:
            mark: Span | None = audit_mark(whole.landmarks.verdict(ordinal), signs)
        case Landmark.REVISION:
            return Span(signs.revision, Role.REVISION)
        case Landmark.BRANCH:
            mark = _branch_sign(whole, index, signs)
        case Landmark.ESTIMATE_CHANGE:
            mark = estimate_mark(whole.thoughts.get(index), signs)
            mark = mark if has_words or mark is None else Span(signs.changed, mark.role)
        case Landmark.CHAIN | Landmark.END:
            return None  # shown by the bar itself
    return mark if has_words or mark is None else Span(mark.text[0], mark.role)


def _branch_sign(whole: Session, index: int, signs: Signs) -> Span:
    lane = whole.lanes.get(whole.thoughts.lane_of(max(0, index)))
    name = cut(first_line(lane_name(whole, lane)), _MAX_NAME_CELLS, signs.ellipsis)
    return Span(f"{signs.box_line(UP | DOWN | RIGHT)} {name}", lane_role(lane))
