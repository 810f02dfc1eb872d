"""Where a client's configuration file is on this machine, and in which folder it has to stay."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from seqthink.connect.clients.launch import SERVER_NAME
from seqthink.connect.clients.registry import ConfigFile, McpClient, Scope
from seqthink.core.errors import ClientFileError, UsageError

_MAX_LOOK_BYTES = 1 << 20


class FilePlace(Struct, frozen=True):
    """One configuration file, by its absolute path."""

    path: Path
    """As the client names it; it may be a link."""
    shown: str
    """As the user knows it."""
    roots: tuple[Path, ...]
    """The folders, without links; it has to end up in one of them."""
    is_private: bool
    """Whether only its owner may read it when it is created: not a file that a project shares."""


def home_folder(environ: Mapping[str, str]) -> Path:
    """Return the user's home folder.

    Raises:
        ClientFileError: it is not known, or is not an absolute path.
    """
    named = environ.get("HOME")
    if named is None or sys.platform == "win32":
        try:
            return Path.home()
        except RuntimeError:
            raise ClientFileError("the home folder is not known; set HOME") from None
    if not named.startswith("/"):
        raise ClientFileError("HOME is not an absolute path; set it to your home folder")
    return Path(named)


def config_file(client: McpClient, scope: Scope, environ: Mapping[str, str]) -> ConfigFile:
    """Return the file of ``client`` for all projects of the user, or for one.

    Raises:
        UsageError: the client has none.
    """
    for file in client.config_files(sys.platform, environ):
        if file.scope == scope:
            return file
    raise UsageError(f"{client.title} has no configuration file for one project; leave --scope out")


def place_of(file: ConfigFile, environ: Mapping[str, str]) -> FilePlace:
    """Return where ``file`` is; a project's file is looked for in the current folder.

    Of several names that a client reads, it is the one with our entry, else one that exists, else the preferred one.

    Raises:
        ClientFileError: its path needs a home folder, and that is not known.
    """
    shown = file.path
    home = home_folder(environ) if file.scope == "user" else None
    path = expanded(shown, home)
    names = (path, *(path.with_name(name) for name in file.other_names))
    existing = [name for name in names if os.path.lexists(name)]
    chosen = next((name for name in existing if _names_us(name)), existing[0] if existing else path)
    if chosen is not path:
        shown = shown.removesuffix(path.name) + chosen.name
    return FilePlace(chosen, shown, _roots(chosen, home), file.scope == "user")


def expanded(path: str, home: Path | None) -> Path:
    """Return the absolute path of a file as the table of the clients names it; without a home it is a project's."""
    if sys.platform == "win32":
        path = os.path.expandvars(path)
    if home is not None and (path == "~" or path.startswith(("~/", "~\\"))):
        return home / path[2:]
    return Path.cwd() / path


def _roots(path: Path, home: Path | None) -> tuple[Path, ...]:
    if home is None:
        return (Path.cwd().resolve(), *_known_home())
    # A folder that a variable names (CODEX_HOME, XDG_CONFIG_HOME) may be anywhere; a link out of the home may not.
    return (home.resolve(),) if path.is_relative_to(home) else (path.parent.resolve(), home.resolve())


def _known_home() -> tuple[Path, ...]:
    try:
        return (home_folder(os.environ).resolve(),)
    except ClientFileError:
        return ()


def _names_us(path: Path) -> bool:
    """Return whether a file may hold our entry; the editor reads it more carefully."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return SERVER_NAME.encode() in file.read(_MAX_LOOK_BYTES)
    except OSError:
        return False
