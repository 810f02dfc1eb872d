"""The text pane: one thought in full, the facts of its call, and what it replaced (screens.md, (a) to (c), (h))."""

from collections.abc import Iterator
from datetime import UTC, tzinfo

from msgspec import Struct

from seqthink.chain.model import NONE, Thought
from seqthink.chain.session import Session
from seqthink.drawing import words
from seqthink.drawing.cells import cut, width
from seqthink.drawing.glyphs import UNICODE, Signs
from seqthink.drawing.gutter import lane_role
from seqthink.drawing.rows import TextOf
from seqthink.drawing.spans import Role, Span, Spans, spans_width
from seqthink.drawing.wrap import wrap
from seqthink.text import first_line, sanitize, unescape_breaks


class Page(Struct, frozen=True, kw_only=True):
    """What the text pane shows of one thought, at one width."""

    session: Session
    text_of: TextOf
    index: int
    width: int
    signs: Signs = UNICODE
    zone: tzinfo = UTC
    is_active: bool = False

    def heading(self, right: str) -> Spans:
        """Return the rule above the text: which thought, what it revises, how long it took; ``right`` at its end."""
        session, signs = self.session, self.signs
        thought = session.thought(self.index)
        lane = session.lane(thought.lane)
        facts: Spans = [Span(str(thought.number), Role.ACCENT)]
        if not lane.is_trunk:
            facts.append(Span(str(first_line(lane.name or "")), lane_role(session, lane)))
        facts += [Span(fact, Role.MUTED) for fact in self._facts(thought)]
        left: Spans = []
        for fact in facts:
            left += [Span(f" {signs.separator} " if left else f"{signs.rule * 2} ", Role.LINE), fact]
        return rule(left, right, self.width, signs, Role.ACCENT if self.is_active else Role.LINE)

    def _facts(self, thought: Thought) -> Iterator[str]:
        session = self.session
        if thought.target != NONE:
            yield f"revises {session.number_of(thought.target)}"
        elif thought.revises:
            yield f"revises {thought.revises}?"
        reviser = session.reviser_of(thought.index)
        if reviser != NONE:
            yield f"revised by {session.number_of(reviser)}"
        took = session.duration_of(thought.index)
        yield words.duration(took) if took is not None else words.size(len(self.text_of(thought.index)))

    def clock(self) -> str:
        """Return the time of day at which the thought arrived."""
        return words.clock(self.session.time_of(self.index), self.zone)

    def text(self) -> Iterator[Spans]:
        """Yield the lines of the thought."""
        yield from self._lines(self.index, Role.TEXT)

    def replaced(self) -> Iterator[Spans]:
        """Yield what the thought replaced, under a heading of its own; nothing when it revises none."""
        target = self.session.thought(self.index).target
        if target == NONE:
            return
        number = self.session.number_of(target)
        yield []
        left = [Span(f"{self.signs.rule * 2} ", Role.LINE), Span(f"{number}, as it was", Role.MUTED)]
        yield rule(left, "", self.width, self.signs)
        yield []
        yield from self._lines(target, Role.MUTED)

    def _lines(self, index: int, role: Role) -> Iterator[Spans]:
        text = sanitize(unescape_breaks(self.text_of(index)))
        for line in wrap(text.strip("\n"), self.width - 2):
            yield [Span(" "), Span(line, role)]


def rule(left: Spans, right: str, cells: int, signs: Signs, role: Role = Role.LINE) -> Spans:
    """Return a rule of exactly ``cells`` cells with ``left`` at its beginning and ``right`` near its end."""
    tail = f" {right} {signs.rule * 2}" if right else ""
    room = cells - spans_width(left) - width(tail) - 1
    if room < 1:
        text = "".join(span.text for span in left)
        return [
            Span(cut(text, cells - width(tail) - 2, signs.cut) + " " + signs.rule, Role.LINE),
            Span(tail, Role.MUTED),
        ]
    return [*left, Span(" " + signs.rule * room, role), Span(tail, Role.MUTED)]
