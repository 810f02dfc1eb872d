"""pi: a file of JSON lines for each session below ``sessions/PROJECT``, whose records are a tree.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    return head[:_START_CHARS].lstrip(b"{ \t\r\n").startswith(b'"type":"session",')


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.pi.source import PiSource  # noqa: PLC0415 - only what is asked for

    return PiSource(terms.budget, is_alone=terms.is_alone)


DESCRIPTION: Final = SourceDescription(
    name="pi",
    label="pi",
    make_source=_make_source,
    mcp_client="pi",
    mcp_names=("pi ",),
    file_pattern="sessions/*/*_*.jsonl",
    has_likely_written=_has_likely_written,
)
