"""The workspace of an audit, its limits, and clients that leave."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.audit.served.conftest import CLEAN, FLAWED, LOOKED_FOR, SAMPLES, TOOL, config
from tests.audit.test_audit_workers import BOMBS, FATAL, SLOW
from tests.support.audit.repositories import Repo
from tests.support.depth import sized
from tests.support.servers.dialogue_clients import no_answer
from tests.support.servers.wire import Message, thought


def test_the_client_s_root_is_the_workspace_before_the_option(audited: Callable[..., Any], tmp_path: Path) -> None:
    theirs, ours = Repo(tmp_path / "their root"), Repo(tmp_path / "ours")
    theirs.commit(**{"a.py": "one = 1\n"})
    ours.commit(**{"b.py": "two = 2\n"})
    asked: list[str] = []

    def answers(question: Message) -> Message:
        asked.append(question["method"])
        return {"roots": [{"uri": theirs.root.as_uri()}]}

    with audited({"roots": {}}, "--workspace", str(ours.root)) as judged:
        answer = judged.think(config(scope="workspace"), answers)
        judged.think(CLEAN, answers)

    assert answer["gan"]["review"]["citations"] == ["repo://a.py:1-1"]
    assert asked == ["roots/list"]


def test_the_working_folder_is_the_workspace_where_nothing_names_one(
    audited: Callable[..., Any], tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(**{"a.py": "one = 1\n"})
    with audited({}, cwd=repo.root, alone=True) as judged:
        answer = judged.think(config(scope="workspace"))

    assert answer["gan"]["review"]["citations"] == ["repo://a.py:1-1"]


def test_a_chain_past_its_limit_is_not_audited(audited: Callable[..., Any]) -> None:
    with audited({}, "--max-thoughts", "1") as judged:
        judged.think("Why?", nextThoughtNeeded=True)
        answer = judged.think(FLAWED, number=2, nextThoughtNeeded=True)

    assert answer["nextThoughtNeeded"] is False
    assert answer["auditError"] == "not audited: the chain is past its limit"
    assert judged.recorded("audit") == []


def test_a_client_that_leaves_ends_the_audit_at_once(audited: Callable[..., Any]) -> None:
    with audited(SAMPLES, alone=True) as judged:
        judged.host.begin(TOOL, thought(config(judges=["internal", "slow"]) + CLEAN))
        judged.host.wire.hang_up()

        assert judged.host.wire.status() == 0  # waited for 20 s: the audit alone would take 60
    [kept] = judged.recorded("audit")
    assert kept["error"] == "client left"
    assert judged.recorded("end") != []


def test_only_a_client_that_gave_a_token_gets_the_progress_of_an_audit(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        judged.host.call(TOOL, thought(CLEAN), no_answer)
        silent = list(judged.host.notifications)
        judged.host.call(TOOL, thought(CLEAN), no_answer, progressToken="t")

    progress = [note["params"] for note in judged.host.notifications if note["method"] == "notifications/progress"]
    assert silent == []
    assert [note["progress"] for note in progress] == sorted(note["progress"] for note in progress)
    assert progress[-1]["progress"] == progress[-1]["total"]
    assert progress[0]["message"] == "reading the workspace"


def test_a_server_survives_code_that_crashes_a_worker(audited: Callable[..., Any]) -> None:
    with audited({}) as judged:
        broken = judged.think(_fenced(FATAL, "yaml"))
        beside = judged.think(_fenced("x = 1\n", "python") + _fenced(FATAL, "yaml"))
        after = judged.think("Go on", number=2)

    unjudged = "Not judged by 'internal' (reading it was not possible): thought:"
    assert "gan" not in broken
    assert broken["auditError"] == f"{unjudged}2 (yaml)."
    summary = beside["gan"]["review"]["summary"]
    assert LOOKED_FOR.fullmatch(summary.removesuffix(f" {unjudged}5 (yaml)."))
    assert after["thoughtNumber"] == 2


@pytest.mark.parametrize("version", ["handshake"], indirect=True)
@pytest.mark.parametrize("language", sized(["bash"], ["bash", "ruby", "lua"]))
def test_a_plain_thought_is_answered_while_code_is_read_and_a_signal_ends_all_at_once(
    audited: Callable[..., Any], language: str
) -> None:
    slow = {"bash": SLOW, "ruby": "(" * 100_000, "lua": BOMBS["lua"]}[language]
    with audited({}, alone=True) as judged:
        wire = judged.host.wire
        judged.host.send(TOOL, thought(_fenced(slow + "\n", language)))
        answer = wire.ask("tools/call", {"name": TOOL, "arguments": thought("Meanwhile", 2)})
        os.kill(wire.pid, signal.SIGTERM)
        status = wire.status()

    assert answer["result"]["structuredContent"]["thoughtHistoryLength"] == 2
    assert status == 0
    assert [event.get("error") for event in judged.recorded("audit")] == [
        "client left"
    ]  # it does not wait for the code
    assert judged.recorded("audit", "end")[-1]["type"] == "end"


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}```\n"
