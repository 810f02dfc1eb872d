"""What an entry of a client's configuration starts, read without trust in its form. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from msgspec import Struct

_CONTAINER_PROGRAMS: Final = frozenset({"docker", "podman", "nerdctl"})
CONTAINER_FOLDER: Final = "/tmp/seqthink-doctor"
"""Where a server in a container keeps the journal of the test; the container has a file system of its own."""
FOLDER_VARIABLE: Final = "SEQTHINK_JOURNAL_DIR"
_FOLDER_OPTION, _RESUME_OPTION = "--journal-dir", "--resume"
_PLACEHOLDER: Final = re.compile(
    r"\$\{(?:env:)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\}|\{env:(?P<braced>[A-Za-z_][A-Za-z0-9_]*)\}"
    r"|(?P<other>\$\{[^}]*\}|\{file:[^}]*\})"
)


class EntryError(Exception):
    """An entry starts no program; the reason is in words of this program."""


class PlaceholderError(Exception):
    """An entry holds a placeholder that only the client can fill in."""


class ServerCommand(Struct, frozen=True):
    """How a client starts a server. Untrusted text."""

    words: tuple[str, ...]
    """The program and its arguments; at least one."""
    environment: Mapping[str, str] = {}
    """The entry's own variables."""
    folder: str = ""
    """The working folder that the entry names, if it names one."""

    @property
    def is_container(self) -> bool:
        """Whether the server runs in a container, with a file system of its own."""
        return self.words[0].replace("\\", "/").rpartition("/")[2] in _CONTAINER_PROGRAMS


def read_entry(entry: Mapping[str, Any]) -> ServerCommand:
    """Return what an entry starts, in any client's form.

    Raises:
        EntryError: it starts no program.
    """
    if any(isinstance(entry.get(key), str) for key in ("url", "httpUrl", "serverUrl")):
        raise EntryError("it names an address, and no command")
    command, members = entry.get("command"), entry
    if isinstance(command, Mapping):  # Zed, until 2025
        members = cast("Mapping[str, Any]", command)
        command = members.get("path")
    program = [command] if isinstance(command, str) else command
    words = [*_strings(program, "command"), *_strings(members.get("args", []), "args")]
    if not words or not words[0].strip():
        raise EntryError("it names no command")
    environment: object = members.get("env") or members.get("environment") or {}
    if not isinstance(environment, Mapping):
        raise EntryError("its environment is not a table of variables")
    folder = entry.get("cwd")
    return ServerCommand(
        tuple(words),
        {str(name): _variable(value) for name, value in cast("Mapping[object, object]", environment).items()},
        folder if isinstance(folder, str) else "",
    )


def _strings(value: object, member: str) -> Sequence[str]:
    if value is None:
        raise EntryError("it names no command")
    if not isinstance(value, list):
        raise EntryError(f"its `{member}` is not a list of words")
    words = cast("list[object]", value)
    if not all(isinstance(word, str) for word in words):
        raise EntryError(f"a word of its `{member}` is not text")
    return cast("list[str]", words)


def _variable(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise EntryError("a variable of its environment is not text")
    return str(value)


def filled_in(command: ServerCommand, variables: Mapping[str, str]) -> ServerCommand:
    """Return ``command`` with variables in place of their placeholders, as clients write them.

    Raises:
        PlaceholderError: one of them is not known, or is none of a variable.
    """

    def value(found: re.Match[str]) -> str:
        name = found["name"] or found["braced"]
        if name == "userHome":
            name = "HOME"
        known = variables.get(name) if name else None
        if known is None and found["default"] is not None:
            return found["default"]
        if known is None:
            raise PlaceholderError
        return known

    return ServerCommand(
        tuple(_PLACEHOLDER.sub(value, word) for word in command.words),
        {name: _PLACEHOLDER.sub(value, text) for name, text in command.environment.items()},
        _PLACEHOLDER.sub(value, command.folder),
    )


def with_test_folder(command: ServerCommand, folder: str) -> ServerCommand:
    """Return ``command`` with its journals in ``folder``, and without a session to resume: those are the only changes.

    The folder is named in the environment, and in place of the one that an option names. A container gets the variable
    by an option of its own.
    """
    environment = {**command.environment, FOLDER_VARIABLE: folder, "SEQTHINK_RESUME": ""}
    if not command.is_container:
        return ServerCommand(tuple(_redirected(command.words, folder)), environment, command.folder)
    words = list(_redirected(command.words, CONTAINER_FOLDER))
    for option in (f"{FOLDER_VARIABLE}={CONTAINER_FOLDER}", "SEQTHINK_RESUME="):
        words = [option if word.startswith(option.partition("=")[0] + "=") else word for word in words]
        if "run" in words and option not in words:
            place = words.index("run") + 1
            words[place:place] = ["-e", option]
    return ServerCommand(tuple(words), environment, command.folder)


def _redirected(words: Sequence[str], folder: str) -> Sequence[str]:
    """Return a command line with another folder for journals, up to a `--`, which another command follows."""
    end = words.index("--") if "--" in words else len(words)
    kept: list[str] = []
    place = 0
    while place < end:
        option, equals, _value = words[place].partition("=")
        if option == _FOLDER_OPTION:
            kept += [_FOLDER_OPTION, folder]
        elif option != _RESUME_OPTION:
            kept.append(words[place])
        is_ours = option in {_FOLDER_OPTION, _RESUME_OPTION}
        place += 2 if is_ours and not equals else 1
    return [*kept, *words[end:]]


def named_folder(command: ServerCommand) -> str:
    """Return the folder for journals that the command line names; "" if it names none. The last one counts."""
    end = command.words.index("--") if "--" in command.words else len(command.words)
    named = ""
    for word, behind in zip(command.words[:end], [*command.words[1:end], ""], strict=True):
        option, equals, value = word.partition("=")
        if option == _FOLDER_OPTION:
            named = value if equals else behind
    return named
