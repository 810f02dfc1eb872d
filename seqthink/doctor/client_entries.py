"""Which servers a client's files name, and which entry of them counts."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from seqthink.client_files.places import Place, place_of
from seqthink.client_files.reading import ClientFile, read_client_file, read_settled
from seqthink.clients.editing.documents import ConfigTextError, read_document
from seqthink.clients.entries import is_ours, is_reference_server
from seqthink.clients.launch import SERVER_NAME
from seqthink.clients.registry import ConfigFile, McpClient, Scope
from seqthink.errors import SeqthinkError


class NamedEntry(Struct, frozen=True):
    """A server's entry in a file. Untrusted."""

    name: str
    entry: Mapping[str, Any]
    scope: Scope
    place: Place


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
    """Our server's entries, the one that counts first: by our name before others, a project's before the user's."""
    references: Sequence[NamedEntry] = ()
    """Entries of the reference server under names of their own."""
    problems: Sequence[FileProblem] = ()


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
    seen: set[str] = set()
    for file in client.config_files(platform, environ):
        try:
            place = place_of(file, environ)
            real = os.path.realpath(place.path)
            if real in seen:  # in the home folder, a project's file may be the user's
                continue
            seen.add(real)
        except SeqthinkError as error:
            problems.append(FileProblem(file.scope, None, str(error)))
            continue
        try:
            entries += _entries_in(client, file, place, wait)
        except ConfigTextError as error:
            problems.append(FileProblem(file.scope, place.path, error.reason, error.line, error.column))
        except SeqthinkError as error:
            problems.append(FileProblem(file.scope, place.path, str(error)))
    ours = [one for one in entries if one.name == SERVER_NAME or is_ours(one.entry)]
    ours.sort(key=lambda one: (one.name != SERVER_NAME, one.scope != "project"))
    references = [one for one in entries if one.name != SERVER_NAME and is_reference_server(one.entry)]
    return ClientEntries(client, ours, references, problems)


def _entries_in(client: McpClient, file: ConfigFile, place: Place, wait: Callable[[], None]) -> list[NamedEntry]:
    def understand(read: ClientFile) -> Mapping[str, Any]:
        return read_document(client.syntax, read.text()).value

    value: object = read_settled(lambda: read_client_file(place.path, place.roots), understand, wait)
    for key in client.key_path:
        value = cast("Mapping[str, object]", value).get(key, {}) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping):
        raise ConfigTextError(f"`{'.'.join(client.key_path)}` is no table of servers", 1, 1)
    servers = cast("Mapping[str, object]", value)
    return [
        NamedEntry(name, cast("Mapping[str, Any]", entry) if isinstance(entry, Mapping) else {}, file.scope, place)
        for name, entry in servers.items()
    ]
