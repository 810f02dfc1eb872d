"""The clients whose transcripts can be read, by the names that ``--sources`` takes."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription

# Names are asked for at every Tab; the sources themselves load more.
if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

JOURNAL: Final = "journal"
"""The name of our own journals as a source."""
NONE_OF_ALL: Final = "none"
"""The name for no source at all."""
TRANSCRIPTS: Final = ("claude", "codex", "gemini", "opencode")
"""The names of the clients that we read; the folder of that name here describes each."""
SOURCE_NAMES: Final = (JOURNAL, *TRANSCRIPTS)
"""All names, in the order in which they are listed."""
ENVIRONMENT_VARIABLE: Final = "SEQTHINK_SOURCES"
_ANY_TERMS: Final = ReadingTerms()


@cache
def description_of(name: str) -> SourceDescription:
    """Return what is said of a source; its reader is not loaded for that.

    Raises:
        KeyError: there is no such source.
    """
    if name not in TRANSCRIPTS:
        raise KeyError(name)
    description: SourceDescription = import_module(f"seqthink.sources.transcripts.{name}").DESCRIPTION
    return description


def descriptions() -> Iterator[SourceDescription]:
    """Yield what is said of each source, in the order in which they are listed."""
    return map(description_of, TRANSCRIPTS)


def source_named(word: str) -> SourceDescription | None:
    """Return the source of this name, also by another one of its names; None if there is none."""
    if word in TRANSCRIPTS:
        return description_of(word)
    return next((one for one in descriptions() if word in one.other_names), None)


def likely_sources(head: bytes) -> list[str]:
    """Return the sources whose clients have probably written a file that begins so. Only a `Source` knows."""
    return [one.name for one in descriptions() if one.has_likely_written(head)]


def known_description(source: str) -> SourceDescription | None:
    """Return what is said of a source that a journal names; None if there is no such source here."""
    return description_of(source) if source in TRANSCRIPTS else None


def parse_sources(text: str) -> frozenset[str]:
    """Return the names in a list with commas, such as ``journal,claude``; ``none`` alone means the empty set.

    A client may also have the name that `seqthink config` takes.

    Raises:
        UsageError: there is another word in it, or ``none`` beside others.
    """
    words = [word.strip().lower() for word in text.split(",") if word.strip()]
    names = [word if word in {JOURNAL, NONE_OF_ALL} else _name_of(word) for word in words]
    choices = f"choose from {', '.join(SOURCE_NAMES)}, or `none`"
    for word, name in zip(words, names, strict=True):
        if not name:
            raise UsageError(f"unknown source {word!r}; {choices}")
    if not names:
        raise UsageError(f"no source named; {choices}")
    if NONE_OF_ALL in names and len(names) > 1:
        raise UsageError("`none` stands for no source at all; leave it out, or name no other")
    return frozenset(names) - {NONE_OF_ALL}


def _name_of(word: str) -> str:
    found = source_named(word)
    return found.name if found is not None else ""


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


def load_source(name: str, terms: ReadingTerms = _ANY_TERMS) -> "Source":
    """Return the source of a client; its modules are imported now.

    Raises:
        KeyError: there is no such source.
    """
    return description_of(name).make_source(terms)
