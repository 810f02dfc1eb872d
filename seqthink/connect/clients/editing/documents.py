"""A client's configuration, read for editing: one interface to JSON, JSON with comments and TOML."""

from collections.abc import Mapping
from typing import Any, Protocol

from seqthink.connect.clients.editing.errors import error_at
from seqthink.connect.clients.editing.json_document import JsonDocument
from seqthink.connect.clients.editing.toml_document import TomlDocument
from seqthink.connect.clients.snippets import NO_ENTRY, ServerEntry, Syntax


class ConfigDocument(Protocol):
    """A client's configuration, read; never changed in place."""

    text: str
    """As read; a byte order mark stays."""
    value: Mapping[str, Any]
    """What it says."""

    def server(self, keys: tuple[str, ...], name: str) -> ServerEntry | None:
        """Return what the server ``name`` under ``keys`` says, None if there is none.

        Raises:
            ConfigTextError: a key on the way is there twice, or it, or the server, is not an object or table.
        """
        ...

    def with_server(self, keys: tuple[str, ...], name: str, entry: ServerEntry, base: ServerEntry = NO_ENTRY) -> str:
        """Return the text in which the server ``name`` under ``keys`` says ``entry``; the same text if it does already.

        Members of an old entry that ``entry`` does not name stay. ``base`` goes before it where the text says nothing
        yet.

        Raises:
            ConfigTextError: a key on the way is there twice, or leads to no table of servers.
        """
        ...

    def without_server(self, keys: tuple[str, ...], name: str) -> str:
        """Return the text without the server ``name`` under ``keys``; the same text if it has none.

        Raises:
            ConfigTextError: a key on the way is there twice, or leads to no table of servers.
        """
        ...


def read_document(syntax: Syntax, text: str) -> ConfigDocument:
    """Return what ``text`` says, ready to be edited; a text without any content is an empty configuration.

    Raises:
        ConfigTextError: it does not parse, its top level is not an object, or it holds a lone surrogate, which no file
            in UTF-8 does.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise error_at(text, error.start, "this character is not text (a lone surrogate)") from None
    return TomlDocument(text) if syntax == "toml" else JsonDocument(syntax, text)


def server_of(document: ConfigDocument, keys: tuple[str, ...], name: str) -> ServerEntry | None:
    """Return the entry of the server ``name`` under ``keys``, None if there is none.

    Raises:
        ConfigTextError: a key on the way is there twice, or it, or the server, is not an object or table; at its place.
    """
    return document.server(keys, name)
