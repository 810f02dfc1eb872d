"""The clients by name: what their configuration looks like, where it is, and the command that writes it. Pure."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from seqthink.clients import snippets
from seqthink.clients.launch import NAME, Launch
from seqthink.clients.snippets import Entry

_MAC = "darwin"
_WINDOWS = "win32"
_SUPPORT = "~/Library/Application Support"


class Place(Struct, frozen=True):
    """A file that a client reads, and for which folders it counts."""

    path: str
    whose: str = "all your projects"


class Client(Struct, frozen=True):
    """One client: its name on the command line and in prose, and how it learns of a server."""

    name: str
    title: str
    places: Callable[[str, Mapping[str, str]], Sequence[Place]]
    """Its files on a platform (`sys.platform`) and in an environment, the best one first."""
    entry: Callable[[Launch], Entry] = snippets.plain
    keys: tuple[str, ...] = ("mcpServers",)
    """The keys that lead to the servers in its file."""
    around: Entry = {}
    spell: Callable[[tuple[str, ...], Entry, Entry], str] = snippets.as_json
    command: Callable[[Launch], Sequence[str]] | None = None
    """The command of its own that adds a server for all projects, if it has one; no words if it cannot add this one."""
    then: str = "Restart it"
    """What makes it read its file again."""

    def snippet(self, launch: Launch) -> str:
        """Return the whole of a file that names this server and no other."""
        return self.spell(self.keys, self.entry(launch), self.around)

    def command_line(self, launch: Launch) -> str:
        """Return the command that adds the server, for a POSIX shell; empty where there is none."""
        return shlex.join(self.command(launch)) if self.command else ""


def _fixed(*places: Place) -> Callable[[str, Mapping[str, str]], Sequence[Place]]:
    return lambda _platform, _environ: places


def _application(folder: str, file: str) -> Callable[[str, Mapping[str, str]], str]:
    """Return where a desktop application keeps ``file``, by platform."""

    def path(platform: str, environ: Mapping[str, str]) -> str:
        if platform == _MAC:
            return f"{_SUPPORT}/{folder}/{file}"
        if platform == _WINDOWS:
            return "\\".join(("%APPDATA%", folder, *file.split("/")))
        return f"{_config(environ)}/{folder}/{file}"

    return path


def _config(environ: Mapping[str, str]) -> str:
    return environ.get("XDG_CONFIG_HOME") or "~/.config"


def _claude_code(_platform: str, environ: Mapping[str, str]) -> Sequence[Place]:
    folder = environ.get("CLAUDE_CONFIG_DIR") or "~"
    return Place(f"{folder}/.claude.json"), Place(".mcp.json", "one project, and all who work on it")


def _claude_desktop(platform: str, environ: Mapping[str, str]) -> Sequence[Place]:
    return (Place(_application("Claude", "claude_desktop_config.json")(platform, environ), "all conversations"),)


def _codex(_platform: str, environ: Mapping[str, str]) -> Sequence[Place]:
    return (Place(f"{environ.get('CODEX_HOME') or '~/.codex'}/config.toml"),)


def _vscode(platform: str, environ: Mapping[str, str]) -> Sequence[Place]:
    user = _application("Code", "User/mcp.json")(platform, environ)
    return Place(user), Place(".vscode/mcp.json", "one project")


def _opencode(_platform: str, environ: Mapping[str, str]) -> Sequence[Place]:
    return Place(f"{_config(environ)}/opencode/opencode.json"), Place("opencode.json", "one project")


def _zed(platform: str, environ: Mapping[str, str]) -> Sequence[Place]:
    user = "%APPDATA%\\Zed\\settings.json"
    if platform != _WINDOWS:
        user = f"{'~/.config' if platform == _MAC else _config(environ)}/zed/settings.json"
    return Place(user), Place(".zed/settings.json", "one project")


def _pairs(launch: Launch, option: str) -> list[str]:
    return [word for name, value in launch.environment.items() for word in (option, f"{name}={value}")]


def _claude_mcp_add(launch: Launch) -> list[str]:
    return ["claude", "mcp", "add", "--scope", "user", NAME, *_pairs(launch, "--env"), "--", *launch.words]


def _codex_mcp_add(launch: Launch) -> list[str]:
    return ["codex", "mcp", "add", NAME, *_pairs(launch, "--env"), "--", *launch.words]


def _gemini_mcp_add(launch: Launch) -> list[str]:
    if any("=" in value for value in launch.environment.values()):
        return []  # it would take the value as far as the sign and drop the rest
    options = ["--scope", "user", *_pairs(launch, "--env")]
    # Behind `--` its parser leaves options alone; without any, the plain form reads better.
    rest = ["--", *launch.arguments] if any(word.startswith("-") for word in launch.arguments) else launch.arguments
    return ["gemini", "mcp", "add", *options, NAME, launch.command, *rest]


def _code_add_mcp(launch: Launch) -> list[str]:
    entry = {"name": NAME, **snippets.plain(launch)}
    return ["code", "--add-mcp", json.dumps(entry, ensure_ascii=False, separators=(",", ":"))]


_ALL = (
    Client("claude-code", "Claude Code", _claude_code, entry=snippets.typed, command=_claude_mcp_add),
    Client("claude-desktop", "Claude Desktop", _claude_desktop, then="Quit it altogether and start it again"),
    Client(
        "codex",
        "Codex",
        _codex,
        keys=("mcp_servers",),
        spell=snippets.as_toml,
        command=_codex_mcp_add,
    ),
    Client("cursor", "Cursor", _fixed(Place("~/.cursor/mcp.json"), Place(".cursor/mcp.json", "one project"))),
    Client("vscode", "VS Code", _vscode, entry=snippets.typed, keys=("servers",), command=_code_add_mcp),
    Client(
        "gemini-cli",
        "Gemini CLI",
        _fixed(Place("~/.gemini/settings.json"), Place(".gemini/settings.json", "one project")),
        command=_gemini_mcp_add,
        then="Restart it, in a folder that it trusts,",
    ),
    Client(
        "opencode",
        "OpenCode",
        _opencode,
        entry=snippets.local,
        keys=("mcp",),
        around={"$schema": "https://opencode.ai/config.json"},
    ),
    Client("windsurf", "Windsurf", _fixed(Place("~/.codeium/windsurf/mcp_config.json"))),
    Client("zed", "Zed", _zed, entry=snippets.custom, keys=("context_servers",)),
)
CLIENTS: Mapping[str, Client] = {client.name: client for client in _ALL}
"""In the order of screens.md, (g)."""
