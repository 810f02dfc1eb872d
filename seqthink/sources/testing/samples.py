"""A session as its client writes it, record by record, and what is true of it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

Kind = Literal["prompt", "reasoning", "remark", "thought", "action", "answer"]
"""What a text is; of an ``action`` the text is the name of the tool."""


class Said(NamedTuple):
    """Something that must be shown of a session, once."""

    agent: str | None
    """The client's id of the agent; None for the main agent."""
    kind: Kind
    text: str


class SampleRecord(NamedTuple):
    """What a client writes at once."""

    path: str
    """The file, relative to the home folder."""
    data: bytes = b""
    """What is appended to it: a line, as a rule."""
    says: tuple[Said, ...] = ()
    """What is lost with it, unless another record says it, too: as the answer to a call does."""
    is_fragile: bool = False
    """Whether other records mean something else without it, so that no law may damage it."""
    do: Callable[[Path], object] | None = None
    """In place of ``data``: writes it below the home folder that is given, as a row of a database."""
    do_damaged: Callable[[Path], object] | None = None
    """Writes it in a damaged form, where ``do`` writes it; without this, no law damages it."""


class Sample(NamedTuple):
    """One session."""

    session: str
    """The client's id of it."""
    records: Sequence[SampleRecord]
    """All that its client writes, in order; the first one that makes a file of it is of the session's own file."""
    filling: Callable[[int], SampleRecord]
    """Returns the n-th record of about a megabyte that nothing is shown of, for the session's own file."""
    is_append_only: bool = True
    """Whether a file that was replaced or cut short is read again from its beginning; a database is not."""

    @property
    def said(self) -> list[Said]:
        """All that must be shown, once; that of each agent in this order."""
        return [*dict.fromkeys(said for record in self.records for said in record.says)]
