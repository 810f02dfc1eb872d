"""Real clients, connected by `seqthink setup`: they list the server, think with it, and get their file back.

They are run only if ``SEQTHINK_REAL_CLIENTS`` is set and the client is on the path.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from typing_extensions import override

from seqthink.connect.clients.editing.documents import read_document
from seqthink.connect.clients.registry import CLIENTS
from tests.conformance.clients.programs.program import Program, Setting
from tests.conformance.clients.run import PROGRAMS, SCENARIOS, environ_of, our_server, run
from tests.conformance.clients.script import Action
from tests.conformance.clients.vocabulary import Arguments, Vocabulary

REAL = "SEQTHINK_REAL_CLIENTS" in os.environ
NAMES: Final[Mapping[str, str]] = {
    "claude": "claude-code",
    "codex": "codex",
    "copilot": "copilot-cli",
    "gemini": "gemini-cli",
    "kilo": "kilo",
    "opencode": "opencode",
    "qwen": "qwen-code",
    "pi": "pi",
    "cline": "cline",
}
LISTING: Final = {"cline": ("config", "mcp")}
"""How a client lists its servers, if not by ``mcp list``."""
REWRITES: Final = frozenset(("claude", "qwen"))
"""The clients that write members of their own into the file that names their servers."""
BOUND = 120.0


class _RenamedServer(Vocabulary):
    """What a client calls where the server is called `seqthink`, also in the code that Codex runs."""

    def __init__(self, inner: Vocabulary) -> None:
        self._inner = inner
        self.spoken = inner.spoken

    @override
    def call(
        self, action: Action, offered: frozenset[str], agents: tuple[str, ...] = ()
    ) -> tuple[str, Arguments] | None:
        called = self._inner.call(action, offered, agents)
        if called is None:
            return None
        tool, arguments = called
        return tool, json.loads(json.dumps(arguments).replace("mcp__seq__", "mcp__seqthink__"))


class ConnectedBySetup:
    """A client of the rig, whose server is not the rig's, but the one that `setup` writes."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.name, self.transcripts = program.name, program.transcripts
        self.vocabulary: Vocabulary = _RenamedServer(program.vocabulary)

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return self._program.environ(setting)

    def prepare(self, setting: Setting) -> None:
        self._program.prepare(setting)
        client, file = CLIENTS[NAMES[self.name]], config_of(self._program, setting)
        document = read_document(client.syntax, file.read_text("utf-8"))
        file.write_text(document.without_server(client.key_path, "seq"), "utf-8")
        self.before = file.read_bytes()
        setup(self._program, setting)

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return _for_setup(self._program.begin(setting, prompt))

    def resume(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        words = self._program.resume(setting, prompt)
        return None if words is None else _for_setup(words)

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        words = self._program.fork(setting, prompt)
        return None if words is None else _for_setup(words)

    def interactive(self, setting: Setting) -> Sequence[str]:
        return _for_setup(self._program.interactive(setting))


def _for_setup(words: Sequence[str]) -> list[str]:
    """Return the arguments without the rig's own configuration."""
    kept = list(words)
    if "--mcp-config" in kept:
        place = kept.index("--mcp-config")
        del kept[place : place + 3]
    return [word.replace("mcp__seq,", "mcp__seqthink,") for word in kept]


def config_of(program: Program, setting: Setting) -> Path:
    """Return the client's file for all projects."""
    return {
        "claude": setting.home / ".claude" / ".claude.json",
        "codex": setting.home / ".codex" / "config.toml",
        "copilot": setting.home / ".copilot" / "mcp-config.json",
        "gemini": setting.home / ".gemini" / "settings.json",
        "kilo": setting.home / ".config" / "kilo" / "kilo.json",
        "opencode": setting.home / ".config" / "opencode" / "opencode.json",
        "qwen": setting.home / ".qwen" / "settings.json",
        "pi": setting.home / ".pi" / "agent" / "mcp.json",
        "cline": setting.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json",
    }[program.name]


def setup(program: Program, setting: Setting, *options: str) -> str:
    """Run `seqthink setup` for one client, and return what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "seqthink", "setup", "--yes", *options, NAMES[program.name]],
        env={**environ_of(program, setting), "SEQTHINK_HOME": str(setting.home / "journals")},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=BOUND,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def _needs(client: str) -> None:
    if not REAL or shutil.which(client) is None:
        pytest.skip(f"SEQTHINK_REAL_CLIENTS is not set, or {client} is not installed")


@pytest.mark.parametrize("client", PROGRAMS)
def test_in_an_empty_home_an_installed_client_lists_what_setup_wrote_and_loses_it_again(
    client: str, tmp_path: Path
) -> None:
    _needs(client)
    program, home = PROGRAMS[client], tmp_path / "client"
    setting = Setting(home, home / "work", "http://127.0.0.1:9", our_server(home))
    setting.work.mkdir(parents=True)

    setup(program, setting)
    events = [path for path in setting.home.rglob("*") if "telemetry" in str(path.relative_to(setting.home))]
    listing = [client, *LISTING.get(client, ("mcp", "list"))]
    listed = subprocess.run(
        listing, cwd=setting.work, env=environ_of(program, setting), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=BOUND, check=False,
    ).stdout  # fmt: skip
    setup(program, setting, "--remove")

    assert "seqthink" in listed
    assert events == []
    if client in REWRITES:
        assert json.loads(config_of(program, setting).read_text("utf-8")).get("mcpServers", {}) == {}
    elif client == "kilo":  # it has written its permissions into the file
        assert "seqthink" not in config_of(program, setting).read_text("utf-8")
    else:
        assert not config_of(program, setting).exists()


@pytest.mark.parametrize("client", PROGRAMS)
def test_an_installed_client_thinks_with_what_setup_wrote(client: str, tmp_path: Path) -> None:
    _needs(client)
    home = tmp_path / "client"
    home.mkdir()
    program, setting = ConnectedBySetup(PROGRAMS[client]), Setting(home, home / "work", "", our_server(home))

    ended = run(program, SCENARIOS["chain"][:1], setting, 0.0)

    journal = min((home / "journals" / "sessions").glob("*.jsonl"))
    entries: list[dict[str, Any]] = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert [end.status for end in ended] == [0]
    assert [entry["thoughtNumber"] for entry in entries if entry["type"] == "thought"][:5] == [1, 2, 2, 3, 4]

    said = setup(program, setting, "--remove")
    assert f"✓ {CLIENTS[NAMES[client]].title}" in said
    if client == "codex":  # it does not write its settings while it runs
        assert config_of(program, setting).read_bytes() == program.before
