"""Gemini CLI: a file of JSON lines for each session below ``tmp/PROJECT/chats``, before April 2026 a JSON document.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    return head[:_START_CHARS].lstrip(b"{ \t\r\n").startswith(b'"sessionId"')


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.gemini.source import GeminiSource  # noqa: PLC0415 - only what is asked for

    return GeminiSource(terms.budget)


DESCRIPTION: Final = SourceDescription(
    name="gemini",
    label="Gemini CLI",
    make_source=_make_source,
    other_names=("gemini-cli",),
    mcp_client="gemini-cli",
    mcp_names=("gemini",),
    file_pattern="chats/session-*.json*",
    has_likely_written=_has_likely_written,
)
