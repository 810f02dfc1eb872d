"""A server's entry in a client's configuration, in that client's own shape and syntax. Pure."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from seqthink.clients.launch import NAME, Launch

Entry = Mapping[str, Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def plain(launch: Launch) -> Entry:
    """Return what most clients read: command, args, and env where it has something to say."""
    entry: dict[str, Any] = {"command": launch.command, "args": list(launch.arguments)}
    return entry | ({"env": dict(launch.environment)} if launch.environment else {})


def typed(launch: Launch) -> Entry:
    """Return the same with its transport named."""
    return {"type": "stdio", **plain(launch)}


def local(launch: Launch) -> Entry:
    """Return OpenCode's entry: one list for the whole command line."""
    entry: dict[str, Any] = {"type": "local", "command": launch.words, "enabled": True}
    return entry | ({"environment": dict(launch.environment)} if launch.environment else {})


def custom(launch: Launch) -> Entry:
    """Return Zed's entry; versions of 2025 take it only with a source."""
    return {"source": "custom", **plain(launch)}


def as_json(keys: tuple[str, ...], entry: Entry, around: Entry) -> str:
    """Return a whole JSON file that holds ``entry`` under ``keys`` and the server's name, and ``around`` before it."""
    value: Entry = {NAME: entry}
    for key in reversed(keys):
        value = {key: value}
    return json.dumps({**around, **value}, indent=2, ensure_ascii=False)


def as_toml(keys: tuple[str, ...], entry: Entry, _around: Entry) -> str:
    """Return ``entry`` as a TOML table under ``keys`` and the server's name."""
    head = ".".join((*keys, NAME))
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
