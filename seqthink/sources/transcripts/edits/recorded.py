"""Edits as records hold them: they cost almost nothing until somebody asks for one, and most readers never do.

A fact has its edits together with the record's own texts, so whatever keeps facts leaves them out (`without_edits`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, cast, overload

from msgspec.structs import replace
from typing_extensions import override

from seqthink.sources.transcripts.edits.tools import EDIT_TOOLS, SHELL_TOOLS
from seqthink.sources.transcripts.facts import Fact, FileEdit, Result, ToolCall
from seqthink.sources.transcripts.json_fields import Fields, as_fields, list_in, text_in

MAX_COMMAND_CHARS: Final = 1 << 16
MAX_EDITS: Final = 1000
"""How many edits of one call count."""


class RecordedEdits(Sequence[FileEdit]):
    """The edits of one call, which are made when the first one is asked for.

    Args:
        make: makes them. It never raises, whatever the record holds.
    """

    __slots__ = ("_edits", "_make")

    def __init__(self, make: Callable[[], Iterable[FileEdit]]) -> None:
        self._make: Callable[[], Iterable[FileEdit]] | None = make
        self._edits: tuple[FileEdit, ...] = ()

    @property
    def _made(self) -> tuple[FileEdit, ...]:
        if self._make is not None:
            self._edits, self._make = tuple(islice(self._make(), MAX_EDITS)), None
        return self._edits

    @overload
    def __getitem__(self, index: int) -> FileEdit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[FileEdit]: ...
    @override
    def __getitem__(self, index: int | slice) -> FileEdit | Sequence[FileEdit]:
        return self._made[index]

    @override
    def __len__(self) -> int:
        return len(self._made)

    @override
    def __iter__(self) -> Iterator[FileEdit]:
        return iter(self._made)

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._made == tuple(cast("Sequence[object]", other))

    @override
    def __hash__(self) -> int:
        return hash(self._made)

    @override
    def __repr__(self) -> str:
        return repr(self._made)


def edits_asked(tool: str, arguments: object) -> Sequence[FileEdit]:
    """Return what a call is to change, by its arguments: decoded, or as the bytes of a JSON value."""
    return RecordedEdits(partial(_asked, tool, arguments)) if tool in EDIT_TOOLS else ()


def edits_of_diff(diff: str, path: str = "") -> Sequence[FileEdit]:
    """Return what a unified diff changes: of the file at ``path``, or of those that it names."""
    return RecordedEdits(partial(_different, diff, path)) if diff else ()


def command_of(tool: str, arguments: object) -> str:
    """Return the whole command that a call runs in a shell; empty if the call does something else."""
    if tool not in SHELL_TOOLS:
        return ""
    fields = as_fields(arguments)
    command = text_in(fields, "command", "cmd")
    if not command:
        listed = [part for part in list_in(fields, "commands", "command", "cmd") if isinstance(part, str)]
        is_program = len(listed) > 2 and listed[1] in {"-c", "-lc"}  # the shell itself is named, too
        command = "\n".join(listed[2:] if is_program else listed)
    return command[:MAX_COMMAND_CHARS]


def folder_of(tool: str, arguments: object) -> str | None:
    """Return the folder that a command runs in; None if the call does not name one."""
    fields: Fields = as_fields(arguments) if tool in SHELL_TOOLS else {}
    return text_in(fields, "workdir", "cwd", "working_directory", "directory", "dir_path") or None


def edits_done(call: ToolCall, result: Result | None) -> Sequence[FileEdit]:
    """Return what a call has changed: what its result says, else what it asked for; nothing if it failed."""
    if result is None or result.is_error:
        return ()
    return result.edits or call.edits


def without_edits(facts: Iterable[Fact]) -> list[Fact]:
    """Return facts that keep no text of a file."""
    return [_without_edits(fact) if isinstance(fact, ToolCall | Result) else fact for fact in facts]


def _without_edits(fact: ToolCall | Result) -> Fact:
    has_command = isinstance(fact, ToolCall) and fact.command
    if fact.edits is _NOTHING and not has_command:
        return fact
    return replace(fact, edits=_NOTHING, command="") if isinstance(fact, ToolCall) else replace(fact, edits=_NOTHING)


_NOTHING: Final[tuple[FileEdit, ...]] = ()


def _asked(tool: str, arguments: object) -> Iterable[FileEdit]:
    from seqthink.sources.transcripts.edits import parsing  # noqa: PLC0415 - few ask for an edit

    return parsing.asked(tool, arguments)


def _different(diff: str, path: str) -> Iterable[FileEdit]:
    from seqthink.sources.transcripts.edits import parsing  # noqa: PLC0415 - as above

    return parsing.different(diff, path)
