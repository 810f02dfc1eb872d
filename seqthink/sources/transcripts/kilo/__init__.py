"""Kilo: a descendant of OpenCode, with the same tables in a folder of its own.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_DATABASE: Final = b"SQLite format 3\0"


def _has_likely_written(head: bytes) -> bool:
    return head.startswith(_DATABASE)


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.kilo.source import KiloSource  # noqa: PLC0415 - only what is asked for

    return KiloSource(terms.budget)


DESCRIPTION: Final = SourceDescription(
    name="kilo",
    label="Kilo",
    make_source=_make_source,
    mcp_client="kilo",
    mcp_names=("kilo",),
    file_pattern="kilo*.db",
    has_likely_written=_has_likely_written,
)
