"""A server's entry in a client's configuration, in that client's own shape and syntax. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from seqthink.clients.launch import SERVER_NAME, Launch

ServerEntry = Mapping[str, Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def plain_entry(launch: Launch) -> ServerEntry:
    """Return what most clients read: command, args, and env where it has something to say."""
    entry: dict[str, Any] = {"command": launch.command, "args": list(launch.arguments)}
    return entry | ({"env": dict(launch.environment)} if launch.environment else {})


def typed_entry(launch: Launch) -> ServerEntry:
    """Return the same with its transport named."""
    return {"type": "stdio", **plain_entry(launch)}


def opencode_entry(launch: Launch) -> ServerEntry:
    """Return OpenCode's entry: one list for the whole command line."""
    entry: dict[str, Any] = {"type": "local", "command": launch.command_line, "enabled": True}
    return entry | ({"environment": dict(launch.environment)} if launch.environment else {})


def zed_entry(launch: Launch) -> ServerEntry:
    """Return Zed's entry; versions of 2025 take it only with a source."""
    return {"source": "custom", **plain_entry(launch)}


def as_json(keys: tuple[str, ...], entry: ServerEntry, base: ServerEntry) -> str:
    """Return a whole JSON file that holds ``entry`` under ``keys`` and the server's name, and ``around`` before it."""
    value: ServerEntry = {SERVER_NAME: entry}
    for key in reversed(keys):
        value = {key: value}
    return json.dumps({**base, **value}, indent=2, ensure_ascii=False)


def as_toml(keys: tuple[str, ...], entry: ServerEntry, _around: ServerEntry) -> str:
    """Return ``entry`` as a TOML table under ``keys`` and the server's name."""
    head = ".".join((*keys, SERVER_NAME))
    lines = [f"[{head}]"]
    tables: list[str] = []
    for key, value in entry.items():
        if isinstance(value, dict):
            table = cast("dict[str, str]", value)
            tables += ["", f"[{head}.{_key(key)}]", *(f"{_key(name)} = {_value(item)}" for name, item in table.items())]
        else:
            lines.append(f"{_key(key)} = {_value(value)}")
    return "\n".join([*lines, *tables])


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: str | list[str]) -> str:
    # JSON's strings and lists of strings are TOML's, but for one character that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
