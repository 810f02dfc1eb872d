"""OpenCode: sessions in an SQLite database that the client writes while it works.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_DATABASE: Final = b"SQLite format 3\0"
_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    return head.startswith(_DATABASE) or b'"projectID"' in head[:_START_CHARS]


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.opencode.source import OpenCodeSource  # noqa: PLC0415 - only what is asked for

    return OpenCodeSource(terms.budget)


DESCRIPTION: Final = SourceDescription(
    name="opencode",
    label="OpenCode",
    make_source=_make_source,
    mcp_client="opencode",
    mcp_names=("opencode",),
    file_pattern="opencode*.db",
    has_likely_written=_has_likely_written,
)
