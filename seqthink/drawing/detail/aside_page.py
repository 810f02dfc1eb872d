"""The text pane for a row that is not a thought: a refused call, a prompt, what was done."""

from collections.abc import Iterator
from datetime import UTC, tzinfo

from msgspec import Struct

from seqthink.chain.model import AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import RejectedEvent
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.asides import (
    UNREADABLE,
    aside_line,
    aside_sign,
    aside_text,
    context_item,
    refused_words,
)
from seqthink.drawing.describe.calls import ListedCall, left_out_words, listed_call, listed_items, put_back_facts
from seqthink.drawing.describe.json_values import pretty_json
from seqthink.drawing.describe.thought import retraction_facts
from seqthink.drawing.detail.attachments import context_lines, text_lines
from seqthink.drawing.text.cells import cut_left, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.rules import rule, titled_rule
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width, spread

MIN_OBJECT_CELLS = 12
"""Cells that what a call touched gets at least, before the time is left out."""

MIN_WHOLE_CELLS = 44
"""Cells of a text pane that says since when a call runs."""


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
    keeping_hint: str = ""
    """How the user gets the client to keep the text of reasoning; empty if there is no way."""

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
                return self._said()
            case AsideKind.CONTEXT:
                return self._context()
            case AsideKind.ACTIONS:
                return list(self._calls())
            case AsideKind.UNKEPT:
                return self._unkept()
            case _:
                line = aside_line(self.texts, self.session, self.ordinal, self.signs)
                return list(text_lines(line, self.width, Role.MUTED))

    def _said(self) -> list[Spans]:
        text = aside_text(self.texts, self.session, self.ordinal)
        lines = list(text_lines(text, self.width))
        for fact in retraction_facts(text) if self.session.asides.get(self.ordinal).is_retraction else ():
            lines += [[], *text_lines(fact, self.width, Role.MUTED)]
        return lines

    def _context(self) -> list[Spans]:
        item = context_item(self.texts, self.session, self.ordinal)
        if item is None:
            return [[Span(f" {UNREADABLE}"[: self.width], Role.MUTED)]]
        return list(context_lines(item, self.width, self.signs))

    def _unkept(self) -> list[Spans]:
        line = aside_line(self.texts, self.session, self.ordinal, self.signs)
        lines = list(text_lines(line, self.width, Role.MUTED))
        return [*lines, [], *text_lines(self.keeping_hint, self.width)] if self.keeping_hint else lines

    def _calls(self) -> Iterator[Spans]:
        left_out, items = listed_items(self.session, self.ordinal)
        if left_out:
            yield [Span(f" {self.signs.missing} {left_out_words(left_out)}"[: self.width], Role.MUTED)]
        for item in items:
            call = listed_call(self.texts, self.session, item)
            yield from self._call(call)
            if call.reason:
                yield from text_lines(call.reason, self.width, Role.BAD)
        for fact in put_back_facts(self.session, self.ordinal):
            yield []
            yield from text_lines(fact, self.width, Role.MUTED)

    def _call(self, call: ListedCall) -> Iterator[Spans]:
        """Yield a call: its end is at the right, and the time gives way to what it touched.

        A path is cut from its beginning to fit beside them. A command without room there is shown whole below.
        """
        took = [Span(f"{call.took} ", Role.MUTED)] if call.took else []
        result = call.result_words(self.zone) if self.width >= MIN_WHOLE_CELLS else call.result
        end = [*took, Span(f"{result} ", call.role)]
        clock, tool = Span(f"{units.clock(call.time, self.zone)} ", Role.MUTED), Span(call.tool)
        least = min(MIN_OBJECT_CELLS, width(call.object))
        lefts = [[Span(" "), clock, tool], [Span(" "), tool]]
        room = [self.width - spans_width([*left, *end]) - 2 for left in lefts]
        left, cells = (lefts[0], room[0]) if room[0] >= least else (lefts[1], room[1])
        is_below = not call.is_path and width(call.object) > cells
        shown = "" if is_below else cut_left(call.object, cells, self.signs.ellipsis)
        object_spans = [Span(f" {shown}", Role.MUTED)] if shown else []
        yield clip(
            spread([*(lefts[0] if is_below and room[0] >= 0 else left), *object_spans], end, self.width), self.width
        )
        if is_below:
            yield from text_lines(call.object, self.width, Role.MUTED)

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
