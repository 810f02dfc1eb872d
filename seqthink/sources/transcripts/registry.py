"""The clients whose transcripts can be read, by the names that ``--sources`` takes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from seqthink.core.errors import UsageError

# Names are asked for at every Tab; the sources themselves load more.
if TYPE_CHECKING:
    from seqthink.sources.transcripts.budget import Budget
    from seqthink.sources.transcripts.source import Source

JOURNAL: Final = "journal"
"""The name of our own journals as a source."""
NONE_OF_ALL: Final = "none"
"""The name for no source at all."""
TRANSCRIPTS: Final = ("claude", "codex", "gemini", "opencode")
"""The names of the clients."""
SOURCE_NAMES: Final = (JOURNAL, *TRANSCRIPTS)
"""All names, in the order in which they are listed."""
ENVIRONMENT_VARIABLE: Final = "SEQTHINK_SOURCES"


_OTHER_NAMES: Final = {"claude-code": "claude", "gemini-cli": "gemini"}
"""Names that `seqthink config` has for them."""


_DATABASE: Final = b"SQLite format 3\0"
_ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
_START_CHARS: Final = 512


def likely_client(head: bytes) -> str:
    """Return the client that has probably written a file that begins so; "" for none. Only its `Source` knows."""
    start = head[:_START_CHARS].lstrip(b"{ \t\r\n")
    if head.startswith(_DATABASE) or b'"projectID"' in start:
        return "opencode"
    if head.startswith(_ZSTANDARD) or b'"session_meta"' in start or b'"instructions"' in start:
        return "codex"
    if start.startswith(b'"sessionId"'):
        return "gemini"
    return "claude" if b'"sessionId"' in head or b'"leafUuid"' in head else ""


def parse_sources(text: str) -> frozenset[str]:
    """Return the names in a list with commas, such as ``journal,claude``; ``none`` alone means the empty set.

    A client may also have the name that `seqthink config` takes.

    Raises:
        UsageError: there is another word in it, or ``none`` beside others.
    """
    words = [word.strip().lower() for word in text.split(",") if word.strip()]
    names = [_OTHER_NAMES.get(word, word) for word in words]
    unknown = [name for name in names if name not in {*SOURCE_NAMES, NONE_OF_ALL}]
    choices = f"choose from {', '.join(SOURCE_NAMES)}, or `none`"
    if unknown:
        raise UsageError(f"unknown source {unknown[0]!r}; {choices}")
    if not names:
        raise UsageError(f"no source named; {choices}")
    if NONE_OF_ALL in names and len(names) > 1:
        raise UsageError("`none` stands for no source at all; leave it out, or name no other")
    return frozenset(names) - {NONE_OF_ALL}


def sources_of(environ: Mapping[str, str], option: str | None) -> frozenset[str]:
    """Return the names of the sources to read: those of the option, else of ``SEQTHINK_SOURCES``, else all.

    Raises:
        UsageError: they cannot be read.
    """
    if option is not None:
        return parse_sources(option)
    named = environ.get(ENVIRONMENT_VARIABLE, "")
    if not named.strip():
        return frozenset(SOURCE_NAMES)
    try:
        return parse_sources(named)
    except UsageError as error:
        raise UsageError(f"{ENVIRONMENT_VARIABLE}: {error}") from error


def load_source(
    name: str, budget: "Budget | None" = None, *, is_thorough: bool = False, is_alone: bool = False
) -> "Source":
    """Return the source of a client, which reads within a budget; its modules are imported now.

    A thorough one reads whatever it takes to know which files are one session, before it lists any. For one that reads
    a file alone, a copy is a session of its own, without its original.
    """
    match name:
        case "claude":
            from seqthink.sources.transcripts.claude.source import ClaudeSource  # noqa: PLC0415 - only what is asked for

            return ClaudeSource(budget, is_thorough=is_thorough, is_alone=is_alone)
        case "codex":
            from seqthink.sources.transcripts.codex.source import CodexSource  # noqa: PLC0415 - only what is asked for

            return CodexSource(budget)
        case "gemini":
            from seqthink.sources.transcripts.gemini.source import GeminiSource  # noqa: PLC0415 - only what is asked for

            return GeminiSource(budget)
        case "opencode":
            from seqthink.sources.transcripts.opencode.source import OpenCodeSource  # noqa: PLC0415 - only what is asked for

            return OpenCodeSource(budget)
        case _:
            raise KeyError(name)
