"""The rig that drives real clients: what its model says to whom, and that it says so where a client is missing.

The clients themselves are run only if ``SEQTHINK_REAL_CLIENTS`` is set and the client is on the path.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any, Final

import pytest

from seqthink.core.arguments import AcceptedThought, accept
from tests.conformance.clients.model import served
from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.run import PROGRAMS, SCENARIOS, our_server, run
from tests.conformance.clients.script import SCRIPTS, TITLE, script_in, step_of
from tests.conftest import PROJECT
from tests.support.depth import first

Json = dict[str, Any]

REAL = "SEQTHINK_REAL_CLIENTS" in os.environ
THINKING = "mcp__seq__sequentialthinking"
PROMPT = "Why? (play: chain)"
FIRST = "Symptoms: 502s at the top of each hour"

REQUESTS: dict[str, tuple[str, Json]] = {
    "claude": (
        "/v1/messages",
        {"stream": True, "messages": [{"role": "user", "content": PROMPT}], "tools": [{"name": THINKING}]},
    ),
    "codex": (
        "/v1/responses",
        {
            "stream": True,
            "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": PROMPT}]}],
            "tools": [{"type": "namespace", "name": "mcp__seq", "tools": [{"name": "sequentialthinking"}]}],
        },
    ),
    "copilot": (
        "/v1/chat/completions",
        {
            "stream": True,
            "messages": [{"role": "user", "content": PROMPT}],
            "tools": [{"function": {"name": "seq-sequentialthinking"}}],
        },
    ),
    "gemini": (
        "/v1beta/models/m:streamGenerateContent",
        {
            "contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
            "tools": [{"functionDeclarations": [{"name": THINKING}]}],
        },
    ),
    "kilo": (
        "/v1/chat/completions",
        {
            "stream": True,
            "messages": [{"role": "user", "content": PROMPT}],
            "tools": [{"function": {"name": "seq_sequentialthinking"}}],
        },
    ),
    **dict.fromkeys(
        ("opencode", "qwen", "pi", "cline"),
        (
            "/v1/chat/completions",
            {
                "stream": True,
                "messages": [{"role": "user", "content": PROMPT}],
                "tools": [{"function": {"name": THINKING}}],
            },
        ),
    ),
}
_SNAKE: Final = "Near: all names in snake case"
STOPPED: Final = {"gemini": {_SNAKE}, "pi": {_SNAKE}, "qwen": {"Near: nulls", _SNAKE}}
"""What clients do not send that check a call before: docs/tools.md, "The tool"."""


def asked(client: str, without_tools: bool = False) -> str:
    """Return what the model streams to the first request of a client."""
    path, request = REQUESTS[client]
    body = json.dumps(request | ({"tools": []} if without_tools else {})).encode()
    with served(PROGRAMS[client].vocabulary) as address:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(urllib.request.Request(address + path, body), timeout=10) as answer:
            return answer.read().decode()


@pytest.mark.slow  # a scripted model answers over a connection
@pytest.mark.parametrize("client", first(1, PROGRAMS))
def test_the_model_reasons_and_thinks_in_the_words_of_each_client(client: str) -> None:
    sent = asked(client)
    events = [line.removeprefix("data: ") for line in sent.splitlines() if line.startswith("data: {")]

    assert all(isinstance(json.loads(event), dict) for event in events)
    assert "**Reading the symptoms**" in sent
    assert FIRST in sent
    assert "sequentialthinking" in sent


@pytest.mark.slow  # a scripted model answers over a connection
@pytest.mark.parametrize("client", first(1, PROGRAMS))
def test_a_request_that_offers_no_tools_is_answered_by_a_title(client: str) -> None:
    sent = asked(client, without_tools=True)

    assert FIRST not in sent
    assert TITLE.answer[:6] in sent


def test_a_step_whose_calls_a_client_does_not_have_is_left_out() -> None:
    spoken = frozenset({"think", "read", "run", "delegate"})
    steps = [step_of("agents", place, spoken) for place in range(len(SCRIPTS["agents"]))]

    assert not any(call.does == "wait" for step in steps for call in step.calls)
    assert step_of("agents", 0, spoken) == SCRIPTS["agents"][0]


def test_a_prompt_names_its_script_and_every_prompt_of_a_scenario_names_one() -> None:
    prompts = [stage.prompt for stages in SCENARIOS.values() for stage in stages]
    handed_on = [str(call.arguments["prompt"]) for steps in SCRIPTS.values() for step in steps for call in step.calls
                 if call.does == "delegate"]  # fmt: skip

    assert script_in("Why?") is None
    assert {script_in(prompt) for prompt in [*prompts, *handed_on]} <= set(SCRIPTS)


def test_a_client_that_is_not_installed_is_named_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.clients", "claude", "--home", str(tmp_path / "home")],
        cwd=PROJECT, env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, encoding="utf-8", timeout=60,
        check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (3, "clients: claude is not on the path: install it first\n")


def test_the_careless_script_has_calls_that_are_repaired() -> None:
    calls = [call.arguments for step in SCRIPTS["near"] for call in step.calls]
    accepted = [accept(dict(arguments), 1 << 20) for arguments in calls]

    taken = [thought for thought in accepted if isinstance(thought, AcceptedThought)]
    assert len(taken) == len(calls)
    assert {name for thought in taken for name in thought.coerced} == {
        "nextThoughtNeeded",
        "thoughtNumber",
        "totalThoughts",
        "branchId",
    }


@pytest.mark.parametrize("client", PROGRAMS)
def test_an_installed_client_sends_what_is_nearly_right(client: str, tmp_path: Path) -> None:
    if not REAL or shutil.which(client) is None:
        pytest.skip(f"SEQTHINK_REAL_CLIENTS is not set, or {client} is not installed")
    home = tmp_path / "client"
    home.mkdir()
    [ended] = run(PROGRAMS[client], SCENARIOS["near"], Setting(home, home / "work", "", our_server(home)), 0.0)
    [journal] = (home / "journals" / "sessions").glob("*.jsonl")
    entries: list[Json] = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]

    sent = [call.arguments["thought"] for step in SCRIPTS["near"] for call in step.calls]
    kept = [entry["thought"] for entry in entries if entry["type"] == "thought"]
    assert ended.status == 0
    assert kept == [thought for thought in sent if thought not in STOPPED.get(client, ())]


@pytest.mark.parametrize("client", PROGRAMS)
def test_an_installed_client_thinks_and_our_server_keeps_it(client: str, tmp_path: Path) -> None:
    if not REAL or shutil.which(client) is None:
        pytest.skip(f"SEQTHINK_REAL_CLIENTS is not set, or {client} is not installed")
    home = tmp_path / "client"
    home.mkdir()
    ended = run(PROGRAMS[client], SCENARIOS["chain"], Setting(home, home / "work", "", our_server(home)), 0.0)
    journal = min((home / "journals" / "sessions").glob("*.jsonl"))
    entries: list[Json] = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]

    assert [end.status for end in ended if end.status not in {0, None}] == []
    assert [entry["thoughtNumber"] for entry in entries if entry["type"] == "thought"][:5] == [1, 2, 2, 3, 4]
