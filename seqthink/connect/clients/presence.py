"""What on a machine shows that a client is installed: its program, or a file or folder that only it makes. Pure."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from seqthink.connect.clients.registry import McpClient


class ClientSigns(NamedTuple):
    """What to look for; one of it is enough."""

    programs: tuple[str, ...]
    """Programs on the PATH."""
    paths: tuple[str, ...]
    """Files and folders, ``~`` for the home folder."""


_PROGRAMS: Final[Mapping[str, tuple[str, ...]]] = {
    "claude-code": ("claude",),
    "codex": ("codex",),
    "cursor": ("cursor", "cursor-agent"),
    "vscode": ("code",),
    "copilot-cli": ("copilot",),
    "gemini-cli": ("gemini",),
    "kilo": ("kilo", "kilocode"),
    "opencode": ("opencode",),
    "qwen-code": ("qwen",),
    "cline": ("cline",),
    "windsurf": ("windsurf",),
    # Not `pi`, of which name there are others; not `zed`, which is also a part of the file system ZFS.
    "zed": ("zeditor",),
}
_PATHS: Final[Mapping[str, tuple[str, ...]]] = {
    "claude-code": ("~/.claude", "~/.claude/local/claude"),
    "cline": ("~/.cline",),
    "zed": ("~/.local/bin/zed", "~/.local/zed.app"),
}
_MAC_APPLICATIONS: Final[Mapping[str, str]] = {
    "claude-desktop": "Claude",
    "cursor": "Cursor",
    "vscode": "Visual Studio Code",
    "windsurf": "Windsurf",
    "zed": "Zed",
}


def signs_of(client: McpClient, platform: str, environ: Mapping[str, str]) -> ClientSigns:
    """Return what shows on a platform (`sys.platform`) that ``client`` is installed."""
    files = [file for file in client.config_files(platform, environ) if file.scope == "user"]
    own = [path for file in files for path in (file.path, _folder(file.path))]
    application = _MAC_APPLICATIONS.get(client.name) if platform == "darwin" else None
    applications = [f"{root}/Applications/{application}.app" for root in ("", "~")] if application else []
    paths = [path for path in (*own, *_PATHS.get(client.name, ()), *applications) if path not in {"~", ""}]
    return ClientSigns(_PROGRAMS.get(client.name, ()), tuple(paths))


def _folder(path: str) -> str:
    return path.rpartition("\\" if "\\" in path else "/")[0]
