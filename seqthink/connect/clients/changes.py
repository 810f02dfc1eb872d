"""What is to become of a client's configuration: our entry in, out or renewed, and nothing else touched. Pure."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from seqthink.connect.clients.editing.documents import ConfigDocument, read_document, server_of
from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.connect.clients.editing.verify import change_is_only_ours
from seqthink.connect.clients.entries import is_ours, is_reference_server
from seqthink.connect.clients.launch import SERVER_NAME
from seqthink.connect.clients.registry import McpClient
from seqthink.connect.clients.snippets import ServerEntry
from seqthink.connect.clients.wish import Wish
from seqthink.core.errors import ClientFileError


class Change(NamedTuple):
    """A configuration before and after."""

    old: str
    new: str
    entry: ServerEntry | None
    """What was under our name."""
    replaced: tuple[str, ...] = ()
    """The names of the reference server's entries that go."""
    remaining: tuple[str, ...] = ()
    """The names of those that stay."""


def changed(client: McpClient, text: str, entry: ServerEntry, wish: Wish) -> Change:
    """Return what ``wish`` makes of the configuration ``text`` of ``client``; ``entry`` is that of our server.

    Raises:
        ConfigTextError: the text does not parse, or does not let itself be edited.
        ClientFileError: there is a server of our name that is not ours.
    """
    document = read_document(client.syntax, text)
    present = server_of(document, client.key_path, SERVER_NAME)
    if present is not None and not is_ours(present) and not wish.forces:
        raise ClientFileError(
            f"there is a server {SERVER_NAME} that does not start seqthink; --force takes its place"
            if not wish.removes
            else f"the server {SERVER_NAME} there does not start seqthink; --force removes it all the same"
        )
    references = _references(document, client.key_path)
    new = text
    replaced = references if wish.replaces else ()
    for name in replaced:
        new = _without(client, new, name)
    if wish.removes:
        new = _without(client, new, SERVER_NAME)
    else:
        if present is not None and not is_ours(present):
            new = _without(client, new, SERVER_NAME)
        new = _with_entry(client, new, entry)
    return Change(text, new, present, replaced, () if replaced else references)


def restored(client: McpClient, text: str, originals: Mapping[str, str]) -> str | None:
    """Return the name of that text in ``originals`` that became ``text`` when our entry was put in.

    That edit may have taken the place of another server of our name, and taken the reference server out, too. None if
    there is none: then something else has changed since.
    """
    entry = server_of(read_document(client.syntax, text), client.key_path, SERVER_NAME)
    if entry is None:
        return None
    return next((name for name, original in originals.items() if _leads_to(client, original, entry, text)), None)


def _leads_to(client: McpClient, original: str, entry: ServerEntry, text: str) -> bool:
    try:
        present = server_of(read_document(client.syntax, original), client.key_path, SERVER_NAME)
        return not is_ours(present) and any(
            changed(client, original, entry, Wish(replaces=replaces, forces=True)).new == text
            for replaces in (False, True)
        )
    except (ClientFileError, ConfigTextError):
        return False


def _references(document: ConfigDocument, keys: tuple[str, ...]) -> tuple[str, ...]:
    servers: Any = document.value
    for key in keys:
        servers = cast("Mapping[str, Any]", servers).get(key, {}) if isinstance(servers, Mapping) else {}
    if not isinstance(servers, Mapping):
        return ()
    named = cast("Mapping[str, Any]", servers)
    return tuple(name for name, entry in named.items() if name != SERVER_NAME and is_reference_server(entry))


def _without(client: McpClient, text: str, name: str) -> str:
    return _verified(client, text, name, lambda document: document.without_server(client.key_path, name))


def _with_entry(client: McpClient, text: str, entry: ServerEntry) -> str:
    base = client.base
    return _verified(
        client, text, SERVER_NAME, lambda document: document.with_server(client.key_path, SERVER_NAME, entry, base)
    )


def _verified(client: McpClient, text: str, name: str, edit: Callable[[ConfigDocument], str]) -> str:
    """Return the edited text if a second look at it finds that only the entry ``name`` differs."""
    new = edit(read_document(client.syntax, text))
    if new != text and not _is_only_ours(client, text, new, name):
        raise ClientFileError(f"the entry {name} cannot be edited without a change elsewhere in the file")
    return new


def _is_only_ours(client: McpClient, old: str, new: str, name: str) -> bool:
    return change_is_only_ours(client.syntax, old, new, client.key_path, name, client.base)
