"""The server's entry in a client's configuration, in that client's form and syntax. Pure."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, cast

from seqthink.connect.clients.launch import SERVER_NAME, Launch

ServerEntry = Mapping[str, Any]
Syntax = Literal["json", "jsonc", "toml"]
"""`json` is strict; `jsonc` has comments, and may have a comma behind the last member."""
NO_ENTRY: ServerEntry = MappingProxyType({})
"""An entry that says nothing."""

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


def copilot_entry(launch: Launch) -> ServerEntry:
    """Return Copilot CLI's entry, as its own command writes it: a local server with all its tools."""
    return {"type": "local", **plain_entry(launch), "tools": ["*"]}


def qwen_entry(launch: Launch) -> ServerEntry:
    """Return Qwen Code's entry: without its last member, the model has to search for the tool first."""
    return {**plain_entry(launch), "alwaysLoadTools": True}


def pi_entry(launch: Launch) -> ServerEntry:
    """Return pi's entry: without its last member, the model can call the tool only from a script."""
    return {**plain_entry(launch), "exposure": "direct"}


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
    return toml_table((*keys, SERVER_NAME), entry)


def toml_table(path: tuple[str, ...], entry: ServerEntry) -> str:
    """Return ``entry`` as the TOML table at ``path``, its inner tables behind it; without a newline at its end."""
    tables = [f"[{'.'.join(map(toml_key, path))}]", *toml_pairs(entry)]
    for key, value in entry.items():
        if isinstance(value, Mapping):
            tables += ["", toml_table((*path, key), cast("ServerEntry", value))]
    return "\n".join(tables)


def toml_pairs(entry: ServerEntry) -> list[str]:
    """Return a line for each value of ``entry`` that is not a table."""
    return [f"{toml_key(key)} = {toml_value(value)}" for key, value in entry.items() if not isinstance(value, Mapping)]


def toml_key(key: str) -> str:
    """Return ``key`` bare where TOML allows it, else in quotes."""
    return key if _BARE_KEY.fullmatch(key) else toml_value(key)


def toml_value(value: str | bool | list[str]) -> str:
    """Return a string, a truth value or a list of strings in TOML."""
    # JSON strings and lists of strings are valid TOML, except for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
