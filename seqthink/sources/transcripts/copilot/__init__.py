"""GitHub Copilot CLI: a session with all its subagents in one file of JSON Lines.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_START: Final = b'{"type":"session.start"'
_PARENT: Final = b'"parentId":'


def _has_likely_written(head: bytes) -> bool:
    return head.startswith(_START) or (b'{"type":"' in head and _PARENT in head and b'"data":{' in head)


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.copilot.source import CopilotSource  # noqa: PLC0415 - only what is asked for

    return CopilotSource(terms.budget)


DESCRIPTION: Final = SourceDescription(
    name="copilot",
    label="Copilot CLI",
    make_source=_make_source,
    other_names=("copilot-cli",),
    mcp_client="copilot-cli",
    mcp_names=("copilot-cli",),
    file_pattern="session-state/*/events.jsonl",
    has_likely_written=_has_likely_written,
)
