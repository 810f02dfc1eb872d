"""The clients whose transcripts can be read, by the names that ``--sources`` takes."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.description import ReadingTerms, SourceDescription
from seqthink.sources.transcripts.installed.entry_points import Installed, InstalledSource, installed_sources

# Names are asked for at every Tab; the sources themselves load more.
if TYPE_CHECKING:
    from seqthink.sources.transcripts.source import Source

JOURNAL: Final = "journal"
"""The name of our own journals as a source."""
NONE_OF_ALL: Final = "none"
"""The name for no source at all."""
TRANSCRIPTS: Final = ("claude", "cline", "codex", "copilot", "gemini", "kilo", "opencode", "pi", "qwen")
"""The names of the clients that we read; the folder of that name here describes each."""
SOURCE_NAMES: Final = (JOURNAL, *TRANSCRIPTS)
"""The names that ``--sources`` takes without any package of others."""
_TAKEN: Final = frozenset((*SOURCE_NAMES, NONE_OF_ALL))
ENVIRONMENT_VARIABLE: Final = "SEQTHINK_SOURCES"
_ANY_TERMS: Final = ReadingTerms()


def installed() -> Installed:
    """Return the sources that packages bring now; none of them is loaded."""
    return installed_sources(_TAKEN)


def transcript_names() -> tuple[str, ...]:
    """Return the names of all clients whose transcripts can be read: ours, then those that packages bring."""
    return (*TRANSCRIPTS, *installed().sources)


def source_names() -> tuple[str, ...]:
    """Return all names that ``--sources`` takes, in the order in which they are listed."""
    return (JOURNAL, *transcript_names())


@cache
def _own_description(name: str) -> SourceDescription:
    description: SourceDescription = import_module(f"seqthink.sources.transcripts.{name}").DESCRIPTION
    return description


def description_of(name: str) -> SourceDescription:
    """Return what is said of a source; its reader is not loaded for that. One of a package that fails has a name only.

    Raises:
        KeyError: there is no such source.
    """
    if name in TRANSCRIPTS:
        return _own_description(name)
    return _description_in_package(installed().sources[name])


def _description_in_package(entry: InstalledSource) -> SourceDescription:
    from seqthink.sources.transcripts.installed.loading import guarded_description  # noqa: PLC0415 - loads much

    return guarded_description(entry) or SourceDescription(entry.name, entry.name, partial(_isolated, entry))


def _isolated(entry: InstalledSource, terms: ReadingTerms) -> "Source":
    from seqthink.sources.transcripts.installed.isolated_source import IsolatedSource  # noqa: PLC0415 - as above

    return IsolatedSource(entry, terms)


def descriptions() -> Iterator[SourceDescription]:
    """Yield what is said of each source, in the order in which they are listed."""
    return map(description_of, transcript_names())


def known_description(source: str) -> SourceDescription | None:
    """Return what is said of a source that a journal names; None if there is no such source, or not loaded yet."""
    if source in TRANSCRIPTS:
        return _own_description(source)
    if source not in installed().sources:
        return None
    from seqthink.sources.transcripts.installed.loading import known_so_far  # noqa: PLC0415 - as above

    return known_so_far(source)


def source_named(word: str) -> SourceDescription | None:
    """Return the source of this name, also by another one of its names; None if there is none."""
    if word in transcript_names():
        return description_of(word)
    return next((one for one in descriptions() if word in one.other_names), None)


def likely_sources(head: bytes) -> list[str]:
    """Return the sources whose clients have probably written a file that begins so. Only a `Source` knows."""
    return [one.name for one in descriptions() if one.has_likely_written(head)]


def parse_sources(text: str) -> frozenset[str]:
    """Return the names in a list with commas, such as ``journal,claude``; ``none`` alone means the empty set.

    A client may also have the name that `seqthink config` takes.

    Raises:
        UsageError: there is another word in it, or ``none`` beside others.
    """
    words = [word.strip().lower() for word in text.split(",") if word.strip()]
    known = source_names()
    names = [word if word in {*known, NONE_OF_ALL} else _name_of(word) for word in words]
    choices = f"choose from {', '.join(known)}, or `none`"
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
        return frozenset(source_names())
    try:
        return parse_sources(named)
    except UsageError as error:
        raise UsageError(f"{ENVIRONMENT_VARIABLE}: {error}") from error


def load_source(name: str, terms: ReadingTerms = _ANY_TERMS) -> "Source":
    """Return the source of a client. The modules of one of ours are imported now; another is kept apart from the rest.

    Raises:
        KeyError: there is no such source.
    """
    if name in TRANSCRIPTS:
        return _own_description(name).make_source(terms)
    return _isolated(installed().sources[name], terms)
