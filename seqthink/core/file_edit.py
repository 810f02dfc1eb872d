"""What a call of a tool changed in files, as clients record it. The texts are untrusted."""

from typing import Literal, NamedTuple

from msgspec import Struct


class FileEdit(Struct, frozen=True, kw_only=True):
    """One change of one file: a whole file written, or one part of it replaced. A patch of three parts is three."""

    path: str
    """The file, as the client recorded it: absolute, or relative to the working folder of the call or session."""
    kind: Literal["write", "edit", "delete", "move"]
    """``write``: the whole file is new; ``edit``: a part of it is replaced."""
    before: str | None = None
    """The replaced text, with the lines around it if the client recorded those; empty where there was none. None if it
    is not recorded."""
    after: str | None = None
    """The text afterwards: of a write the whole file, of an edit the new part with the same lines around it. What this
    edit added or removed is the difference of the two."""
    line: int | None = None
    """The first line of ``after`` in the file afterwards, from 1; None if it is not recorded."""
    moved_to: str | None = None
    """Of a move, and of an edit that comes with one: the file's path afterwards."""
    is_cut: bool = False
    """Whether a text is longer than what is given of it, which ends with a line."""


class CallChange(NamedTuple):
    """What one call changed in files."""

    tool: str
    time: int
    """When it was made, in microseconds since 1970."""
    edits: tuple[FileEdit, ...]
    is_failed: bool = False
    """Whether the call failed, so that nothing was changed."""
    is_left_out: bool = False
    """Whether its edits are left out, since those of other calls are very long."""
