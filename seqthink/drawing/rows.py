"""One row of the tree as text with roles; every column is counted here, and only here.

The terminal and the pipe draw the same spans. What a row costs does not depend on the chain's length.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct

from seqthink.chain.model import NONE, Thought
from seqthink.chain.state import State
from seqthink.drawing import gutter, words
from seqthink.drawing.cells import cut, width
from seqthink.drawing.glyphs import DOWN, LEFT, UNICODE, Signs
from seqthink.drawing.gutter import Overlay, lane_role
from seqthink.drawing.layout import LEAST_TEXT, Layout, layout
from seqthink.drawing.marks import row_marks
from seqthink.drawing.shape import shape
from seqthink.drawing.spans import Role, Span, Spans, spans_width, spread
from seqthink.drawing.tree import Row, RowKind, Tree
from seqthink.text import SafeText, first_line

TextOf = Callable[[int], str]
"""Gives the text of a thought by its index."""


class Painter(Struct, frozen=True, kw_only=True):
    """Draws rows of one tree at one width; made anew for each frame.

    ``error_of`` gives the error of a refused call by its number. ``selected`` is the selected row, or NONE; ``screen`` is
    the width of the whole screen, of which the tree has ``width``.
    """

    tree: Tree
    text_of: TextOf
    error_of: TextOf
    width: int
    screen: int
    signs: Signs = UNICODE
    selected: int = NONE

    def lines(self, first: int, last: int) -> Iterator[Spans]:
        """Yield the rows from ``first`` up to and without ``last``, those that are there."""
        overlays: dict[int, Overlay | None] = {}
        for number in range(first, min(last, self.tree.count)):
            row = self.tree.row(number)
            if row.chain != NONE and row.chain not in overlays and self.tree.is_chain_open(row.chain):
                overlays[row.chain] = self._overlay(row.chain)
            yield self._line(row, number, overlays.get(row.chain))

    def line(self, number: int) -> Spans:
        """Return one row, which is there."""
        return next(self.lines(number, number + 1))

    def _line(self, row: Row, number: int, overlay: Overlay | None) -> Spans:
        cursor = Span(self.signs.selected, Role.ACCENT) if number == self.selected else Span(" ")
        match row.kind:
            case RowKind.CHAIN:
                return self._chain_row(row, cursor)
            case RowKind.REFUSED if row.chain == NONE:
                return self._fit([cursor], [Span(self.signs.refused + " ", Role.BAD)], self._error(row), [], "")
            case _:
                return self._row(row, number, overlay, cursor)

    def _row(self, row: Row, number: int, overlay: Overlay | None, cursor: Span) -> Spans:
        columns = self._columns(row.chain)
        selected = self.tree.row(self.selected).thought if 0 <= self.selected < self.tree.count else NONE
        left = [cursor, Span(" " * columns.indent)]
        left += gutter.arrows(self.tree, row, number, columns, self.signs, overlay, selected)
        left += gutter.lanes(self.tree, row, columns, self.signs)
        match row.kind:
            case RowKind.THOUGHT:
                return self._thought_row(row, columns, left)
            case RowKind.BRANCH:
                return self._branch_row(row, columns, left)
            case RowKind.GHOST:
                return self._ghost_row(row, columns, left)
            case RowKind.GAP:
                missing = self.tree.session.thought(row.ordinal).missing
                text = Span(f"{self.signs.missing} {missing} missing", Role.MUTED)
                return self._fit(left, [], text, [], "", columns)
            case _:
                node = Span(self.signs.refused + " ", Role.BAD)
                return self._fit(left, [node], self._error(row), [], "", columns)

    def _thought_row(self, row: Row, columns: Layout, left: Spans) -> Spans:
        session = self.tree.session
        thought = session.thought(row.ordinal)
        node = Span(*self._node(thought))
        number = Span(f" {thought.number:>{columns.digits}}{' ' * columns.gap}", Role.MUTED)
        is_revised = session.reviser_of(thought.index) != NONE
        text = Span(first_line(self.text_of(thought.index)), Role.MUTED if is_revised else Role.TEXT)
        marks = row_marks(session, thought, self.signs, most=columns.marks, has_words=columns.has_words)
        took = session.duration_of(thought.index)
        return self._fit(
            left,
            [node, number],
            text,
            marks,
            words.duration(took) if took is not None else "",
            columns,
            f" (revises {thought.revises})" if thought.revises and columns.has_words else "",
        )

    def _node(self, thought: Thought) -> tuple[str, Role]:
        session = self.tree.session
        if thought.is_revision:
            return self.signs.revision, Role.REVISION
        if session.is_final(thought.index):
            return self.signs.final, Role.GOOD
        if thought.index == session.length - 1 and session.chain_state(thought.chain) is State.THINKING:
            return self.signs.thought, Role.ACCENT
        lane = session.lane(thought.lane)
        return self.signs.thought, Role.TEXT if lane.is_trunk else lane_role(session, lane)

    def _branch_row(self, row: Row, columns: Layout, left: Spans) -> Spans:
        session, signs = self.tree.session, self.signs
        lane = session.lane(row.lane)
        role = lane_role(session, lane)
        is_folded = self.tree.is_folded(row.lane)
        corner = " " if is_folded else signs.line(LEFT | DOWN) + " "
        name = Span(str(first_line(lane.name or "")) or "?", role)
        end = session.lane_end(row.lane)
        newest = session.thought(end)
        about = "~" if newest.peak < newest.total and not self._is_over(row.chain, end) else ""
        marks = [Span(f"{newest.peak} of {about}{newest.total}", Role.MUTED)]
        if lane.fork == NONE:
            marks = [Span(f"from {lane.fork_number}?" if lane.fork_number else "from ?", Role.WARN), Span(" "), *marks]
        took = words.duration(session.lane_duration(row.lane))
        if is_folded:
            named = Span(cut(name.text, 24, signs.cut) + "  ", role)
            return self._fit(
                left, [Span(corner, role), named, *shape(session, row.lane, signs)], Span(""), marks, took, columns
            )
        return self._fit(left, [Span(corner, role)], name, marks, took, columns)

    def _is_over(self, chain: int, newest: int) -> bool:
        session = self.tree.session
        return session.is_final(newest) or session.chain_state(chain) is State.DONE

    def _ghost_row(self, row: Row, columns: Layout, left: Spans) -> Spans:
        newest = self.tree.session.thought(self.tree.session.lane_end(row.lane))
        first, last = newest.peak + 1, newest.total
        if first > last:
            label = f" {self.signs.expected} more"
        else:
            numbers = str(first) if first == last else f"{first}{self.signs.to}{last}"
            label = f"{self.signs.expected} {numbers:>{columns.digits}} expected"
        return self._fit(left, [], Span(label.strip(), Role.MUTED), [], "", columns)

    def _error(self, row: Row) -> Span:
        return Span("refused: " + first_line(self.error_of(row.ordinal)), Role.BAD)

    def _chain_row(self, row: Row, cursor: Span) -> Spans:
        session, signs = self.tree.session, self.signs
        first, newest = session.chain_range(row.chain)[0], session.chain_range(row.chain)[-1]
        if self.tree.is_chain_open(row.chain):
            start = words.clock(session.time_of(first), seconds=False)
            head = f"{signs.rule * 2} {row.chain + 1} "
            tail = f" {start} {signs.rule * 2}"
            rule = signs.rule * max(0, self.width - width(head) - width(tail))
            role = Role.ACCENT if cursor.text.strip() else Role.LINE
            return [Span(head + rule + tail, role)]
        state = session.chain_state(row.chain)
        is_done = state is State.DONE
        node = Span((signs.final if is_done else signs.expected) + " ", Role.GOOD if is_done else Role.WARN)
        title = Span(first_line(self.text_of(first)), Role.TEXT)
        marks = shape(session, session.chain_lanes(row.chain)[0], signs)
        took = words.duration(max(0, session.time_of(newest) - session.time_of(first)))
        return self._fit([cursor], [node], title, marks, took)

    def _columns(self, chain: int) -> Layout:
        session = self.tree.session
        trunk, newest = session.lane_end(session.chain_lanes(chain)[0]), session.chain_range(chain)[-1]
        highest = max(session.thought(index).peak for index in {trunk, newest} - {NONE})
        tracks = self.tree.rows_of(chain).tracks.used(session)
        return layout(self.width, screen=self.screen, tracks=tracks, highest=highest)

    def _overlay(self, chain: int) -> Overlay | None:
        """Return the selected thought's arrow when it has no track that is drawn."""
        tree, session = self.tree, self.tree.session
        row = tree.row(self.selected) if 0 <= self.selected < tree.count else None
        if row is None or row.kind is not RowKind.THOUGHT or row.chain != chain:
            return None
        tracks, drawn = tree.rows_of(chain).tracks, self._columns(chain).tracks
        target, reviser = session.thought(row.ordinal).target, session.reviser_of(row.ordinal)
        arrow = (row.ordinal, target) if target != NONE else (reviser, row.ordinal)
        if NONE in arrow or 0 <= tracks.track_of(arrow[0]) < drawn:
            return None
        ends = sorted(tree.row_of_thought(index) for index in arrow)
        return Overlay(ends[0], ends[1], *arrow) if ends[0] != ends[1] else None

    def _fit(
        self,
        left: Spans,
        node: Spans,
        text: Span,
        marks: Spans,
        duration: str,
        columns: Layout | None = None,
        extra: str = "",
    ) -> Spans:
        """Return a row of exactly the width: what comes first is kept, the text is cut, marks stand at the right."""
        columns = columns or layout(self.width, screen=self.screen, tracks=0, highest=1)
        head = [*left, *node]
        room = self.width - columns.duration - columns.margin - spans_width(head)
        if not columns.duration or room < LEAST_TEXT:
            room, duration = self.width - columns.margin - spans_width(head), ""
        while marks and room - spans_width(marks) - 1 < LEAST_TEXT:
            marks = marks[:-2]
        free = room - (spans_width(marks) + 1 if marks else (1 if columns.duration else 0))
        shown = cut(text.text, free, self.signs.cut)
        body = [*head, Span(SafeText(shown), text.role)]
        if extra and shown == text.text and width(shown) + len(extra) <= free:
            body.append(Span(extra, Role.REVISION))
        right = marks
        if columns.duration:
            tail = f"{duration:>{columns.duration}}" + " " * columns.margin
            right = [*marks, Span(tail if room + columns.duration + spans_width(head) < self.width else "", Role.MUTED)]
        return spread(body, right, self.width)
