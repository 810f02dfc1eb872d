"""Runs the MCP Inspector over stdio: checks the tool definition strictly, and a call, with both kinds of versions."""

import json
import sys
from pathlib import Path

from tests.conformance.node import Node
from tests.conformance.verdicts import Check, Scenario
from tests.conftest import PROJECT

_PROGRAM = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
_REVISIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
_THOUGHT = '{"thought":"x","nextThoughtNeeded":"true","thoughtNumber":"1","totalThoughts":3}'
_ANSWER: dict[str, object] = {
    "thoughtNumber": 1,
    "totalThoughts": 3,
    "nextThoughtNeeded": True,
    "branches": [],
    "thoughtHistoryLength": 1,
}


def run(node: Node, folder: Path) -> list[Scenario]:
    """Return a scenario for each era on each server path; journals go into ``folder``."""
    server_paths = {"seqthink serve": [], "seqthink serve --no-front": ["--no-front"]}
    return [
        Scenario(f"{server_path}, {era}", _checks(node, era, options, folder / f"{era}{len(options)}"))
        for server_path, options in server_paths.items()
        for era in _REVISIONS
    ]


def _checks(node: Node, era: str, options: list[str], journals: Path) -> list[Check]:
    command = [sys.executable, "-m", "seqthink", "serve", "--journal-dir", str(journals), *options]
    asked = ["--cli", *command, "-e", "DISABLE_THOUGHT_LOGGING=true", "--protocol-era", era]
    listed = node.run(_PROGRAM, [*asked, "--method", "tools/list", "--strict"], PROJECT)
    tool = ["--tool-name", "sequentialthinking", "--tool-args-json", _THOUGHT]
    called = node.run(_PROGRAM, [*asked, "--method", "tools/call", *tool], PROJECT)
    is_clean = listed.returncode == 0 and not listed.stderr and '"sequentialthinking"' in listed.stdout
    is_answered = called.returncode == 0 and not called.stderr and _structured(called.stdout) == _ANSWER
    revisions = [_revision(journal) for journal in journals.glob("*.jsonl")]
    return [
        _check("strict-list", is_clean, listed.stderr or listed.stdout),
        _check("call", is_answered, called.stderr or called.stdout),
        _check("era", revisions == [_REVISIONS[era]], f"spoke {', '.join(map(str, revisions)) or 'nothing'}"),
    ]


def _structured(printed: str) -> object:
    return json.loads(printed).get("structuredContent")


def _revision(journal: Path) -> object:
    return json.loads(journal.read_text("utf-8").splitlines()[0])["protocolVersion"]


def _check(name: str, is_met: bool, message: str) -> Check:
    return Check(name, "SUCCESS") if is_met else Check(name, "FAILURE", message.strip()[-500:])
