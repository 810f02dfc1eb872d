"""Draws rows of the tree or timeline as spans, for terminal and pipe alike.

The cost of a row does not depend on the chain's length.
"""

import sys
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, tzinfo

from msgspec import Struct, field
from msgspec.structs import replace

from seqthink.chain.model import NONE, AsideKind, Lane, NativeKind, Thought
from seqthink.chain.session_texts import SessionTexts, text_that_titles
from seqthink.chain.state import STALE_SECONDS, State
from seqthink.core.text import first_line, first_line_and_rest
from seqthink.drawing.describe import units
from seqthink.drawing.describe.asides import RULES, actions_line, aside_line, aside_sign, failure_mark
from seqthink.drawing.describe.context_use import gauge_spans
from seqthink.drawing.describe.lanes import agent_silence, is_acting, lane_name, lane_progress, lane_role
from seqthink.drawing.describe.marks import retraction_mark, row_marks
from seqthink.drawing.describe.oddities import oddity_count
from seqthink.drawing.describe.thought import empty_text
from seqthink.drawing.rows.row_parts import RowParts, fit_row, text_cells_of
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.rows.tree_gutter import TreeGutter
from seqthink.drawing.text.cells import cut_name, width
from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UNICODE, Signs, comment_sign
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell, blanks
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS, NARROW_BELOW_CELLS, WIDE_FROM_CELLS, RowLayout, row_layout
from seqthink.drawing.text.spans import Role, Span, Spans, clip
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.timeline.timeline_gutter import TimelineGutter
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.drawing.tree.row_source import RowKind, RowSource, TreeRow
from seqthink.drawing.tree.tree import Tree

MAX_NAME_CELLS = 24
"""Width of a branch's name before a text."""
MIN_SILENT_SECONDS = 3
"""A subagent that said something within this time is thinking."""
PAGE_ACTION_CELLS = 92
"""Cells that a command may make a row of a page: the page cuts rows itself, and what is behind it should show."""
MAX_FRAMES = 64
"""How many chains' frames are cached."""
# looked up once: a member of an enum takes as long as a cell
_MUTED = Role.MUTED
_TEXT = Role.TEXT
_ACCENT = Role.ACCENT
_GOOD = Role.GOOD
_REVISION = Role.REVISION
_THOUGHT_SIGN = CellSign.THOUGHT
_REVISION_SIGN = CellSign.REVISION
_ARROW_STUB = CellSign.ARROW_STUB
_THOUGHT = RowKind.THOUGHT
_CHAIN = RowKind.CHAIN
_BRANCH = RowKind.BRANCH


class ChainFrame(Struct, frozen=True):
    """What the rows of one chain share within a frame."""

    layout: RowLayout
    """The layout of the rows."""
    gutter: TreeGutter | TimelineGutter
    """Draws the part left of the row's sign."""


