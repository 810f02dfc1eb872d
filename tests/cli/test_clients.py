"""What the clients get: each in its own shape, and always the same server."""

import json
import shlex
import tomllib
from typing import Any

import pytest

from seqthink.connect.clients.launch import Launch, make_launch, make_tap_launch
from seqthink.connect.clients.registry import CLIENTS, McpClient

PLAIN = Launch("/opt/se q/seqthink")
FULL = make_launch(
    ["/opt/py", "-m", "seqthink"], ["--title", 'a "b" \\ é 🙂'], {"SEQTHINK_HOME": "/x y", "A B": "\x7f"}
)
TAPPED = make_tap_launch(
    ["/opt/seqthink"], ["--tool", "think"], ["npx", "-y", "a b", "--", "-x"], {"SEQTHINK_HOME": "/x y"}
)

SERVERS = {
    "claude-code": "mcpServers",
    "claude-desktop": "mcpServers",
    "codex": "mcp_servers",
    "cursor": "mcpServers",
    "vscode": "servers",
    "copilot-cli": "mcpServers",
    "gemini-cli": "mcpServers",
    "kilo": "mcp",
    "opencode": "mcp",
    "qwen-code": "mcpServers",
    "cline": "mcpServers",
    "pi": "mcpServers",
    "windsurf": "mcpServers",
    "zed": "context_servers",
}


def _entry(client: McpClient, start: Launch) -> dict[str, Any]:
    snippet = client.snippet(start)
    value = tomllib.loads(snippet) if client.name == "codex" else json.loads(snippet)
    [name] = value[SERVERS[client.name]]
    assert name == "seqthink"
    return value[SERVERS[client.name]]["seqthink"]


def test_the_clients_are_those_of_the_waiting_screen_in_its_order() -> None:
    assert list(CLIENTS) == list(SERVERS)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
@pytest.mark.parametrize("start", [PLAIN, FULL, TAPPED], ids=["plain", "full", "tapped"])
def test_every_entry_starts_the_same_server(client: McpClient, start: Launch) -> None:
    entry = _entry(client, start)

    if client.name in {"kilo", "opencode"}:
        words, environment = entry["command"], entry.get("environment", {})
    else:
        words, environment = [entry["command"], *entry["args"]], entry.get("env", {})
    assert words == start.command_line
    assert environment == dict(start.environment)


def test_an_entry_says_of_its_transport_what_its_client_asks_for() -> None:
    kinds = {name: _entry(client, PLAIN).get("type") for name, client in CLIENTS.items()}

    assert {name: kind for name, kind in kinds.items() if kind} == {
        "claude-code": "stdio",
        "vscode": "stdio",
        "copilot-cli": "local",
        "kilo": "local",
        "opencode": "local",
    }
    assert _entry(CLIENTS["zed"], PLAIN)["source"] == "custom"
    assert _entry(CLIENTS["opencode"], PLAIN)["enabled"] is True
    assert _entry(CLIENTS["copilot-cli"], PLAIN)["tools"] == ["*"]


def test_a_client_that_would_defer_the_tool_offers_it_from_the_first_turn_on() -> None:
    assert _entry(CLIENTS["qwen-code"], PLAIN)["alwaysLoadTools"] is True
    assert _entry(CLIENTS["pi"], PLAIN)["exposure"] == "direct"


@pytest.mark.parametrize("name", ["claude-code", "codex", "copilot-cli"])
@pytest.mark.parametrize("start", [FULL, TAPPED], ids=["full", "tapped"])
def test_a_command_hands_the_whole_command_line_on_behind_two_dashes(name: str, start: Launch) -> None:
    words = shlex.split(CLIENTS[name].add_command(start))

    assert words[words.index("--") + 1 :] == start.command_line
    assert "SEQTHINK_HOME=/x y" in words
    assert "seqthink" in words[: words.index("--env")]


def test_gemini_is_given_options_only_behind_two_dashes() -> None:
    gemini = CLIENTS["gemini-cli"]

    assert shlex.split(gemini.add_command(PLAIN))[-3:] == ["seqthink", "/opt/se q/seqthink", "serve"]
    assert shlex.split(gemini.add_command(FULL))[-6:] == ["/opt/py", "--", *FULL.arguments[:5]][-6:]


