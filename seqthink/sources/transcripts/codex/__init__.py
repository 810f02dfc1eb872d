"""Codex: a rollout file of JSON lines for each thread, below ``sessions/YYYY/MM/DD``.

This module describes it, and loads what reads it only when that is asked for.
"""

from typing import TYPE_CHECKING, Final

from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

_ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
_START_CHARS: Final = 512


def _has_likely_written(head: bytes) -> bool:
    start = head[:_START_CHARS]
    return head.startswith(_ZSTANDARD) or b'"session_meta"' in start or b'"instructions"' in start


def _make_source(terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.codex.source import CodexSource  # noqa: PLC0415 - only what is asked for

    return CodexSource(terms.budget)


DESCRIPTION: Final = SourceDescription(
    name="codex",
    label="Codex",
    make_source=_make_source,
    mcp_client="codex",
    mcp_names=("codex",),
    file_pattern="rollout-*.jsonl",
    has_likely_written=_has_likely_written,
    keeping_hint='Codex keeps reasoning encrypted. To have a summary kept, set model_reasoning_summary = "detailed" in '
    "~/.codex/config.toml. Or let the model use the thinking tool: `seqthink config codex`.",
)
