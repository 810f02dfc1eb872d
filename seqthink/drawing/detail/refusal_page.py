"""The text pane for a refused call: the error and the arguments."""

from collections.abc import Iterator
from datetime import UTC, tzinfo

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.describe import units
from seqthink.drawing.describe.json_values import pretty_json
from seqthink.drawing.detail.attachments import text_lines
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.rules import rule, titled_rule
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.events import RejectedEvent
from seqthink.text import one_line


class RefusalPage(Struct, frozen=True, kw_only=True):
    """The text pane's content for one refused call at one width."""

    session: Session
    """The session as it is shown: that of ``texts``, or an earlier position of it."""
    texts: SessionTexts
    ordinal: int
    """Ordinal of the refused call."""
    width: int
    """Cells of the text pane."""
    signs: Signs = UNICODE
    zone: tzinfo = UTC
    """The time zone of displayed times."""
    is_active: bool = False
    """Whether the text pane has the focus."""

    def heading(self, right: str) -> Spans:
        """Return the rule above the text, with ``right`` at its end."""
        left = [Span(f"{self.signs.rule * 2} ", Role.LINE), Span(f"{self.signs.refused} refused", Role.BAD)]
        return rule(left, right, self.width, self.signs, Role.ACCENT if self.is_active else Role.LINE)

    def clock(self) -> str:
        """Return the time of day of the refusal."""
        return units.clock(self.session.refusals.get(self.ordinal).time, self.zone)

    def lines(self) -> list[Spans]:
        """Return the error and the arguments."""
        refusal = self.session.refusals.get(self.ordinal)
        event = self.texts.event(refusal.offset, refusal.size)
        if not isinstance(event, RejectedEvent):
            return [[Span(" this line can no longer be read"[: self.width], Role.MUTED)]]
        return list(self._drawn(event))

    def _drawn(self, event: RejectedEvent) -> Iterator[Spans]:
        yield from text_lines(event.error, self.width, Role.BAD)
        if event.arguments is None:
            return
        yield []
        title = "arguments" + (f" for {one_line(event.tool)}" if event.tool else "")
        yield titled_rule(title, "cut at 4 KiB" if event.truncated else "", self.width, self.signs)
        yield []
        yield from text_lines(pretty_json(event.arguments), self.width)
