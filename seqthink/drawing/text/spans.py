"""Text with roles: a theme turns a role into a colour, a pipe ignores it."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from seqthink.drawing.text.cells import cut, width


class Role(StrEnum):
    """The meaning of a piece of text (docs/screens.md, "Colours by role")."""

    TEXT = "text"
    MUTED = "muted"
    """What matters less: times, expected thoughts, revised texts."""
    LINE = "line"
    """Rules, and the trunk's lane."""
    ACCENT = "accent"
    """What is selected or going on."""
    GOOD = "good"
    """Done, passed."""
    WARN = "warn"
    """What asks the person to act: a session that asks, or is stuck. Nothing else."""
    BAD = "bad"
    """Refused, lost, rejected."""
    REVISION = "revision"
    """Revisions and their arrows."""
    ESTIMATE = "estimate"
    """Changes of the estimate, and its chart."""
    NOTE = "note"
    """Notes and context items."""
    BRANCH1 = "branch1"
    BRANCH2 = "branch2"
    BRANCH3 = "branch3"
    BRANCH4 = "branch4"
    BRANCH5 = "branch5"
    BRANCH6 = "branch6"
    KEYWORD = "keyword"
    """In code: words of the language, and tags."""
    NAME = "name"
    """In code: names that are defined or known, types."""
    STRING = "string"
    """In code: quoted text."""
    LITERAL = "literal"
    """In code: numbers and constants."""
    MATCH = "match"
    """A search hit, or the character at the cursor: drawn reversed."""


BRANCH_ROLES = (Role.BRANCH1, Role.BRANCH2, Role.BRANCH3, Role.BRANCH4, Role.BRANCH5, Role.BRANCH6)


BOLD, ITALIC, STRUCK = 1, 2, 4
"""Bits of a span's ``face``."""


class Span(NamedTuple):
    """A piece of one line."""

    text: str
    role: Role = Role.TEXT
    face: int = 0
    """Bit mask of BOLD, ITALIC and STRUCK, which emphasise but have no meaning of their own."""


Spans = list[Span]


def spans_text(spans: Iterable[Span]) -> str:
    """Return the text of ``spans``."""
    return "".join([span.text for span in spans])


def spans_width(spans: Iterable[Span]) -> int:
    """Return the width of ``spans`` in cells."""
    return sum([width(span.text) for span in spans])


def spread(left: Spans, right: Spans, cells: int) -> Spans:
    """Return ``left`` and ``right`` at the two ends of ``cells`` cells."""
    gap = cells - spans_width(left) - spans_width(right)
    return [*left, Span(" " * max(0, gap)), *right]


def fitted_ends(lefts: Sequence[Spans], rights: Sequence[Spans], cells: int) -> Spans:
    """Return the first pair of both ends that leaves a blank between them; the left ends shorten before the right ones.

    Without any such pair, the last one is cut.
    """
    for right in rights:
        for left in lefts:
            if spans_width(left) + spans_width(right) + bool(right) <= cells:
                return spread(left, right, cells)
    return clip([*lefts[-1], *rights[-1]], cells)


def key_hints(keys: Sequence[tuple[str, str]], cells: int) -> Spans:
    """Return keys and what they do in at most ``cells`` cells; without room the last but one goes first."""
    shown = list(keys)
    while len(shown) > 1 and sum(width(key) + width(does) + 3 for key, does in shown) - 1 > cells:
        del shown[-2]
    spans: Spans = [Span(" ")]
    for key, does in shown:
        spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
    return clip(spans, cells)


def clip(spans: Spans, cells: int) -> Spans:
    """Return ``spans`` without what exceeds ``cells`` cells."""
    excess = spans_width(spans) - cells
    while excess > 0 and spans:
        *spans, last = spans
        kept = cut(last.text, width(last.text) - excess, "")
        excess -= width(last.text) - width(kept)
        # cutting a character of two cells may leave one cell to fill
        spans = [*spans, last._replace(text=kept + " " * -excess)] if kept or excess < 0 else spans
    return spans
