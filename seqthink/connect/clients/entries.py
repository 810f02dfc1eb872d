"""Whose server an entry of a client's configuration starts: ours, the reference server, or another. Pure."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, cast

from seqthink.connect.clients.launch import SERVER_NAME

REFERENCE_PACKAGE: Final = "server-sequential-thinking"
"""The reference server's package; its tool has the same name as ours."""
_LAUNCHERS: Final = frozenset({"uvx", "uv", "pipx", "docker", "podman", "nerdctl", "env", "cmd", "sh", "bash", "zsh"})
"""Programs that start what a later word names."""
_PYTHON: Final = re.compile(r"(?:python|pypy)[\d.]*")
_OURS: Final = re.compile(rf"{SERVER_NAME}(?:\[[\w,-]*\])?(?:[@:=~<>!].*)?")
"""Our name as a program, a package with its version, or an image with its tag."""
_REFERENCE: Final = re.compile(
    rf"(?:.*[/=])?(?:mcp-)?{REFERENCE_PACKAGE}(?:[/@].*|\.cmd)?|(?:[\w.:-]+/)?mcp/sequentialthinking(?:[:@].*)?|"
    r".*/sequentialthinking/dist/index\.js"
)


def words_of(entry: object) -> list[str]:
    """Return the command line that an entry starts; empty if it starts none that can be read."""
    if not isinstance(entry, Mapping):
        return []
    members = cast("Mapping[str, Any]", entry)
    command = members.get("command")
    if isinstance(command, Mapping):  # as in older settings of Zed
        inner = cast("Mapping[str, Any]", command)
        return [word for name in ("path", "args") for word in _words(inner.get(name))]
    return [word for name in ("command", "args") for word in _words(members.get(name))]


def is_ours(entry: object) -> bool:
    """Return whether an entry starts seqthink, however it is started."""
    words = words_of(entry)
    if not words:
        return False
    program = _base_name(words[0])
    if _PYTHON.fullmatch(program):
        return _runs_module(words[1:])
    return _is_our_name(words[0]) or (program in _LAUNCHERS and any(map(_is_our_name, words[1:])))


def is_reference_server(entry: object) -> bool:
    """Return whether an entry starts the reference server by itself, and not inside our tap."""
    return not is_ours(entry) and any(_REFERENCE.fullmatch(word.replace("\\", "/")) for word in words_of(entry))


def _words(value: object) -> Sequence[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [word for word in cast("list[object]", value) if isinstance(word, str)]
    return []


def _runs_module(arguments: Sequence[str]) -> bool:
    return any(
        option == "-m" and module in {SERVER_NAME, f"{SERVER_NAME}.__main__"} for option, module in pairwise(arguments)
    )


def _is_our_name(word: str) -> bool:
    return _OURS.fullmatch(_base_name(word)) is not None


def _base_name(word: str) -> str:
    """Return the last part of a path, in lower case and without the suffix of a Windows program."""
    name = word.replace("\\", "/").rpartition("/")[2].lower()
    return re.sub(r"\.(?:exe|cmd|bat)\Z", "", name)
