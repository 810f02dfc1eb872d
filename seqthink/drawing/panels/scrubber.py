"""The time line: when thoughts arrived, from the first to the newest, with landmarks above.

See docs/screens.md, "The time line". Its axis is the journal's own time, with long pauses compressed. Where several
thoughts fall into one cell, the most important landmark is shown.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from itertools import groupby, zip_longest
from typing import NamedTuple

from seqthink.chain.attention import Attention, Standing, ending_of
from seqthink.chain.model import Landmark
from seqthink.chain.overview.states import STATES, ShownState, shown_state
from seqthink.chain.session import Session
from seqthink.core.events import WriterState
from seqthink.core.text import first_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.lanes import lane_name, lane_role
from seqthink.drawing.describe.marks import audit_mark, estimate_mark, retraction_mark
from seqthink.drawing.panels.time_axis import CellThoughts, TimeAxis
from seqthink.drawing.text.cells import cut_name
from seqthink.drawing.text.glyphs import DOWN, RIGHT, UP, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width

LEFT_CELLS, RIGHT_CELLS = 12, 12
"""Cells left and right of the bar on a screen that is not narrow: times and "live"."""
_MAX_NAME_CELLS = 16
"""Width of a branch's name above the bar."""
MAX_NAMED_BRANCHES = 4
"""With more branches, they are counted above the bar instead of named."""
MIN_BORDERED_CHAIN_CELLS = 4
"""If a chain has fewer cells than this on average, no lines are drawn between chains: they would hide the bar."""
SHOWN_LANDMARKS = (
    Landmark.REFUSAL, Landmark.REVISION, Landmark.VERDICT, Landmark.BRANCH, Landmark.ESTIMATE_CHANGE,
    Landmark.RETRACTION,
)  # fmt: skip
"""The landmarks above the bar, the most important first."""
_IDLE = frozenset({ShownState.THINKING, ShownState.WAITING})
"""States in which nothing is known to happen in a pause."""
_ONE_LEVEL, _ROW_LEVELS = 2, 6
"""The height of a cell in which one thought arrived; how many heights there are from there on."""


def time_axis(whole: Session, cells: int) -> TimeAxis:
    """Return the axis on a line of ``cells`` cells, to the newest line of the journal that shows."""
    left, right = (2, 2) if cells < NARROW_BELOW_CELLS else (LEFT_CELLS, RIGHT_CELLS)
    length = whole.thought_count
    trailing = whole.positions.time_at(whole.entry_count) - whole.thoughts.time_of(length - 1) if length else 0
    return TimeAxis(whole.thoughts.arrivals, left, max(1, cells - left - right), trailing)


def scrubber_lines(
    shown: Session,
    whole: Session,
    axis: TimeAxis,
    cells: int,
    *,
    signs: Signs,
    zone: tzinfo = UTC,
    is_live: bool = False,
) -> list[Spans]:
    """Return two lines: the landmarks, and the bar with its playhead where ``shown`` ends within ``whole``."""
    length = whole.thought_count
    if not length:
        return [[], []]
    arrived = axis.arrivals_by_cell()
    is_narrow = cells < NARROW_BELOW_CELLS
    played = _bar_spans(shown, whole, axis, arrived, signs)
    marks = _LandmarkLine(whole, axis, signs, has_words=not is_narrow).spans(arrived)
    if is_narrow:
        return [[Span(" " * axis.left), *marks], [Span(" " * axis.left), *played]]
    first, newest = whole.thoughts.time_of(0), whole.positions.time_at(whole.entry_count)
    start, end = (units.clock(time, zone) for time in (first, newest))
    label = Span(f"  {'live' if is_live else '':<10}", Role.GOOD)
    return [[Span(f"  {start:<10}", Role.MUTED), *marks], [label, *played, Span(f"  {end}", Role.MUTED)]]


