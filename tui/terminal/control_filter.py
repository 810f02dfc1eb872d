"""Keeps control characters from the terminal, whatever a widget draws (docs/viewer.md, "Untrusted text").

Texts are already made safe where they leave the model (`seqthink.core.text`). This filter is the last line of defence,
against libraries and bugs.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from typing_extensions import override

from seqthink.core.text import sanitize


class ControlCharacterFilter(LineFilter):
    """Replaces control and bidi characters in everything that is drawn."""

    @override
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return ``segments`` with their text made safe; Textual's own control segments stay."""
        return [_safe_segment(segment) for segment in segments]


def _safe_segment(segment: Segment) -> Segment:
    if segment.control:
        return segment
    text = sanitize(segment.text).replace("\n", " ")
    return segment if text == segment.text else Segment(text, segment.style)
