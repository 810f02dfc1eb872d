"""How clients start servers, as far as it decides whether one can be found: environment and working folder. Pure.

Seen on Linux on 2026-11-24, with entries whose program wrote down its environment and folder: Claude Code 2.1.197,
Codex 0.169.0, Gemini CLI 0.61.0, OpenCode 1.18.33; on 2026-11-29 Copilot CLI 1.0.102, which leaves out the key of its
model, Kilo 7.7.7, Qwen Code 0.24.4, Cline CLI 3.0.65 and pi 1.6.0. All also set variables of their own, which are left
out here; Codex puts two folders of its own in front of PATH. The desktop programs were not tried: for them it is the
list of inherited variables of MCP's TypeScript library, and the search path of a program that no shell has started.
"""

import re
from collections.abc import Mapping
from typing import Final

from seqthink.connect.clients.registry import CLIENTS

_SECRET_NAME: Final = re.compile("AUTH|CERT|CRED|KEY|PASSW|PRIVATE|SECRET|TOKEN", re.IGNORECASE)
_PASSED: Final = frozenset(
    {
        *("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"),
        # on Windows
        *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERDOMAIN", "USERNAME", "USERPROFILE", "WINDIR"),
    }
)
"""All that the other clients give to a server; Codex has been seen to."""
_DESKTOP_PATHS: Final[Mapping[str, str]] = {
    "darwin": "/usr/bin:/bin:/usr/sbin:/sbin",
    "linux": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}
"""The search path of a program that no shell has started. Windows has one path for all."""


def starts_in_current_folder(client: str) -> bool:
    """Return whether a server's working folder is the one in which ``client`` was started, else it is not known."""
    return bool(CLIENTS[client].program)


def client_environment(client: str, environ: Mapping[str, str], platform: str) -> Mapping[str, str]:
    """Return the environment that ``client`` gives to a server, before the entry's own variables.

    Args:
        client: its name on the command line.
        environ: the environment of the shell.
        platform: as in `sys.platform`.
    """
    passes = CLIENTS[client].passes
    if passes == "all":
        return dict(environ)
    if passes == "public":
        return {name: value for name, value in environ.items() if not _SECRET_NAME.search(name)}
    kept = {name: value for name, value in environ.items() if name.upper() in _PASSED}
    if not starts_in_current_folder(client) and platform in _DESKTOP_PATHS:
        kept["PATH"] = _DESKTOP_PATHS[platform]
    return kept


def environment_in_words(client: str) -> str:
    """Return in words what `client_environment` keeps."""
    passes = CLIENTS[client].passes
    if passes == "all":
        return "with this shell's environment, as the client starts it"
    if passes == "public":
        return "with this shell's environment but for secrets, as the client starts it"
    if starts_in_current_folder(client):
        return "with HOME, PATH and a few more variables, as the client starts it"
    return "with HOME and the system's own PATH, as a desktop program starts it"
