"""Qwen Code: a file of JSON lines for each session and each subagent below ``projects/PROJECT``.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    return head[:_START_CHARS].lstrip(b"{ \t\r\n").startswith(b'"uuid"')


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.qwen.source import QwenSource  # noqa: PLC0415 - only what is asked for

    return QwenSource(terms.budget, is_alone=terms.is_alone)


DESCRIPTION: Final = SourceDescription(
    name="qwen",
    label="Qwen Code",
    make_source=_make_source,
    other_names=("qwen-code",),
    mcp_client="qwen-code",
    mcp_names=("qwen",),
    file_pattern="projects/*/chats/*.jsonl",
    has_likely_written=_has_likely_written,
)
