"""A session as its client writes it, record by record, and what is true of it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

Kind = Literal["prompt", "reasoning", "remark", "thought", "action", "answer", "failure", "unanswered", "edit"]
"""What a text is. Of an ``action``, a call of a tool, the text is the tool's name, and so it is of a call that ended
with a ``failure``, or that the client left ``unanswered``: all other calls must be answered. Of an ``edit``, the text
is the path of the file that was changed."""
_ENDS: Final = frozenset(("failure", "unanswered"))
_NOT_SHOWN: Final = _ENDS | {"edit"}


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
    """Whether another record cannot be read as it is meant without this one, so that no law may damage it: a line that
    says whose file it is, or which call an answer belongs to."""
    do: Callable[[Path], object] | None = None
    """In place of ``data``: is called with the home folder, and writes there itself, such as a row of a database or a
    document that is rewritten."""
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
    """Whether its file, once replaced by another, is read again from the beginning: also of a document that is
    rewritten. False only for a database, which a law cannot replace."""
    has_agent_calls: bool = True
    """Whether the client writes which call started a subagent."""
    contexts: Mapping[str | None, tuple[int, int | None]] = MappingProxyType({})
    """For each agent whose use of its context the client writes, tokens and window of its newest answer."""

    @property
    def said(self) -> list[Said]:
        """All texts that must be shown, once; those of each agent in this order."""
        return [said for said in self._all_said() if said.kind not in _NOT_SHOWN]

    @property
    def ends(self) -> frozenset[Said]:
        """The calls that failed, and those without an answer."""
        return frozenset(said for said in self._all_said() if said.kind in _ENDS)

    @property
    def edits(self) -> list[Said]:
        """The edits of files, as often as the client wrote them."""
        return [said for record in self.records for said in record.says if said.kind == "edit"]

    def _all_said(self) -> dict[Said, None]:
        return dict.fromkeys(said for record in self.records for said in record.says)