def test_gemini_gets_the_tap_s_own_two_dashes_behind_those_that_its_parser_takes() -> None:
    words = shlex.split(CLIENTS["gemini-cli"].add_command(TAPPED))

    assert words[words.index("/opt/seqthink") :] == [
        *("/opt/seqthink", "--", "tap", "--tool", "think", "--", "npx", "-y", "a b", "--", "-x")
    ]


def test_gemini_is_given_no_command_where_its_own_would_cut_a_value() -> None:
    gemini = CLIENTS["gemini-cli"]
    cut = make_launch(["/opt/py"], [], {"SEQTHINK_HOME": "/x=y"})

    assert gemini.add_command(cut) == ""
    assert _entry(gemini, cut)["env"] == {"SEQTHINK_HOME": "/x=y"}


def test_gemini_is_to_be_started_where_it_starts_servers() -> None:
    assert "folder that it trusts" in CLIENTS["gemini-cli"].restart_hint


def test_vs_code_is_given_one_object_with_the_name_in_it() -> None:
    words = shlex.split(CLIENTS["vscode"].add_command(FULL))

    assert words[:2] == ["code", "--add-mcp"]
    assert json.loads(words[2]) == {
        "name": "seqthink",
        "command": "/opt/py",
        "args": list(FULL.arguments),
        "env": dict(FULL.environment),
    }


@pytest.mark.parametrize(
    ("name", "platform", "environ", "paths"),
    [
        ("claude-code", "linux", {}, ["~/.claude.json", ".mcp.json"]),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/c"}, ["/c/.claude.json", ".mcp.json"]),
        ("codex", "linux", {}, ["~/.codex/config.toml"]),
        ("codex", "linux", {"CODEX_HOME": "/c"}, ["/c/config.toml"]),
        ("cursor", "linux", {}, ["~/.cursor/mcp.json", ".cursor/mcp.json"]),
        ("claude-desktop", "linux", {}, ["~/.config/Claude/claude_desktop_config.json"]),
        (
            "claude-desktop",
            "darwin",
            {"XDG_CONFIG_HOME": "/x"},
            ["~/Library/Application Support/Claude/claude_desktop_config.json"],
        ),
        ("claude-desktop", "win32", {}, ["%APPDATA%\\Claude\\claude_desktop_config.json"]),
        ("vscode", "linux", {"XDG_CONFIG_HOME": "/x"}, ["/x/Code/User/mcp.json", ".vscode/mcp.json"]),
        ("vscode", "win32", {}, ["%APPDATA%\\Code\\User\\mcp.json", ".vscode/mcp.json"]),
        ("gemini-cli", "linux", {}, ["~/.gemini/settings.json", ".gemini/settings.json"]),
        ("opencode", "linux", {"XDG_CONFIG_HOME": "/x"}, ["/x/opencode/opencode.json", "opencode.json"]),
        ("windsurf", "darwin", {}, ["~/.codeium/windsurf/mcp_config.json"]),
        ("zed", "darwin", {"XDG_CONFIG_HOME": "/x"}, ["~/.config/zed/settings.json", ".zed/settings.json"]),
        ("zed", "linux", {"XDG_CONFIG_HOME": "/x"}, ["/x/zed/settings.json", ".zed/settings.json"]),
        ("zed", "win32", {}, ["%APPDATA%\\Zed\\settings.json", ".zed/settings.json"]),
    ],
)
def test_a_client_s_files_are_where_it_reads_them(
    name: str, platform: str, environ: dict[str, str], paths: list[str]
) -> None:
    assert [place.path for place in CLIENTS[name].config_files(platform, environ)] == paths


@pytest.mark.parametrize(
    ("command", "is_passing"),
    [
        ("/home/me/.cache/uv/archive-v0/Zx1/bin/seqthink", True),
        ("/home/me/.cache/uv/environments-v2/x/bin/seqthink", True),
        ("/home/me/.cache/pipx/abc/bin/seqthink", True),
        ("/home/me/.local/bin/seqthink", False),
        ("/home/me/.local/pipx/venvs/seqthink/bin/seqthink", False),
        ("/home/me/.local/share/uv/tools/seqthink/bin/seqthink", False),
    ],
)
def test_a_program_that_was_installed_for_one_run_is_known_by_its_folder(command: str, is_passing: bool) -> None:
    assert Launch(command).is_temporary is is_passing