def _bar_spans(shown: Session, whole: Session, axis: TimeAxis, arrived: Sequence[CellThoughts], signs: Signs) -> Spans:
    """Return the bar: how much arrived when, named pauses, the playhead; a thin line where another chain starts."""
    is_at_end = shown.entry_count >= whole.entry_count
    head = axis.cells - 1 if is_at_end else axis.column_of(max(0, shown.thought_count - 1)) - axis.left
    texts = [signs.levels[0]] * axis.cells
    roles = [Role.ACCENT] * head + [Role.LINE] * (axis.cells - head)
    most = max((stop - first for _, first, stop in arrived), default=1)
    for cell, first, stop in arrived:
        texts[cell] = signs.levels[_level(stop - first, most)]
    for pause in axis.pauses:
        room = pause.stop - pause.first
        name, role = _pause_name(whole.at(pause.entry), units.rough(pause.duration), room, signs)
        texts[pause.first : pause.stop] = f"{name:^{room}}"
        roles[pause.first : pause.stop] = [role] * room
    if whole.chain_count * MIN_BORDERED_CHAIN_CELLS <= axis.cells:
        for chain in range(1, whole.chain_count):
            start = axis.column_of(whole.chains.thoughts_of(chain)[0]) - axis.left
            texts[start], roles[start] = signs.box[UP | DOWN], Role.LINE
    texts[head], roles[head] = signs.playhead, Role.ACCENT
    cells = [Span(text, role) for text, role in zip(texts, roles, strict=True)]
    return [Span("".join(span.text for span in run), role) for role, run in groupby(cells, key=lambda span: span.role)]


def _pause_name(before: Session, took: str, room: int, signs: Signs) -> tuple[str, Role]:
    """Return what a session did in a pause that has ``room`` cells, and for how long, and its colour."""
    ending = ending_of(before.with_writer(WriterState.ALIVE), 0)  # how it ended was not known then
    doing = shown_state(Standing(Attention.THINKING, doing=ending.doing))
    state = ShownState.ASKING if ending.question is not None else doing
    row = STATES[state]
    word = "idle" if state in _IDLE else row.word
    is_asking = state is ShownState.ASKING
    # without room for the word its sign says that the user was waited for
    brief = [f"{getattr(signs, row.sign)} {took}"] if is_asking else []
    names = [f" {word} {took} ", f"{word} {took}", *brief, took]
    return next((name for name in names if len(name) <= room), ""), Role(row.role) if is_asking else Role.MUTED


def _level(count: int, most: int) -> int:
    """Return the height of a cell in which ``count`` thoughts arrived, where the fullest has ``most``."""
    return _ONE_LEVEL + (count - 1) * (_ROW_LEVELS - 1) // (max(most, _ROW_LEVELS) - 1)


class _Label(NamedTuple):
    """The mark above a cell."""

    cell: int
    spans: Spans
    branches: int
    """How many branches opened there, if they are counted."""
    count_at: int
    """Which of the spans counts them, if one does."""
    is_revision: bool
    """Whether a revision or a refusal is marked: a branch's name before it gives way to its sign."""


