"""A repository with agents at work, and questions about it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from seqthink.cli.overview import why_sessions
from seqthink.cli.overview.why import run
from tests.support.transcripts.agents_at_work import World


class Asked(NamedTuple):
    """What `seqthink why` did."""

    status: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The answers, of `--json`."""
        found: list[dict[str, Any]] = json.loads(self.out)["answers"]
        return found

    @property
    def answer(self) -> dict[str, Any]:
        """The only answer."""
        [answer] = self.answers
        return answer


Why = Callable[..., Asked]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A repository, in whose folder the command runs, and whose agents have the only sessions."""
    made = World(tmp_path)

    def folders(*_: object) -> World:
        return made

    monkeypatch.setattr(why_sessions, "ClientFolders", folders)
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def why(capsys: pytest.CaptureFixture[str]) -> Why:
    """Asks, and returns what was printed."""

    def ask(*arguments: str) -> Asked:
        capsys.readouterr()
        status = run([*arguments])
        printed = capsys.readouterr()
        return Asked(status, printed.out, printed.err)

    return ask