class Painter(Struct, frozen=True, kw_only=True):
    """Draws rows of one tree or timeline at one width; create a new one for each frame."""

    tree: RowSource
    """The rows to draw."""
    texts: SessionTexts
    """The texts; the first line of a thought's is shown."""
    width: int
    """Cells of a row."""
    screen_width: int
    """Cells of the whole screen."""
    signs: Signs = UNICODE
    selected: int = NONE
    """The selected row, or NONE."""
    marked: Collection[int] = ()
    """Thoughts that the user marked."""
    commented: Mapping[int, Role] = {}
    """Thoughts that somebody commented on, and the colour of their sign."""
    odd: Collection[int] | None = None
    """Thoughts with an oddity; None to ask of each row, which costs more for all rows."""
    has_arrows: bool = True
    """Whether revision arrows are drawn; without them a single row makes sense on its own."""
    zone: tzinfo = UTC
    """The time zone of displayed times."""
    now: int | None = None
    """The current time in microseconds since 1970, for how long a subagent has been silent; None to leave that out."""
    most_action_cells: int = sys.maxsize
    """Cells that the words of a row of what was done fill at most."""
    frames: dict[tuple[int, int], ChainFrame] = field(default_factory=dict[tuple[int, int], ChainFrame])
    """Cache by tree version and chain."""

    def draw_rows(self, first: int, last: int) -> Iterator[Spans]:
        """Yield the existing rows from ``first`` up to, not including, ``last``."""
        for number in range(max(0, first), min(last, self.tree.count)):
            yield self.draw_row(number)

    def draw_row(self, number: int) -> Spans:
        """Return an existing row in exactly ``width`` cells."""
        row = self.tree.row(number)
        if row.kind is _CHAIN and self._is_chain_open(row.chain):
            return self._rule(row, is_selected=number == self.selected)
        return fit_row(*self.parts_of(row, number), self.signs)

    def parts(self, number: int) -> tuple[RowParts, RowLayout]:
        """Return the parts of a row, and its layout. The rule above an open chain has no parts."""
        return self.parts_of(self.tree.row(number), number)

    def parts_of(self, row: TreeRow, number: int) -> tuple[RowParts, RowLayout]:
        """Return the same of ``row``, which is row ``number``."""
        cursor = self._cursor(row, number)
        if row.kind is _CHAIN:
            return self._folded_chain(row, cursor)
        if row.chain == NONE:
            layout = row_layout(self.width, screen_width=self.screen_width, tracks=0, digits=0)
            return self._aside(row, layout, [cursor, *blanks(layout.indent)], []), layout
        frame = self.frame(row.chain)
        left = [cursor, *blanks(frame.layout.indent), *frame.gutter.left_of(row, number)]
        return self._row_parts(row, frame.layout, left, frame.gutter.right_of(row)), frame.layout

    @property
    def indent(self) -> int:
        """How many cells are blank at the left of every row that is not selected."""
        return 1 + row_layout(self.width, screen_width=self.screen_width, tracks=0, digits=0).indent

    def chain_words(self, chain: int) -> tuple[str, str]:
        """Return the words in the rule above an open chain: its number; what is odd, and when it began."""
        session = self.tree.session
        first = session.chains.thoughts_of(chain)[0]
        odd = oddity_count(self.texts.health.at(session), chain, self.signs)
        clock = units.clock(session.thoughts.time_of(first), self.zone, seconds=False)
        return f"{chain + 1}", f" {self.signs.separator} ".join([*(span.text for span in odd), clock])

    def _is_chain_open(self, chain: int) -> bool:
        return self.tree.foldable is None or self.tree.foldable.is_chain_open(chain)

    def _is_folded(self, lane: int) -> bool:
        return self.tree.foldable is not None and self.tree.foldable.is_folded(lane)

    def _cursor(self, row: TreeRow, number: int) -> GutterCell:
        if self.commented and row.kind is _THOUGHT and row.ordinal in self.commented:
            return GutterCell(role=self.commented[row.ordinal], text=comment_sign(self.signs))
        if self.marked and row.kind is _THOUGHT and row.ordinal in self.marked:
            return GutterCell(role=_ACCENT, sign=CellSign.MARKED)
        return GutterCell(role=_ACCENT, sign=CellSign.CURSOR) if number == self.selected else GutterCell()

    def frame(self, chain: int) -> ChainFrame:
        """Return what the rows of a chain share."""
        key = (self.tree.version, chain)
        if key not in self.frames:
            if len(self.frames) >= MAX_FRAMES:
                self.frames.clear()  # one painter may draw thousands of chains into a pipe
            self.frames[key] = self._new_frame(chain)
        return self.frames[key]

    def _new_frame(self, chain: int) -> ChainFrame:
        tree = self.tree
        selected = tree.row(self.selected).thought if 0 <= self.selected < tree.count else NONE
        if isinstance(tree, Timeline):
            layout = self._layout(tree.tracks_used(chain), tree.digits(chain), tree.lanes_used(chain))
            return ChainFrame(layout, TimelineGutter(tree, chain, layout, selected))
        assert isinstance(tree, Tree | FilteredTree), "rows that are not in order of arrival are in tree order"
        rows = tree.rows_of(chain)
        layout = self._layout(rows.tracks.tracks_used(tree.session), rows.digits(tree.session))
        return ChainFrame(layout, TreeGutter(tree, chain, layout, selected))

    def _layout(self, tracks: int, digits: int, lanes: int = 0) -> RowLayout:
        tracks = tracks if self.has_arrows else 0
        return row_layout(self.width, screen_width=self.screen_width, tracks=tracks, digits=digits, lanes=lanes)

    def _row_parts(self, row: TreeRow, layout: RowLayout, left: list[GutterCell], right: list[GutterCell]) -> RowParts:
        match row.kind:
            case RowKind.THOUGHT:
                return self._thought(row, layout, left, right)
            case RowKind.BRANCH:
                return self._branch(row, left)
            case RowKind.EXPECTED:
                return self._expected(row, layout, left)
            case RowKind.GAP:
                missing = self.tree.session.thoughts.skipped_count_of(row.ordinal)
                return RowParts(cells=left, text=Span(f"{self.signs.missing} {missing} missing", _MUTED))
            case _:
                return self._aside(row, layout, left, right)

    def _thought(self, row: TreeRow, layout: RowLayout, left: list[GutterCell], right: list[GutterCell]) -> RowParts:
        session = self.tree.session
        thought = session.thoughts.get(row.ordinal)
        index = thought.index
        shown_number = thought.number or thought.place_in_turn or ""
        number = Span(f" {shown_number:>{layout.digits}}{' ' * layout.gap}", _MUTED)
        is_revised = session.thoughts.reviser_of(index) != NONE
        took = session.thoughts.duration_of(index)
        cells = [*left, self._sign(thought), *right]
        text, rest = first_line_and_rest(self.texts.row_text(index), self.signs.separator, cells=layout.width)
        marks = row_marks(
            session,
            thought,
            self.signs,
            is_odd=self.is_odd(index),
            max_marks=layout.marks,
            has_words=layout.has_words,
            has_arrow=layout.has_words or all(cell.sign is not _ARROW_STUB for cell in left),
        )
        return RowParts(
            cells=cells,
            label=[number, *self._run_name(thought, layout, len(cells) + width(number.text))]
            if self.tree.is_by_arrival
            else [number],
            text=Span(
                text or empty_text(thought, is_final=self._is_final(thought)),
                self._text_role(thought, is_revised=is_revised),
            ),
            rest=rest,
            mark_groups=tuple([[mark] for mark in marks.marks]),
            revision_marks=tuple([[mark] for mark in marks.revisions]),
            duration=units.duration(took) if took else "",
        )

    def is_like_its_lane(self, row: TreeRow) -> bool:
        """Return whether a row of a tree looks as all such rows of its lane but for its number, text and duration.

        It is a thought about which nothing is marked but that it is odd, which is another look, with others of its lane
        above and below it. What costs time to know counts as marked.
        """
        has_signs = self.marked or self.commented or self.selected != NONE
        if row.kind is not _THOUGHT or self.tree.is_by_arrival or has_signs:
            return False
        session, index = self.tree.session, row.ordinal
        place = session.thoughts.index_in_lane(index)
        return (
            0 < place < session.lanes.length_of(row.lane) - 1
            and session.thoughts.is_plain(index)
            and session.lanes.newest_branch_from(index) == NONE
            and session.asides.first_after(index) == NONE
            and not session.native.is_left_behind(index)
            and not self._has_own_arrows(row)
        )

    def _has_own_arrows(self, row: TreeRow) -> bool:
        gutter = self.frame(row.chain).gutter
        return not isinstance(gutter, TreeGutter) or gutter.has_own_arrows(row.lane)

    def is_odd(self, index: int) -> bool:
        """Return whether a thought has an oddity."""
        if self.odd is not None:
            return index in self.odd
        return bool(self.texts.health.at(self.tree.session).oddities_at(index))

    def _is_final(self, thought: Thought) -> bool:
        return self.tree.session.thoughts.is_final(thought.index)

    def _text_role(self, thought: Thought, *, is_revised: bool) -> Role:
        """Return the colour of a thought's text: quieter for what was revised or left behind, and beside calls said."""
        native = self.tree.session.native
        if is_revised or native.is_left_behind(thought.index):
            return _MUTED
        if thought.native is NativeKind.REMARK and native.call_count:
            return _MUTED
        return _ACCENT if thought.native is NativeKind.PROMPT else _TEXT

    def _run_name(self, thought: Thought, layout: RowLayout, left: int) -> Spans:
        """Return the branch's name where a timeline switches to it from another lane, as far as there is room.

        ``left`` is how many cells the row has before it.
        """
        session, index = self.tree.session, thought.index
        lane = session.lanes.get(thought.lane)
        if lane.is_trunk or (index and session.thoughts.lane_of(index - 1) == lane.ordinal):
            return []
        room = layout.width - layout.margin - left - MIN_TEXT_CELLS - 2
        name = cut_name(first_line(lane_name(session, lane)) or "?", min(MAX_NAME_CELLS, room), self.signs.ellipsis)
        return [Span(name + ": ", lane_role(lane))] if name else []

    def _sign(self, thought: Thought) -> GutterCell:
        session = self.tree.session
        if thought.native is not None or session.native.is_left_behind(thought.index):
            return self._quiet_sign(thought)
        if thought.is_revision:
            return GutterCell(role=_REVISION, sign=_REVISION_SIGN)
        if session.thoughts.is_final(thought.index):
            return GutterCell(role=_GOOD, sign=CellSign.FINAL)
        if thought.index == session.thought_count - 1 and session.chain_state(thought.chain) is State.THINKING:
            return GutterCell(role=_ACCENT, sign=_THOUGHT_SIGN)
        lane = session.lanes.get(thought.lane)
        if thought.index == session.lanes.newest_in(thought.lane) and agent_silence(session, lane) is not None:
            return GutterCell(role=_ACCENT, sign=_THOUGHT_SIGN)
        return GutterCell(role=_TEXT if lane.is_trunk else lane_role(lane), sign=_THOUGHT_SIGN)

    def _quiet_sign(self, thought: Thought) -> GutterCell:
        """Return the sign of native reasoning, or of a thought that was left behind."""
        session = self.tree.session
        match thought.native:
            case NativeKind.PROMPT:
                sign, role = CellSign.PROMPT, _ACCENT
            case NativeKind.REASONING:
                lane = session.lanes.get(thought.lane)
                sign, role = CellSign.REASONING, _MUTED if lane.is_trunk else lane_role(lane)
            case NativeKind.REMARK:
                lane = session.lanes.get(thought.lane)
                sign, role = CellSign.REMARK, _MUTED if lane.is_trunk else lane_role(lane)
            case NativeKind.ANSWER:
                is_final = session.thoughts.is_final(thought.index)
                sign, role = (CellSign.FINAL, _GOOD) if is_final else (CellSign.STOPPED, _MUTED)
            case None:
                sign = _REVISION_SIGN if thought.is_revision else _THOUGHT_SIGN
                role = _MUTED
        return GutterCell(role=_MUTED if session.native.is_left_behind(thought.index) else role, sign=sign)

    def _branch(self, row: TreeRow, left: list[GutterCell]) -> RowParts:
        session, signs = self.tree.session, self.signs
        lane = session.lanes.get(row.lane)
        role, is_folded = lane_role(lane), self._is_folded(row.lane)
        gutter = self.frame(row.chain).gutter
        has_corner = not is_folded and isinstance(gutter, TreeGutter) and gutter.has_column(lane)
        corner = [GutterCell(LEFT | DOWN, role)] if has_corner else []
        name = first_line(lane_name(session, lane)) or "?"
        groups: list[Spans] = [[Span(lane_progress(session, row.lane), _MUTED)]]
        if lane.is_root and (context := gauge_spans(session, signs, lane.agent)):
            groups.append(context[-1:])
        if lane.origin == NONE and not lane.is_root:
            groups.insert(0, [Span(_no_fork(lane), _MUTED)])
        silent_since = agent_silence(session, lane) if self.now is not None else None
        if silent_since is not None:
            groups.insert(0, [self._silence(silent_since, acts=is_acting(session, lane))])
        if is_folded:
            name = cut_name(name, MAX_NAME_CELLS, signs.ellipsis) + "  "
        shown = sparkline(session, row.lane, signs) if is_folded else []
        return RowParts(
            cells=left + corner,
            label=[Span(" ", role), *([Span(name, role), *shown] if is_folded else [])],
            text=self._folded_text(lane, is_running=silent_since is not None) if is_folded else Span(name, role),
            mark_groups=tuple(groups),
            duration=""
            if session.thoughts.duration_of(session.lanes.newest_in(row.lane)) is None
            else units.duration(session.lanes.duration_of(row.lane)),
        )

    def _folded_text(self, lane: Lane, *, is_running: bool) -> Span:
        """Return what a subagent at work thinks now, behind its folded lane; nothing for any other lane."""
        newest = self.tree.session.lanes.newest_in(lane.ordinal)
        return Span(first_line(self.texts.row_text(newest)) if is_running else "", _MUTED)

    def _silence(self, since: int, *, acts: bool) -> Span:
        """Return what a subagent at work does, or how long it has been silent."""
        assert self.now is not None, "the time is known"
        seconds = (self.now - since) // 1_000_000
        age = f" {units.age(self.now, since)}" if seconds >= MIN_SILENT_SECONDS else ""
        if acts or not age:
            return Span(f"{'acting' if acts else 'thinking'}{age}", _ACCENT)
        return Span(f"silent{age}", _MUTED if seconds >= STALE_SECONDS else _ACCENT)

    def _expected(self, row: TreeRow, layout: RowLayout, left: list[GutterCell]) -> RowParts:
        newest = self.tree.session.thoughts.get(self.tree.session.lanes.leading_in(row.lane))
        first, last = newest.highest_number + 1, newest.estimate
        if first > last:
            label = "more"
        else:
            numbers = str(first) if first == last else f"{first}{self.signs.range_dash}{last}"
            label = f"{numbers:>{layout.digits}} expected"
        cells = [*left, GutterCell(role=_MUTED, sign=CellSign.EXPECTED)]
        return RowParts(cells=cells, label=[Span(" ", _MUTED)], text=Span(label, _MUTED))

    def _aside(self, row: TreeRow, layout: RowLayout, left: list[GutterCell], right: list[GutterCell]) -> RowParts:
        session = self.tree.session
        aside = session.asides.get(row.ordinal)
        kind = aside.kind
        mark = aside_sign(kind)
        cells = [*left, GutterCell(role=mark.role, sign=mark.sign), *right]
        marks: tuple[Spans, ...] = ([retraction_mark(self.signs)],) if aside.is_retraction else ()
        if kind is AsideKind.ACTIONS:
            return self._actions(row, layout, RowParts(cells=cells, text=Span("", mark.role), mark_groups=marks))
        line = aside_line(self.texts, session, row.ordinal, self.signs)
        is_main_line = kind is AsideKind.REMARK and not session.native.call_count
        if kind in RULES:
            rule = self.signs.rule
            passing = [GutterCell(LEFT | RIGHT, mark.role) if cell.is_blank else cell for cell in right]
            cells = [*left, GutterCell(role=mark.role, sign=mark.sign), *passing]
            return RowParts(cells=cells, label=[Span(f"{rule} ", mark.role)], text=Span(line, mark.role), fill=rule)
        role = _TEXT if is_main_line else mark.role
        return RowParts(cells=cells, label=[Span(" ")], text=Span(line, role), mark_groups=marks)

    def _actions(self, row: TreeRow, layout: RowLayout, parts: RowParts) -> RowParts:
        """Return the row of what was done, whose commands fill its first line."""
        session, signs = self.tree.session, self.signs
        parts = replace(parts, label=[Span(" ")], lasting_mark=failure_mark(session, row.ordinal, signs))
        room = min(text_cells_of(parts, layout)[0], self.most_action_cells)
        return replace(parts, text=Span(actions_line(self.texts, session, row.ordinal, signs, room), parts.text.role))

    def _rule(self, row: TreeRow, *, is_selected: bool) -> Spans:
        signs, (name, start) = self.signs, self.chain_words(row.chain)
        head, tail = f"{signs.rule * 2} {name} ", f" {start} {signs.rule * 2}"
        rule = signs.rule * max(0, self.width - width(head) - width(tail))
        if not is_selected:
            return clip([Span(head + rule + tail, Role.LINE)], self.width)
        return clip([Span(signs.selected, _ACCENT), Span(head[1:] + rule + tail, _ACCENT)], self.width)

    def _folded_chain(self, row: TreeRow, cursor: GutterCell) -> tuple[RowParts, RowLayout]:
        session = self.tree.session
        thoughts = session.chains.thoughts_of(row.chain)
        started, ended = session.thoughts.time_of(thoughts[0]), session.thoughts.time_of(thoughts[-1])
        is_done = session.chain_state(row.chain) is State.DONE
        role, sign = (_GOOD, CellSign.FINAL) if is_done else (_MUTED, CellSign.EXPECTED)
        has_duration = self.screen_width >= NARROW_BELOW_CELLS and len(thoughts) > 1
        took = units.duration(max(0, ended - started)) if has_duration else ""
        clock = "  " + units.clock(started, self.zone, seconds=False) if self.screen_width >= WIDE_FROM_CELLS else ""
        layout = row_layout(self.width, screen_width=self.screen_width, tracks=0, digits=0)
        text, rest = first_line_and_rest(text_that_titles(self.texts, row.chain), self.signs.separator)
        parts = RowParts(
            cells=[cursor, GutterCell(role=role, sign=sign)],
            label=[Span(" ", role)],
            text=Span(text, _TEXT),
            rest=rest,
            mark_groups=(
                sparkline(session, session.chains.lanes_of(row.chain)[0], self.signs),
                *([odd] if (odd := oddity_count(self.texts.health.at(session), row.chain, self.signs)) else ()),
            ),
            duration=f"{took:>{layout.duration}}{clock}",
        )
        return parts, layout


def whole_session_painter(
    texts: SessionTexts, *, width: int, signs: Signs = UNICODE, is_timeline: bool = False
) -> Painter:
    """Return a painter of all rows of a session, every chain open, for a page or pipe of ``width`` cells."""
    tree: RowSource = Timeline() if is_timeline else Tree()
    tree.sync(texts.session)
    if tree.foldable is not None:
        tree.foldable.open_all()
    # to gather them costs time for each chain
    has_few_chains = texts.session.chain_count <= MAX_FRAMES
    odd = frozenset(texts.health.at(texts.session).odd_thoughts()) if has_few_chains else None
    return Painter(tree=tree, texts=texts, width=width, screen_width=width, signs=signs, odd=odd)


def _no_fork(lane: Lane) -> str:
    """Return the mark of a branch without a known fork: the number that the call asked for."""
    if not lane.is_named:
        return "?"
    return f"from {lane.fork_number}?" if lane.fork_number else "from ?"
