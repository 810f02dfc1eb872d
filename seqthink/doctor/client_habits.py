"""How clients start servers, as far as it decides whether one can be found: environment and search path. Pure.

From the programs themselves (Claude Code 2.1, Codex 0.169, Gemini CLI 0.61, OpenCode) and MCP's TypeScript library,
whose list of inherited variables the desktop programs use.
"""

from collections.abc import Mapping
from typing import Final

_PASS_ALL: Final = frozenset({"claude-code", "gemini-cli", "opencode"})
"""Clients that start a server with all of their own environment."""
_TERMINAL: Final = frozenset({*_PASS_ALL, "codex"})
"""Clients that run in a terminal, so that they have the search path of its shell."""
_PASSED: Final = frozenset(
    {
        *("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"),
        # on Windows
        *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERDOMAIN", "USERNAME", "USERPROFILE", "WINDIR"),
    }
)
"""All that the other clients give to a server."""
_DESKTOP_PATHS: Final[Mapping[str, str]] = {
    "darwin": "/usr/bin:/bin:/usr/sbin:/sbin",
    "linux": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}
"""The search path of a program that no shell has started. Windows has one path for all."""


def passes_environment(client: str) -> bool:
    """Return whether servers get all variables of the shell in which ``client`` was started."""
    return client in _PASS_ALL


def client_environment(client: str, environ: Mapping[str, str], platform: str) -> Mapping[str, str]:
    """Return the environment that ``client`` gives to a server, before the entry's own variables.

    Args:
        client: its name on the command line.
        environ: the environment of the shell.
        platform: as in `sys.platform`.
    """
    if client in _PASS_ALL:
        return dict(environ)
    kept = {name: value for name, value in environ.items() if name.upper() in _PASSED}
    if client not in _TERMINAL and platform in _DESKTOP_PATHS:
        kept["PATH"] = _DESKTOP_PATHS[platform]
    return kept


def environment_in_words(client: str) -> str:
    """Return in words what `client_environment` keeps."""
    if client in _PASS_ALL:
        return "with this shell's environment, as the client starts it"
    if client in _TERMINAL:
        return "with HOME, PATH and a few more variables, as the client starts it"
    return "with HOME and the system's own PATH, as a desktop program starts it"
