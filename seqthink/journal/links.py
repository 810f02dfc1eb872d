"""Links to a thought: a session and the ``seq`` of an entry, ``SESSION#e41``."""

import re
from typing import NamedTuple

_LINK = re.compile(r"(?s)(.*)#e([1-9][0-9]{0,15})")


class Link(NamedTuple):
    """What a reference on the command line names."""

    session: str | None
    """The session, as the user named it; None for none."""
    seq: int = 0
    """The ``seq`` of an entry in it; 0 for none."""


def split_link(reference: str | None) -> Link:
    """Return the session and the entry that a reference names."""
    match = _LINK.fullmatch(reference or "")
    return Link(match[1] or None, int(match[2])) if match else Link(reference)


def link_text(session: str, seq: int) -> str:
    """Return the link to an entry of a session."""
    return f"{session}#e{seq}"
