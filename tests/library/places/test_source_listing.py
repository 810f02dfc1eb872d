"""What a viewer begins with, and which clients are looked at again."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from seqthink.library.places import source_listing
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.library.viewer_store import newest_transcripts
from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.codex.source import CodexSource
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from seqthink.sources.transcripts.source import FoundSession
from tests.support.transcripts import claude_lines as claude
from tests.support.transcripts.recorded import lay_out

NOW = 1_900_000_000
SOURCES = {"claude": ClaudeSource, "codex": CodexSource, "opencode": OpenCodeSource}


class Machine:
    """A home with sessions, the viewers of it, one after the other, and which clients they looked at."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.kept, self._runtime = folder / "ada", folder / "viewer", folder / "runtime"
        self._runtime.mkdir()
        self.looked_at: list[str] = []
        for name, source in SOURCES.items():
            monkeypatch.setattr(source, "find", self._noting(name, source.find))

    def _noting(self, name: str, find: Callable[[Any, Path, int], list[FoundSession]]) -> object:
        def find_and_note(source: object, folder: Path, limit: int) -> list[FoundSession]:
            self.looked_at.append(name)
            return find(source, folder, limit)

        return find_and_note

    def session(self, name: str, changed: int = NOW) -> Path:
        path = self.home / ".claude" / "projects" / "-w" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(claude.user(f"u-{name}", None, "Why?") + b"\n")
        os.utime(path, (changed, changed))
        return path

    def viewer(self, *names: str) -> TranscriptPlace:
        environ = {"XDG_RUNTIME_DIR": str(self._runtime)}
        clients = frozenset(names or ("claude",))
        return TranscriptPlace(clients, environ, self.home, lambda: NOW * 1_000_000, viewer_folder=self.kept)

    def watch(self, *names: str) -> None:
        """Let a viewer list all, and end."""
        with closing(self.viewer(*names)) as viewer:
            viewer.refresh()
        self.looked_at.clear()

    def begun(self, *names: str) -> list[tuple[str, int, int]]:
        """Return what the next viewer begins with: names, sizes, and times of change in seconds."""
        with closing(self.viewer(*names)) as viewer:
            assert not viewer.look(60)
            assert not viewer.report.is_listed
            listed = [(viewer.spools.found[file.path], file) for file in viewer.sessions()]
        return [(found.id, file.size, found.changed // 1_000_000) for found, file in listed]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_a_viewer_begins_with_the_sessions_that_the_last_one_found_as_they_are_now(machine: Machine) -> None:
    size = machine.session("a", NOW - 9).stat().st_size
    grows, goes = machine.session("b", NOW - 8), machine.session("c", NOW - 7)
    os.utime(grows.parent, (NOW, NOW))
    machine.watch()
    goes.unlink()
    with grows.open("ab") as file:
        file.write(b"\n" * 3)
    os.utime(grows, (NOW, NOW))
    os.utime(grows.parent, (NOW, NOW))

    assert machine.begun() == [("b", size + 3, NOW), ("a", size, NOW - 9)]
    assert machine.looked_at == []


def test_a_session_that_began_since_the_last_viewer_is_found_at_once(machine: Machine) -> None:
    machine.session("a", NOW - 9)
    machine.watch()
    machine.session("b")

    assert [name for name, _, _ in machine.begun()] == ["b", "a"]
    assert machine.looked_at == ["claude"]


def test_only_the_newest_are_remembered(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_listing, "MAX_REMEMBERED", 1)
    machine.session("a", NOW - 9)
    machine.session("b")
    machine.watch()

    assert [name for name, _, _ in machine.begun()] == ["b"]


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b'{"format":"seqthink.newest/2","sources":{}}', b'{"format":1}', b"\xff"]
)
def test_without_anything_that_can_be_read_a_viewer_looks_at_all(machine: Machine, damaged: bytes) -> None:
    machine.session("a")
    machine.watch()
    [kept] = machine.kept.iterdir()
    kept.write_bytes(damaged)

    with closing(machine.viewer()) as viewer:
        assert viewer.look(60)
        assert len(viewer.sessions()) == 1


def test_a_database_that_did_not_change_is_not_opened_and_one_that_did_is(machine: Machine) -> None:
    lay_out("opencode/agents", machine.home)
    machine.watch("opencode")
    before = machine.begun("opencode")
    assert before
    assert machine.looked_at == []

    [database] = machine.home.rglob("opencode.db")
    os.utime(database, (NOW, NOW))

    assert machine.begun("opencode") == before
    assert machine.looked_at == ["opencode"]


def test_a_client_of_which_nothing_is_remembered_is_looked_at(machine: Machine) -> None:
    machine.session("a")
    machine.watch()
    lay_out("codex/agents", machine.home)

    assert len(machine.begun("claude", "codex")) == 2
    assert machine.looked_at == ["codex"]


def test_what_cannot_be_kept_hurts_nothing(machine: Machine) -> None:
    machine.session("a")
    machine.kept.write_bytes(b"a file where the folder would be")

    machine.watch()

    assert newest_transcripts.load_newest(machine.kept) == {}


def test_only_the_client_that_changed_is_looked_at_again(machine: Machine) -> None:
    grows = machine.session("a", NOW - 9)
    lay_out("codex/agents", machine.home)
    with closing(machine.viewer("claude", "codex")) as viewer:
        viewer.refresh()
        assert not viewer.has_changed()
        machine.looked_at.clear()
        viewer.refresh(everywhere=False)
        assert machine.looked_at == []

        with grows.open("ab") as file:
            file.write(b"\n")
        assert viewer.has_changed()
        viewer.refresh(everywhere=False)

        assert machine.looked_at == ["claude"]
        assert not viewer.has_changed()
        assert len(viewer.sessions()) == 2


def test_each_client_is_looked_at_when_it_is_time(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.session("a")
    with closing(machine.viewer("claude", "codex")) as viewer:
        viewer.refresh()
        machine.looked_at.clear()
        monkeypatch.setattr(source_listing, "MAX_LOOK_PAUSE_SECONDS", 0.0)

        assert viewer.has_changed()
        viewer.refresh(everywhere=False)

        assert machine.looked_at == ["claude", "codex"]


def test_what_a_look_leaves_out_is_said_until_it_is_mended(machine: Machine) -> None:
    link = machine.session("a").with_name("link.jsonl")
    link.symlink_to(machine.session("b"))
    lay_out("codex/agents", machine.home)
    with closing(machine.viewer("claude", "codex")) as viewer:
        viewer.refresh()
        said = viewer.report.left_out
        viewer.refresh(everywhere=False)
        again = viewer.report.left_out
        link.unlink()
        viewer.refresh(everywhere=False)

        assert len(said) == 1
        assert (again, viewer.report.left_out) == (said, [])
