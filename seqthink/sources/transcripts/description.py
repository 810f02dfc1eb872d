"""What a source says about itself before anything of it is loaded: names, signs of its files, and how it is made.

A description is asked for at every Tab and in each frame, so its module imports nothing that takes time.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

# What a source reads with takes time to load.
if TYPE_CHECKING:
    from seqthink.sources.transcripts.budget import Budget
    from seqthink.sources.transcripts.source import Source


class ReadingTerms(NamedTuple):
    """What a source is made for; a later version may add fields."""

    budget: "Budget | None" = None
    """How much time and memory reading may take; None for as much as it needs."""
    is_thorough: bool = False
    """Whether to read whatever it takes to know which files are one session, before any is listed."""
    is_alone: bool = False
    """Whether one file is read alone: a copy is then a session of its own, without its original."""


def _never(_head: bytes) -> bool:
    return False


class SourceDescription(NamedTuple):
    """A client whose sessions can be read, and the source that reads them."""

    name: str
    """Its name in ``--sources`` and before the ids of its sessions: small letters, digits and `_`."""
    label: str
    """The client's name for people."""
    make_source: "Callable[[ReadingTerms], Source]"
    """Loads what reads the sessions, and returns the source; its ``name`` and ``label`` are these."""
    other_names: tuple[str, ...] = ()
    """Further names that ``--sources`` takes."""
    mcp_client: str = ""
    """The client's name in `seqthink config`, `setup` and `doctor`; empty if it is not one of theirs."""
    mcp_names: tuple[str, ...] = ()
    """How the names begin, in small letters, by which the client introduces itself to an MCP server: for joining.

    A blank marks the end of a name.
    """
    listed_as: str = ""
    """What lists call the client of a session that no server of ours took part in; empty for ``name``."""
    file_pattern: str = ""
    """How its files are called, with the folders above (`pathlib.PurePath.match`): for a file in an unknown format."""
    has_likely_written: Callable[[bytes], bool] = _never
    """Whether it has probably written a file that begins so: cheap, and only a guess. Only the source knows."""
    keeping_hint: str = ""
    """How the user gets the client to keep the text of reasoning; empty if there is no way, or no need."""
