"""The MCP clients by name: configuration files, their format, and the command that writes them. Pure."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from seqthink.connect.clients import snippets
from seqthink.connect.clients.launch import SERVER_NAME, Launch
from seqthink.connect.clients.snippets import ServerEntry, Syntax

_MAC = "darwin"
_WINDOWS = "win32"
_SUPPORT = "~/Library/Application Support"


Scope = Literal["user", "project"]
Passed = Literal["all", "public", "few"]
"""All variables, all but those that look like secrets by their names, or a fixed few."""
_NOBODY = "http://127.0.0.1:9"
"""The port of a service that no system offers any more: a connection is refused on this machine."""


class ConfigFile(Struct, frozen=True):
    """A configuration file of a client."""

    path: str
    applies_to: str = "all your projects"
    """Where it applies, in words."""
    scope: Scope = "user"
    other_names: tuple[str, ...] = ()
    """Further names under which the client reads this file."""


def _project_file(path: str, applies_to: str = "one project", *other_names: str) -> ConfigFile:
    """Return a file of one project; ``path`` is relative to its folder."""
    return ConfigFile(path, applies_to, "project", other_names)


class McpClient(Struct, frozen=True):
    """One client, and how it is configured."""

    name: str
    """Its name on the command line."""
    title: str
    """Its name in prose."""
    config_files: Callable[[str, Mapping[str, str]], Sequence[ConfigFile]]
    """Its files on a platform (`sys.platform`) and in an environment, the preferred one first."""
    make_entry: Callable[[Launch], ServerEntry] = snippets.plain_entry
    """Makes the server's entry in the file."""
    syntax: Syntax = "json"
    """What it reads: a file in more than that would be lost to it."""
    key_path: tuple[str, ...] = ("mcpServers",)
    """The keys that lead to the servers in the file."""
    base: ServerEntry = {}
    """Further contents of a new file."""
    encode: Callable[[tuple[str, ...], ServerEntry, ServerEntry], str] = snippets.as_json
    """Writes the file's text from key path, entry and base."""
    make_add_command: Callable[[Launch], Sequence[str]] | None = None
    """Makes the client's own command that adds a server for all projects; empty if it cannot add this one."""
    restart_hint: str = "Restart it"
    """What the user must do so that the client reads its file again."""
    rewrites_its_file: bool = False
    """Whether it rewrites its file while it runs, so that only its own command may change that of the user."""
    has_folder_lists: bool = False
    """Whether its file has a list of servers for each folder, too."""
    runs_plugins_apart: bool = False
    """Whether it runs the server of a plugin beside an entry of that name, unless both start the very same command."""
    program: str = ""
    """The program of one that lives in a terminal."""
    programs: tuple[str, ...] | None = None
    """Programs on the PATH that only it brings, if that is not this one alone."""
    paths: tuple[str, ...] = ()
    """Files and folders that only it makes, besides its configuration; ``~`` for the home folder."""
    mac_application: str = ""
    """Its application on macOS."""
    passes: Passed = "few"
    """Which of its own variables it passes to a server (`seqthink.connect.doctor.client_habits`)."""
    quiet: Mapping[str, str] = {}
    """Variables that keep its program from sending anything (`seqthink.connect.clients.quiet`)."""

    def snippet(self, launch: Launch) -> str:
        """Return a complete file with this server only."""
        return self.encode(self.key_path, self.make_entry(launch), self.base)

    def add_command(self, launch: Launch) -> str:
        """Return the command that adds the server, for a POSIX shell; empty if there is none."""
        return shlex.join(self.make_add_command(launch)) if self.make_add_command else ""


def _fixed_files(*files: ConfigFile) -> Callable[[str, Mapping[str, str]], Sequence[ConfigFile]]:
    return lambda _platform, _environ: files


def _application_file(folder: str, file: str) -> Callable[[str, Mapping[str, str]], str]:
    """Return a function that gives the path of a desktop application's ``file``."""

    def path(platform: str, environ: Mapping[str, str]) -> str:
        if platform == _MAC:
            return f"{_SUPPORT}/{folder}/{file}"
        if platform == _WINDOWS:
            return "\\".join(("%APPDATA%", folder, *file.split("/")))
        return f"{_config_home(environ)}/{folder}/{file}"

    return path


