"""The text pane for a thought that is known by its own line alone."""

from datetime import UTC, tzinfo

from msgspec import Struct

from seqthink.core.text import first_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.line_thought import LineThought
from seqthink.drawing.detail.thought_page import TextRenderJob
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import Role, Span, Spans


class LinePage(Struct, frozen=True, kw_only=True):
    """The text pane's content for one such thought at one width."""

    thought: LineThought
    width: int
    """Cells of the text pane."""
    signs: Signs = UNICODE
    zone: tzinfo = UTC
    """The time zone of displayed times."""
    is_active: bool = False
    """Whether the text pane has the focus."""
    is_raw: bool = False
    """Whether the Markdown is shown as it is written."""

    def heading(self, right: str) -> Spans:
        """Return the rule above the text: number, branch and what it says it revises; ``right`` at its end."""
        thought, signs = self.thought, self.signs
        name = str(thought.number) if thought.native is None else thought.native.value
        pieces: Spans = [Span(name, Role.ACCENT)]
        if thought.branch:
            pieces.append(Span(str(first_line(thought.branch)), Role.MUTED))
        if thought.revises:
            pieces.append(Span(f"revises {thought.revises}", Role.MUTED))
        pieces.append(Span(units.size(max(thought.text.whole_chars, len(thought.text.text))), Role.MUTED))
        left: Spans = []
        for piece in pieces:
            left += [Span(f" {signs.separator} " if left else f"{signs.rule * 2} ", Role.LINE), piece]
        return rule(left, right, self.width, signs, Role.ACCENT if self.is_active else Role.LINE)

    def clock(self) -> str:
        """Return the time of day at which the thought arrived."""
        return units.clock(self.thought.time, self.zone)

    def lines(self) -> list[Spans]:
        """Return the text, rendered if that is quickly done, else the beginning as it was written."""
        job = TextRenderJob(text=self.thought.text, width=self.width, signs=self.signs, is_raw=self.is_raw)
        return job.rendered().upper if job.renders_quickly else job.preview()
