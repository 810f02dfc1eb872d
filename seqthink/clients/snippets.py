"""The server's entry in a client's configuration, in that client's form and syntax. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from seqthink.clients.launch import SERVER_NAME, Launch

ServerEntry = Mapping[str, Any]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def plain_entry(launch: Launch) -> ServerEntry:
    """Return the entry that most clients read: command, args, and env if there is any."""
    entry: dict[str, Any] = {"command": launch.command, "args": list(launch.arguments)}
    return entry | ({"env": dict(launch.environment)} if launch.environment else {})


def typed_entry(launch: Launch) -> ServerEntry:
    """Return the same entry with its transport."""
    return {"type": "stdio", **plain_entry(launch)}


def opencode_entry(launch: Launch) -> ServerEntry:
    """Return OpenCode's entry: the whole command line is one list."""
    entry: dict[str, Any] = {"type": "local", "command": launch.command_line, "enabled": True}
    return entry | ({"environment": dict(launch.environment)} if launch.environment else {})


def zed_entry(launch: Launch) -> ServerEntry:
    """Return Zed's entry; the versions of 2025 require a source."""
    return {"source": "custom", **plain_entry(launch)}


def as_json(keys: tuple[str, ...], entry: ServerEntry, base: ServerEntry) -> str:
    """Return a complete JSON file: ``base``, then ``entry`` under ``keys`` and the server's name."""
    value: ServerEntry = {SERVER_NAME: entry}
    for key in reversed(keys):
        value = {key: value}
    return json.dumps({**base, **value}, indent=2, ensure_ascii=False)


def as_toml(keys: tuple[str, ...], entry: ServerEntry, _base: ServerEntry) -> str:
    """Return ``entry`` as a TOML table under ``keys`` and the server's name."""
    table_name = ".".join((*keys, SERVER_NAME))
    lines = [f"[{table_name}]"]
    tables: list[str] = []
    for key, value in entry.items():
        if isinstance(value, dict):
            table = cast("dict[str, str]", value)
            tables += [
                "",
                f"[{table_name}.{_key(key)}]",
                *(f"{_key(name)} = {_value(item)}" for name, item in table.items()),
            ]
        else:
            lines.append(f"{_key(key)} = {_value(value)}")
    return "\n".join([*lines, *tables])


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def _value(value: str | list[str]) -> str:
    # JSON strings and lists of strings are valid TOML, except for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
