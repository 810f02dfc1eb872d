"""Loads what packages say of their sources, and remembers it."""

import pkgutil
from functools import cache
from typing import Final

from seqthink.sources.transcripts.description import SourceDescription
from seqthink.sources.transcripts.installed.calls import SourceCalls
from seqthink.sources.transcripts.installed.entry_points import InstalledSource
from seqthink.sources.transcripts.installed.values import WrongValueError, checked

_SECONDS: Final = 1.0
"""How long is waited for what a package says of its source; without it, the source has its name only."""
_LOADED: Final[dict[str, SourceDescription]] = {}


def loaded_description(installed: InstalledSource) -> SourceDescription:
    """Return what a package says of its source; its module is imported now.

    Raises:
        WrongValueError: the entry names something else than a description of a source of this name.
        Exception: whatever importing it raises.
    """
    described = checked(pkgutil.resolve_name(installed.target), SourceDescription)
    texts = (described.label, described.mcp_client, described.listed_as, described.file_pattern, described.keeping_hint)
    for text in texts:
        checked(text, str)
    if not all(checked(word, str) for words in (described.other_names, described.mcp_names) for word in words):
        raise WrongValueError("a description with a name that is empty")
    if described.name != installed.name:
        raise WrongValueError(f"the description of {described.name!r}; its entry has the name {installed.name!r}")
    _LOADED[installed.name] = described
    return described


def known_so_far(name: str) -> SourceDescription | None:
    """Return what is said of a source if it was loaded before; nothing is loaded for that."""
    return _LOADED.get(name)


@cache
def guarded_description(installed: InstalledSource) -> SourceDescription | None:
    """Return what a package says of its source, with guesses that cannot fail; None if it cannot be had in a moment."""
    calls = SourceCalls(installed.package, lambda _sentence: None, _SECONDS)
    try:
        described = calls.demand("description", "", lambda: loaded_description(installed))
    except OSError:
        return None

    def has_likely_written(head: bytes) -> bool:
        return calls.latest("has_likely_written", "", lambda: described.has_likely_written(head) is True, default=False)

    return described._replace(has_likely_written=has_likely_written)
