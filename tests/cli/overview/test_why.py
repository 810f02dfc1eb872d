"""`seqthink why`: from a line to the thought behind it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seqthink.cli.overview import why_sessions
from seqthink.cli.overview.why import run
from tests.support.transcripts.agents_at_work import MINUTE, World

DB = "import pool\n\n\ndef connect():\n    return pool.open(size=20)\n"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seqthink_home: Path) -> World:
    made = World(tmp_path)
    assert seqthink_home.exists()

    class Folders:
        def __init__(self, *_: object) -> None:
            pass

        def all_sessions(self) -> list[Any]:
            return made.sessions()

    monkeypatch.setattr(why_sessions, "ClientFolders", Folders)
    monkeypatch.chdir(made.root)
    return made


Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def asked(*arguments: str, status: int = 0) -> dict[str, Any]:
        assert run(["--json", *arguments]) == status
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    return asked


def the_answer(found: dict[str, Any]) -> dict[str, Any]:
    [answer] = found["answers"]
    return answer


def test_a_committed_line_leads_to_the_thought_before_its_edit(world: World, ask: Ask) -> None:
    ada = world.agent("ada")
    ada.ask("Why is checkout slow?")
    ada.think("The pool has only five connections.")
    ada.think("Twenty is what the database allows.", isRevision=True, revisesThought=1)
    ada.write("shop/db.py", DB)
    ada.think("Now the tests.")
    commit = ada.commit("Use a larger pool")

    answer = the_answer(ask("shop/db.py:5"))

    assert (answer["level"], answer["lines"]) == ("same text", [[5, 5]])
    assert [one["id"] for one in answer["commits"]] == [commit]
    behind = answer["behind"]
    assert (behind["kind"], behind["text"]) == ("thought", "Twenty is what the database allows.")
    assert (behind["number"], behind["revises"], behind["revised"]) == (2, 1, "The pool has only five connections.")
    assert behind["prompt"] == "Why is checkout slow?"
    assert answer["session"]["link"] == f"claude-ada#e{behind['entry']}"


def test_an_uncommitted_line_is_found_too(world: World, ask: Ask) -> None:
    ada = world.agent("ada")
    ada.think("A pool of twenty.")
    ada.write("db.py", DB)

    answer = the_answer(ask("db.py:5"))

    assert (answer["level"], answer["commits"]) == ("same text", [])


def test_bracket(world: World, ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    ada = world.agent("ada")
    ada.ask("Use a pool")
    ada.reason("A pool it is")
    ada.write("a.js", "function connect() {\n  return pool.open(20)\n}\nfunction close() {\n  pool.closeAll(now)\n}\n")
    ada.commit()
    world.tick(10 * MINUTE)
    world.by_hand(
        "a.js", "function connect() {\n  return pool.open(99)\n}\nfunction close() {\n  pool.closeAll(now)\n}\n"
    )
    world.commit("hand")

    run(["a.js"])
    print(capsys.readouterr())
    run(["HEAD"])
    print(capsys.readouterr())
    run(["close"])
    print(capsys.readouterr())
    assert 0
