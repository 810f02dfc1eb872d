"""Which MCP clients are on this machine."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from seqthink.connect.client_files.places import expanded, home_folder
from seqthink.connect.clients.presence import signs_of
from seqthink.connect.clients.registry import CLIENTS, McpClient
from seqthink.core.errors import ClientFileError

_CLAUDE_PLACES = ("~/.claude/local/claude", "~/.local/bin/claude")
"""Where Claude Code's own installers put it; a shell knows it there by an alias."""


def clients_found(environ: Mapping[str, str]) -> list[McpClient]:
    """Return the clients that are installed here, in the order of the list.

    Raises:
        ClientFileError: the home folder is not known.
    """
    home = home_folder(environ)
    return [client for client in CLIENTS.values() if _is_here(client, home, environ)]


def claude_program(environ: Mapping[str, str]) -> str:
    """Return the path of Claude Code's program; empty if it is not found."""
    found = shutil.which("claude", path=environ.get("PATH"))
    if found:
        return os.path.abspath(found)  # noqa: PTH100 - its link outlives the version that it leads to
    places = [expanded(place, home_folder(environ)) for place in _CLAUDE_PLACES]
    return next((str(place) for place in places if os.access(place, os.X_OK)), "")


def _is_here(client: McpClient, home: Path, environ: Mapping[str, str]) -> bool:
    signs = signs_of(client, sys.platform, environ)
    return any(shutil.which(program, path=environ.get("PATH")) for program in signs.programs) or any(
        _exists(path, home) for path in signs.paths
    )


def _exists(path: str, home: Path) -> bool:
    try:
        found = expanded(path, home)
        return found.exists() and not _is_empty_folder(found)
    except (OSError, ClientFileError):
        return False


def _is_empty_folder(path: Path) -> bool:
    """Whether there is nothing in a folder, as in one that ``--remove`` left behind."""
    try:
        return not any(path.iterdir())
    except OSError:  # a file, or a folder that cannot be read
        return False
