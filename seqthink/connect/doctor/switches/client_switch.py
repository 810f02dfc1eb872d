"""What the switches of all clients have in common. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from seqthink.connect.clients.launch import SERVER_NAME
from seqthink.connect.clients.registry import ConfigFile
from seqthink.connect.doctor.fixes import shell_word
from seqthink.connect.doctor.results import CheckResult, wrong


class ReadFile(Struct, frozen=True):
    """A file of a client and what it says. Untrusted."""

    path: str
    name: str
    """The last part of the path."""
    value: Mapping[str, Any]


class NamedServer(Struct, frozen=True):
    """The entry that counts, as far as switches go. Untrusted."""

    name: str
    entry: Mapping[str, Any]
    path: str
    """The file that it is in."""
    is_in_project_file: bool


class ClientSwitches(Struct, frozen=True):
    """What decides over the servers of one client, outside of their entries."""

    client: str
    """Its name on the command line."""
    files: Callable[[Mapping[str, str]], Sequence[ConfigFile]]
    """Returns the files that hold no entries of servers, but decide over them, in an environment."""
    checks: Callable[[NamedServer, Sequence[ReadFile], str], Iterator[CheckResult]]
    """Yields what keeps it from using a server, by its files and the folder by which it knows the current one."""


def off(where: str, fix: str, server: NamedServer, file: ReadFile) -> CheckResult:
    """Return that a file switches a server off: where, and what to do, with places for its name and the file."""
    named = f"`{SERVER_NAME}`" if server.name == SERVER_NAME else "the server's name"  # a report holds no other name
    filled = fix.replace("{}", named, 1)
    return wrong("entry", f"it is switched off {where}", server.name, fix=filled, fix_detail=shell_word(file.path))


def table(value: object) -> Mapping[str, Any]:
    """Return a value that is a table; else an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def listed(value: object) -> Sequence[object]:
    """Return a value that is a list; else an empty one."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def lowered(value: object) -> Sequence[str]:
    """Return the texts in a list, in small letters."""
    return [word.strip().lower() for word in listed(value) if isinstance(word, str)]
