"""Cline CLI: a folder for each session with JSON documents that are rewritten, and a file that says how it is.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    return head[:_START_CHARS].lstrip(b"{ \t\r\n").startswith(b'"version"')


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.cline.source import ClineSource  # noqa: PLC0415 - only what is asked for

    return ClineSource(terms.budget)


DESCRIPTION: Final = SourceDescription(
    name="cline",
    label="Cline CLI",
    make_source=_make_source,
    mcp_client="cline",
    mcp_names=("@cline",),
    file_pattern="sessions/*/*.messages.json",
    has_likely_written=_has_likely_written,
)