def _config_home(environ: Mapping[str, str]) -> str:
    """Return the folder of configurations; the XDG Base Directory Specification ignores one that is not absolute."""
    folder = environ.get("XDG_CONFIG_HOME", "")
    return folder if folder.startswith("/") else "~/.config"


def _claude_code(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    folder = environ.get("CLAUDE_CONFIG_DIR") or "~"
    return ConfigFile(f"{folder}/.claude.json"), _project_file(".mcp.json", "one project, shared with everyone on it")


def _claude_desktop(platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    return (
        ConfigFile(_application_file("Claude", "claude_desktop_config.json")(platform, environ), "all conversations"),
    )


def _codex(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    return (ConfigFile(f"{environ.get('CODEX_HOME') or '~/.codex'}/config.toml"),)


def _copilot(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    return (ConfigFile(f"{environ.get('COPILOT_HOME') or '~/.copilot'}/mcp-config.json"),)


def _vscode(platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    user = _application_file("Code", "User/mcp.json")(platform, environ)
    return ConfigFile(user), _project_file(".vscode/mcp.json")


def _opencode(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    user = ConfigFile(f"{_config_home(environ)}/opencode/opencode.json", other_names=("opencode.jsonc", "config.json"))
    return user, _project_file("opencode.json", "one project", "opencode.jsonc")


def _kilo(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    other_names = ("kilo.jsonc", "config.json", "opencode.json", "opencode.jsonc")
    user = ConfigFile(f"{_config_home(environ)}/kilo/kilo.json", other_names=other_names)
    return user, _project_file("kilo.json", "one project", "kilo.jsonc")


def _qwen_code(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    user = ConfigFile(f"{environ.get('QWEN_HOME') or '~/.qwen'}/settings.json")
    return user, _project_file(".qwen/settings.json")


def _cline(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    data = environ.get("CLINE_DATA_DIR") or f"{environ.get('CLINE_DIR') or '~/.cline'}/data"
    file = environ.get("CLINE_MCP_SETTINGS_PATH") or f"{data}/settings/cline_mcp_settings.json"
    return (ConfigFile(file),)


def _pi(_platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    return ConfigFile(f"{environ.get('PI_CODING_AGENT_DIR') or '~/.pi/agent'}/mcp.json"), _project_file(".pi/mcp.json")


def _zed(platform: str, environ: Mapping[str, str]) -> Sequence[ConfigFile]:
    user = "%APPDATA%\\Zed\\settings.json"
    if platform != _WINDOWS:
        user = f"{'~/.config' if platform == _MAC else _config_home(environ)}/zed/settings.json"
    return ConfigFile(user), _project_file(".zed/settings.json")


def _environment_options(launch: Launch, option: str) -> list[str]:
    return [word for name, value in launch.environment.items() for word in (option, f"{name}={value}")]


def _claude_mcp_add(launch: Launch) -> list[str]:
    return [
        "claude",
        "mcp",
        "add",
        "--scope",
        "user",
        SERVER_NAME,
        *_environment_options(launch, "--env"),
        "--",
        *launch.command_line,
    ]


def _codex_mcp_add(launch: Launch) -> list[str]:
    return ["codex", "mcp", "add", SERVER_NAME, *_environment_options(launch, "--env"), "--", *launch.command_line]


def _copilot_mcp_add(launch: Launch) -> list[str]:
    return ["copilot", "mcp", "add", SERVER_NAME, *_environment_options(launch, "--env"), "--", *launch.command_line]


def _gemini_mcp_add(launch: Launch) -> list[str]:
    if any("=" in value for value in launch.environment.values()):
        return []  # it would cut the value at its "="
    options = ["--scope", "user", *_environment_options(launch, "--env")]
    # After `--` its parser ignores options; without options the short form is easier to read.
    rest = ["--", *launch.arguments] if any(word.startswith("-") for word in launch.arguments) else launch.arguments
    return ["gemini", "mcp", "add", *options, SERVER_NAME, launch.command, *rest]


def _code_add_mcp(launch: Launch) -> list[str]:
    entry = {"name": SERVER_NAME, **snippets.plain_entry(launch)}
    return ["code", "--add-mcp", json.dumps(entry, ensure_ascii=False, separators=(",", ":"))]


_ALL = (
    McpClient(
        "claude-code",
        "Claude Code",
        _claude_code,
        make_entry=snippets.typed_entry,
        make_add_command=_claude_mcp_add,
        rewrites_its_file=True,
        has_folder_lists=True,
        runs_plugins_apart=True,
        program="claude",
        paths=("~/.claude", "~/.claude/local/claude"),
        passes="all",
        quiet={
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            "HTTPS_PROXY": _NOBODY,
            "https_proxy": _NOBODY,
        },
    ),
    McpClient(
        "claude-desktop",
        "Claude Desktop",
        _claude_desktop,
        restart_hint="Quit it completely and start it again",
        mac_application="Claude",
    ),
    McpClient(
        "codex",
        "Codex",
        _codex,
        syntax="toml",
        key_path=("mcp_servers",),
        encode=snippets.as_toml,
        make_add_command=_codex_mcp_add,
        program="codex",
    ),
    McpClient(
        "cursor",
        "Cursor",
        _fixed_files(ConfigFile("~/.cursor/mcp.json"), _project_file(".cursor/mcp.json")),
        programs=("cursor", "cursor-agent"),
        mac_application="Cursor",
    ),
    McpClient(
        "vscode",
        "VS Code",
        _vscode,
        make_entry=snippets.typed_entry,
        syntax="jsonc",
        key_path=("servers",),
        make_add_command=_code_add_mcp,
        programs=("code",),
        mac_application="Visual Studio Code",
    ),
    McpClient(
        "copilot-cli",
        "Copilot CLI",
        _copilot,
        make_entry=snippets.copilot_entry,
        syntax="jsonc",
        make_add_command=_copilot_mcp_add,
        program="copilot",
        passes="all",
        quiet={"COPILOT_AUTO_UPDATE": "false", "COPILOT_OFFLINE": "true"},
    ),
    McpClient(
        "gemini-cli",
        "Gemini CLI",
        _fixed_files(ConfigFile("~/.gemini/settings.json"), _project_file(".gemini/settings.json")),
        syntax="jsonc",
        make_add_command=_gemini_mcp_add,
        restart_hint="Restart it, in a folder that it trusts",
        program="gemini",
        passes="public",
        quiet={"GEMINI_TELEMETRY_ENABLED": "false"},
    ),
    McpClient(
        "kilo",
        "Kilo",
        _kilo,
        make_entry=snippets.opencode_entry,
        syntax="jsonc",
        key_path=("mcp",),
        base={"$schema": "https://app.kilo.ai/config.json"},
        program="kilo",
        programs=("kilo", "kilocode"),
        passes="all",
        quiet={"KILO_DISABLE_AUTOUPDATE": "true", "KILO_DISABLE_MODELS_FETCH": "true"},
    ),
    McpClient(
        "opencode",
        "OpenCode",
        _opencode,
        make_entry=snippets.opencode_entry,
        syntax="jsonc",
        key_path=("mcp",),
        base={"$schema": "https://opencode.ai/config.json"},
        program="opencode",
        passes="all",
        quiet={"OPENCODE_DISABLE_AUTOUPDATE": "true", "OPENCODE_DISABLE_MODELS_FETCH": "true"},
    ),
    McpClient(
        "qwen-code",
        "Qwen Code",
        _qwen_code,
        make_entry=snippets.qwen_entry,
        syntax="jsonc",
        program="qwen",
        passes="all",
    ),
    McpClient(
        "cline",
        "Cline CLI",
        _cline,
        program="cline",
        paths=("~/.cline",),
        passes="all",
        quiet={"CLINE_NO_AUTO_UPDATE": "1"},
    ),
    McpClient(
        "pi",
        "pi",
        _pi,
        make_entry=snippets.pi_entry,
        program="pi",
        programs=(),  # there are others of that name
        passes="all",
        quiet={"PI_OFFLINE": "1"},
    ),
    McpClient(
        "windsurf",
        "Windsurf",
        _fixed_files(ConfigFile("~/.codeium/windsurf/mcp_config.json")),
        programs=("windsurf",),
        mac_application="Windsurf",
    ),
    McpClient(
        "zed",
        "Zed",
        _zed,
        make_entry=snippets.zed_entry,
        syntax="jsonc",
        key_path=("context_servers",),
        programs=("zeditor",),  # not `zed`, which is also a part of the file system ZFS
        paths=("~/.local/bin/zed", "~/.local/zed.app"),
        mac_application="Zed",
    ),
)
CLIENTS: Mapping[str, McpClient] = {client.name: client for client in _ALL}
"""All clients by name, in the order in which they are listed."""
