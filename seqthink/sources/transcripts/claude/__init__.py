"""Claude Code: one JSON Lines file for each session, and one for each subagent.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    # Other clients' files begin with these members; Claude Code's never do.
    is_others = head[:_START_CHARS].lstrip(b"{ \t\r\n").startswith((b'"sessionId"', b'"uuid"'))
    return (b'"sessionId"' in head and not is_others) or b'"leafUuid"' in head


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.claude.source import ClaudeSource  # noqa: PLC0415 - only what is asked for

    return ClaudeSource(terms.budget, is_thorough=terms.is_thorough, is_alone=terms.is_alone)


DESCRIPTION: Final = SourceDescription(
    name="claude",
    label="Claude Code",
    make_source=_make_source,
    other_names=("claude-code",),
    mcp_client="claude-code",
    mcp_names=("claude",),
    listed_as="claude-code",
    file_pattern="projects/*/*.jsonl",
    has_likely_written=_has_likely_written,
    keeping_hint="Claude Code writes down that the model reasoned, but not what. To have a summary kept, set "
    '"showThinkingSummaries": true in ~/.claude/settings.json. Or let the model use the thinking tool: '
    "`seqthink config claude-code`.",
)