class _LandmarkLine:
    """The line of landmarks above the bar."""

    def __init__(self, whole: Session, axis: TimeAxis, signs: Signs, *, has_words: bool) -> None:
        self._whole = whole
        self._axis = axis
        self._signs = signs
        self._has_words = has_words
        length = whole.thought_count
        self._kinds = [kind for kind in SHOWN_LANDMARKS if whole.landmarks.between(kind, 0, length)]
        self._branches = len(whole.landmarks.between(Landmark.BRANCH, 0, length))
        self._counts_branches = self._branches > MAX_NAMED_BRANCHES

    def spans(self, arrived: Sequence[CellThoughts]) -> Spans:
        """Return the line, from the first cell of the bar."""
        spans: Spans = []
        blank = [Span(" ")] if self._has_words else []
        taken, count_at, count = 0, -1, 0
        labels = list(self._labels(arrived))
        for label, following in zip_longest(labels, labels[1:]):
            stop = following.cell - len(blank) if following is not None and following.is_revision else None
            shown, start = self._fitting(label, taken, stop)
            if shown:
                spans.append(Span(" " * (start - taken)))
                if label.branches and label.count_at < len(shown):
                    count_at, count = len(spans) + label.count_at, 0
                spans += [*shown, *blank]
                taken = start + spans_width(shown) + len(blank)
            if label.branches and count_at >= 0:
                # Branches without room of their own are counted with those before.
                count += label.branches
                spans[count_at] = self._count_span(count)
        return spans

    def _fitting(self, label: _Label, taken: int, stop: int | None) -> tuple[Spans, int]:
        """Return the label and its first cell behind ``taken``; without room for it, its most important sign, or [].

        If a branch's name would reach beyond ``stop``, the branch has its sign alone.
        """
        forms = [label.spans, label.spans[:1]]
        if stop is not None and label.cell + spans_width(label.spans) > stop:
            forms[0] = [Span(span.text[0], span.role) if self._is_named_branch(span) else span for span in label.spans]
        for shown in forms:
            start = min(label.cell, self._axis.cells - spans_width(shown))
            if start >= taken:
                return shown, start
        return [], taken

    def _is_named_branch(self, span: Span) -> bool:
        return span.text.startswith(f"{self._signs.box[UP | DOWN | RIGHT]} ")

    def _count_span(self, branches: int) -> Span:
        sign = self._signs.box[UP | DOWN | RIGHT]
        return Span(f"{sign}{branches}".ljust(1 + len(str(self._branches))), Role.MUTED)

    def _labels(self, arrived: Sequence[CellThoughts]) -> Iterator[_Label]:
        """Yield a label for each cell that has a landmark."""
        for cell, first, stop in arrived:
            label, count_at = self._label(first, stop)
            if label:
                branches = self._branches_between(first, stop) if self._counts_branches else 0
                yield _Label(cell, label, branches, count_at, self._has_revision(first, stop))

    def _has_revision(self, first: int, stop: int) -> bool:
        kinds = (Landmark.REVISION, Landmark.REFUSAL)
        return any(self._whole.landmarks.between(kind, first, stop) for kind in kinds)

    def _branches_between(self, first: int, stop: int) -> int:
        return len(self._whole.landmarks.between(Landmark.BRANCH, first, stop))

    def _label(self, first: int, stop: int) -> tuple[Spans, int]:
        """Return the label of a cell, and at which of its spans branches are counted."""
        label: Spans = []
        count_at = 0
        for kind in self._kinds:
            found = self._whole.landmarks.between(kind, first, stop)
            if not found:
                continue
            is_count = kind is Landmark.BRANCH and self._counts_branches
            span = (
                self._count_span(len(found))
                if is_count
                else landmark_sign(self._whole, kind, found[-1], self._signs, has_words=self._has_words)
            )
            if span is not None and not self._has_words:
                return [span], 0 if is_count else 1
            if span is not None:
                label += [Span(" "), span] if label and kind is not Landmark.VERDICT else [span]
            count_at = len(label) - 1 if is_count else count_at
        return label[:3], count_at if self._counts_branches else 0


def landmark_sign(whole: Session, kind: Landmark, ordinal: int, signs: Signs, *, has_words: bool) -> Span | None:
    """Return the sign of a landmark, with words or alone; None for one that the bar itself shows."""
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
        case Landmark.RETRACTION:
            return retraction_mark(signs)
        case Landmark.CHAIN | Landmark.END:
            return None  # shown by the bar itself
    return mark if has_words or mark is None else Span(mark.text[0], mark.role)


def _branch_sign(whole: Session, index: int, signs: Signs) -> Span:
    lane = whole.lanes.get(whole.thoughts.lane_of(max(0, index)))
    name = cut_name(first_line(lane_name(whole, lane)), _MAX_NAME_CELLS, signs.ellipsis)
    return Span(f"{signs.box[UP | DOWN | RIGHT]} {name}", lane_role(lane))
