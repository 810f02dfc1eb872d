"""The hosts' own programs take the manifests, and what they install works.

They are run only if ``SEQTHINK_REAL_CLIENTS`` is set and the program is on the path: Claude Code, Codex, Gemini CLI.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from tests.conformance.clients.programs.claude import ClaudeCode
from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.run import SCENARIOS, Stage, environ_of, our_server, run
from tests.conftest import PROJECT

Json = dict[str, Any]

REAL = "SEQTHINK_REAL_CLIENTS" in os.environ
PLUGIN = "seqthink@seqthink"
TOOL = "mcp__plugin_seqthink_seqthink__sequentialthinking"
PROMPT = f"/seqthink:think {SCENARIOS['chain'][0].prompt}"


class ClaudeCodeWithPlugin(ClaudeCode):
    """Claude Code that has no server but the plugin's, and is asked by the plugin's skill."""

    @override
    def prepare(self, setting: Setting) -> None:
        super().prepare(setting)
        for words in (["marketplace", "add", str(PROJECT)], ["install", PLUGIN]):
            output_of(["claude", "plugin", *words], environ_of(self, setting))

    @override
    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["-p", prompt, "--model", setting.model_name or "claude-opus-4-8", "--allowedTools", TOOL]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home; `uvx seqthink` is this project there."""
    programs, folder = tmp_path / "programs", tmp_path / "client"
    programs.mkdir()
    folder.mkdir()
    uvx = programs / "uvx"
    words = shlex.join([sys.executable, "-m", "seqthink"])
    uvx.write_text(f'#!/bin/sh\n[ "$1" = seqthink ] || exit 2\nshift\nexec {words} "$@"\n', "utf-8")
    uvx.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return folder


def asked(program: str) -> None:
    """Go on only if ``program`` is to be run, and can be."""
    if not REAL or shutil.which(program) is None:
        pytest.skip(f"SEQTHINK_REAL_CLIENTS is not set, or {program} is not installed")


def environ(home: Path) -> dict[str, str]:
    """Return the environment of a program that has nothing but ``home``, and no network."""
    (home / ".codex").mkdir(exist_ok=True)
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "DISABLE_AUTOUPDATER": "1", **nowhere}


def output_of(command: Sequence[str], environment: dict[str, str]) -> str:
    """Return what a command says that succeeds."""
    done = subprocess.run(
        command, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("folder", [".", "plugin"])
def test_claude_code_takes_marketplace_and_plugin_without_a_warning(folder: str, home: Path) -> None:
    asked("claude")

    assert "Validation passed" in output_of(["claude", "plugin", "validate", "--strict", folder], environ(home))


def test_claude_code_installs_the_plugin_from_the_repository_and_its_server_answers(home: Path) -> None:
    asked("claude")
    output_of(["claude", "plugin", "marketplace", "add", str(PROJECT)], environ(home))
    output_of(["claude", "plugin", "install", PLUGIN], environ(home))

    shown = output_of(["claude", "plugin", "details", PLUGIN], environ(home))
    assert "Skills (1)  think" in shown
    assert "MCP servers (1)  seqthink" in shown
    assert "plugin:seqthink:seqthink: uvx seqthink serve - ✔ Connected" in output_of(
        ["claude", "mcp", "list"], environ(home)
    )


def test_the_skill_of_the_plugin_thinks_with_the_server_of_the_plugin(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked("claude")
    monkeypatch.setenv("SEQTHINK_HOME", str(home / "journals"))
    setting = Setting(home, home / "work", "", our_server(home))
    [ended] = run(ClaudeCodeWithPlugin(), [Stage("begin", PROMPT)], setting, 0.0)
    [journal] = home.glob("**/sessions/*.jsonl")
    entries: list[Json] = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    requests = (home / "requests.jsonl").read_text("utf-8")

    assert ended.status == 0, ended.said
    assert [entry["thoughtNumber"] for entry in entries if entry["type"] == "thought"] == [1, 2, 2, 3, 4]
    assert "Number the thoughts from 1." in requests
    assert f"ARGUMENTS: {SCENARIOS['chain'][0].prompt}" in requests


def test_codex_installs_the_plugin_from_the_repository(home: Path) -> None:
    asked("codex")
    output_of(["codex", "plugin", "marketplace", "add", str(PROJECT)], environ(home))
    output_of(["codex", "plugin", "add", PLUGIN], environ(home))

    assert f"{PLUGIN}  installed, enabled" in output_of(["codex", "plugin", "list"], environ(home))


def test_gemini_cli_takes_the_extension(home: Path) -> None:
    asked("gemini")

    assert "successfully validated" in output_of(["gemini", "extensions", "validate", str(PROJECT)], environ(home))
