"""Which servers a client's files name, and which entry of them counts."""

import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, cast

from msgspec import Struct

from seqthink.connect.client_files.leftovers import drop_leftovers
from seqthink.connect.client_files.locking import own_writes
from seqthink.connect.client_files.places import FilePlace, place_of
from seqthink.connect.client_files.plugins import Plugin, plugins_with_us
from seqthink.connect.client_files.reading import ClientFile, FileStamp, read_client_file, read_settled
from seqthink.connect.clients.editing.documents import read_document
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.connect.clients.entries import is_ours, is_reference_server, words_of
from seqthink.connect.clients.launch import SERVER_NAME
from seqthink.connect.clients.registry import McpClient, Scope
from seqthink.connect.doctor.client_switches import switch_files
from seqthink.connect.doctor.switches.claude_code import project_members
from seqthink.connect.doctor.switches.client_switch import ReadFile
from seqthink.core.errors import SeqthinkError

EntryScope = Literal["user", "project", "local", "plugin"]
"""Where an entry is: ``local`` is Claude Code's own list for one folder, in the user's file."""
_PRECEDENCE: tuple[EntryScope, ...] = ("local", "project", "user", "plugin")
"""Which entry of one name counts, as Claude Code and the others have been seen to choose."""


class NamedEntry(Struct, frozen=True):
    """A server's entry in a file. Untrusted."""

    name: str
    entry: Mapping[str, Any]
    scope: EntryScope
    place: FilePlace
    plugin: Plugin | None = None
    """The plugin or extension that it is in."""


class FileProblem(Struct, frozen=True):
    """Why a file says nothing."""

    scope: Scope
    path: Path | None
    """The file; None if it is not known where it would be."""
    reason: str
    """In words that may name things of this machine."""
    line: int = 0
    column: int = 0
    """Where it does not parse; 0 if that is not the problem."""


class ClientEntries(Struct, frozen=True):
    """What all files of a client say about us."""

    client: McpClient
    ours: Sequence[NamedEntry] = ()
    """Our server's entries, the one that counts first: by our name before others, then a folder's before the user's."""
    references: Sequence[NamedEntry] = ()
    """Entries of the reference server under names of their own."""
    problems: Sequence[FileProblem] = ()
    files: Sequence[ReadFile] = ()
    """All files that could be read, also those that hold no entries, but decide over them."""
    project: str = ""
    """The folder by which Claude Code knows the current one."""


def read_entries(
    client: McpClient, platform: str, environ: Mapping[str, str], wait: Callable[[], None]
) -> ClientEntries:
    """Return what the files of ``client`` say.

    Args:
        client: the client.
        platform: as in `sys.platform`.
        environ: the environment, which says where files are.
        wait: waits a moment for a client that is writing its file.
    """
    entries: list[NamedEntry] = []
    problems: list[FileProblem] = []
    files: list[ReadFile] = []
    project = _project_folder() if client.has_folder_lists else ""
    seen: set[str] = set()
    for file in client.config_files(platform, environ):
        try:
            place = place_of(file, environ)
            real = os.path.realpath(place.path)
            if real in seen:  # in the home folder, a project's file may be the user's
                continue
            seen.add(real)
            drop_leftovers(place.path, environ)
        except SeqthinkError as error:
            problems.append(FileProblem(file.scope, None, str(error)))
            continue
        try:
            value = _value_of(client, place, wait, own_writes(environ))
            files.append(ReadFile(str(place.path), place.path.name, value))
            entries += _entries_of(client, value, file.scope, place)
            entries += _local_entries(client, project_members(value, project), place)
        except ConfigTextError as error:
            problems.append(FileProblem(file.scope, place.path, error.reason, error.line, error.column))
        except SeqthinkError as error:
            problems.append(FileProblem(file.scope, place.path, str(error)))
    ours = [one for one in entries if one.name == SERVER_NAME or is_ours(one.entry)]
    ours += _entries_of_plugins(client, environ, ours)
    ours.sort(key=lambda one: (one.name != SERVER_NAME, _PRECEDENCE.index(one.scope)))
    references = [one for one in entries if one.name != SERVER_NAME and is_reference_server(one.entry)]
    files += _switches(client, environ)
    return ClientEntries(client, ours, references, problems, files, project)


def _entries_of_plugins(
    client: McpClient, environ: Mapping[str, str], others: Sequence[NamedEntry]
) -> Iterator[NamedEntry]:
    """Yield the entries in plugins; a client may run one beside others, unless they start the very same command."""
    for plugin in plugins_with_us(client, environ):
        is_same = any(words_of(one.entry) == words_of(plugin.entry) for one in others)
        is_apart = client.runs_plugins_apart and not is_same
        name = f"plugin:{plugin.name.partition('@')[0]}:{plugin.server}" if is_apart else plugin.server
        place = FilePlace(plugin.path, plugin.name, (), is_private=True)
        yield NamedEntry(name, plugin.entry, "plugin", place, plugin)


def _value_of(
    client: McpClient, place: FilePlace, wait: Callable[[], None], own: Container[FileStamp]
) -> Mapping[str, Any]:
    def understand(read: ClientFile) -> Mapping[str, Any]:
        return read_document(client.syntax, read.text()).value

    return read_settled(lambda: read_client_file(place.path, place.roots), understand, wait, own)


def _entries_of(client: McpClient, members: Mapping[str, Any], scope: EntryScope, place: FilePlace) -> list[NamedEntry]:
    value: object = members
    for key in client.key_path:
        value = cast("Mapping[str, object]", value).get(key, {}) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping):
        raise ConfigTextError(f"`{'.'.join(client.key_path)}` is not a table of servers", 1, 1)
    servers = cast("Mapping[str, object]", value)
    return [
        NamedEntry(name, cast("Mapping[str, Any]", entry) if isinstance(entry, Mapping) else {}, scope, place)
        for name, entry in servers.items()
    ]


def _local_entries(client: McpClient, members: Mapping[str, Any], place: FilePlace) -> list[NamedEntry]:
    """Return the entry of our name in Claude Code's list for this folder; `claude mcp add` writes there."""
    if not isinstance(members.get(client.key_path[0]), Mapping):
        return []
    return [one for one in _entries_of(client, members, "local", place) if one.name == SERVER_NAME]


def _switches(client: McpClient, environ: Mapping[str, str]) -> Iterator[ReadFile]:
    for file in switch_files(client.name, environ):
        with suppress(SeqthinkError):  # what the client cannot read switches nothing off
            place = place_of(file, environ)
            read = read_client_file(place.path, place.roots)
            yield ReadFile(str(place.path), place.path.name, read_document(client.syntax, read.text()).value)


def _project_folder() -> str:
    """Return the repository's folder, else the current one; "" if that has gone."""
    with suppress(OSError):
        here = Path.cwd()
        return str(next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here))
    return ""
