"""One server's table put into, changed in or taken out of a TOML text."""

import tomllib
from typing import Any

import tomlkit

from seqthink.clients.editing.errors import ConfigTextError
from seqthink.clients.snippets import ServerEntry, as_toml


class TomlDocument:
    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self.value: dict[str, Any] = tomllib.loads(text.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError as error:
            raise ConfigTextError(str(error), 1, 1) from None

    def with_server(self, keys: tuple[str, ...], name: str, entry: ServerEntry, base: ServerEntry = {}) -> str:
        return self.text + ("\n" if self.text.strip() else "") + as_toml(keys, entry, base) + "\n"

    def without_server(self, keys: tuple[str, ...], name: str) -> str:
        document = tomlkit.parse(self.text)
        servers: Any = document
        for key in keys:
            servers = servers.get(key, {})
        servers.pop(name, None)
        return tomlkit.dumps(document)
