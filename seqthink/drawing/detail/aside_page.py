"""The text pane for a row that is not a thought: a refused call, a prompt, what was done."""

from collections.abc import Iterator
from datetime import UTC, tzinfo

from msgspec import Struct

from seqthink.chain.model import AsideItem, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.describe import units
from seqthink.drawing.describe.asides import (
    KEEPING_HINTS,
    UNREADABLE,
    action_words,
    aside_line,
    aside_sign,
    aside_text,
    context_item,
    refused_words,
)
from seqthink.drawing.describe.json_values import pretty_json
from seqthink.drawing.detail.attachments import context_lines, text_lines
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.rules import rule, titled_rule
from seqthink.drawing.text.spans import Role, Span, Spans, clip
from seqthink.events import RejectedEvent
from seqthink.text import one_line


class AsidePage(Struct, frozen=True, kw_only=True):
    """The text pane's content for one aside at one width."""

    session: Session
    """The session as it is shown: that of ``texts``, or an earlier position of it."""
    texts: SessionTexts
    ordinal: int
    """Ordinal of the aside."""
    width: int
    """Cells of the text pane."""
    signs: Signs = UNICODE
    zone: tzinfo = UTC
    """The time zone of displayed times."""
    is_active: bool = False
    """Whether the text pane has the focus."""

    def heading(self, right: str) -> Spans:
        """Return the rule above the text, with ``right`` at its end."""
        mark = aside_sign(self._kind)
        name = self._kind.value
        if self._kind is AsideKind.REFUSED:
            name = refused_words(self.texts, self.session, self.ordinal)
        title = f"{getattr(self.signs, mark.sign)} {name}"
        left = [Span(f"{self.signs.rule * 2} ", Role.LINE), Span(title, mark.role)]
        return rule(left, right, self.width, self.signs, Role.ACCENT if self.is_active else Role.LINE)

    @property
    def _kind(self) -> AsideKind:
        return self.session.asides.get(self.ordinal).kind

    def clock(self) -> str:
        """Return the time of day at which it began."""
        return units.clock(self.session.asides.get(self.ordinal).time, self.zone)

    def lines(self) -> list[Spans]:
        """Return all that is known of it: the error and the arguments, the text, or each thing that was done."""
        match self._kind:
            case AsideKind.REFUSED:
                return list(self._refused())
            case AsideKind.PROMPT | AsideKind.REMARK | AsideKind.RESULT | AsideKind.UNFINISHED:
                return list(text_lines(aside_text(self.texts, self.session, self.ordinal), self.width))
            case AsideKind.CONTEXT:
                return self._context()
            case AsideKind.ACTIONS:
                return [self._action(item) for item in self.session.asides.items_of(self.ordinal)]
            case AsideKind.UNKEPT:
                return self._unkept()
            case _:
                line = aside_line(self.texts, self.session, self.ordinal, self.signs)
                return list(text_lines(line, self.width, Role.MUTED))

    def _context(self) -> list[Spans]:
        item = context_item(self.texts, self.session, self.ordinal)
        if item is None:
            return [[Span(f" {UNREADABLE}"[: self.width], Role.MUTED)]]
        return list(context_lines(item, self.width, self.signs))

    def _unkept(self) -> list[Spans]:
        line = aside_line(self.texts, self.session, self.ordinal, self.signs)
        lines = list(text_lines(line, self.width, Role.MUTED))
        event = self.session.session_event
        hint = KEEPING_HINTS.get((event.source if event is not None else None) or "")
        return [*lines, [], *text_lines(hint, self.width)] if hint else lines

    def _action(self, item: AsideItem) -> Spans:
        tool, summary = action_words(item, self.texts)
        clock = units.clock(item.time, self.zone)
        return clip([Span(f" {clock} ", Role.MUTED), Span(f"{tool} "), Span(summary, Role.MUTED)], self.width)

    def _refused(self) -> Iterator[Spans]:
        aside = self.session.asides.get(self.ordinal)
        event = self.texts.event(aside.offset, aside.size)
        if not isinstance(event, RejectedEvent):
            yield [Span(f" {UNREADABLE}"[: self.width], Role.MUTED)]
            return
        yield from text_lines(event.error, self.width, Role.BAD)
        if event.arguments is None:
            return
        yield []
        title = "arguments" + (f" for {one_line(event.tool)}" if event.tool else "")
        yield titled_rule(title, "cut at 4 KiB" if event.truncated else "", self.width, self.signs)
        yield []
        yield from text_lines(pretty_json(event.arguments), self.width)
