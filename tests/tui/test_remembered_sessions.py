"""The viewer begins with the sessions that the last one found, and looks at all folders afterwards."""

import os
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places import source_listing
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.source import FoundSession
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tests.support.transcripts import claude_lines as claude

NOW = 1_900_000_000


class Machine:
    """Claude Code's sessions in one folder, and the viewers of them."""

    def __init__(self, folder: Path) -> None:
        self.home, self.kept, self._runtime = folder / "ada", folder / "viewer", folder / "runtime"
        self._journals = folder / "journals"
        self._runtime.mkdir()

    def session(self, name: str, text: str, changed: int) -> Path:
        """Write a session that changed then, and began when all others did."""
        path = self.home / ".claude" / "projects" / "-w" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(claude.user(f"u-{name}", None, text) + b"\n")
        os.utime(path, (changed, changed))
        return path

    def _library(self) -> TranscriptPlace:
        environ = {"XDG_RUNTIME_DIR": str(self._runtime)}
        clock = NOW * 1_000_000
        return TranscriptPlace(frozenset({"claude"}), environ, self.home, lambda: clock, viewer_folder=self.kept)

    def watch(self) -> None:
        """Let a viewer find all sessions, and end."""
        with closing(self._library()) as library:
            library.refresh()

    @asynccontextmanager
    async def viewer(self) -> AsyncGenerator[Stage]:
        with closing(self._library()) as library:
            catalog = SessionCatalog(FolderPlace(self._journals), library)
            settings = settings_of(self._journals, now=NOW * 1_000_000, catalog=catalog)
            async with running_viewer(None, (100, 30), settings) as stage:
                yield stage


@pytest.fixture
def machine(tmp_path: Path) -> Generator[Machine]:
    made = Machine(tmp_path)
    yield made
    assert list((tmp_path / "runtime").iterdir()) == []


async def test_the_newest_session_is_shown_before_all_are_listed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.session("one", "Why the 502s?", NOW - 3600)
    machine.watch()
    go, find = threading.Event(), ClaudeSource.find

    def find_later(source: ClaudeSource, folder: Path, limit: int) -> list[FoundSession]:
        assert go.wait(60)
        return find(source, folder, limit)

    monkeypatch.setattr(ClaudeSource, "find", find_later)
    async with machine.viewer() as stage:
        await stage.shows("Why the 502s?")
        machine.session("two", "And why at noon?", NOW)
        go.set()

        await stage.shows("And why at noon?")


async def test_an_older_session_that_went_on_meanwhile_is_shown_once_all_are_listed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_listing, "MAX_REMEMBERED", 1)
    machine.session("old", "Why the 502s?", NOW - 9 * 3600)
    new = machine.session("new", "And why at noon?", NOW - 8 * 3600)
    machine.watch()
    state = new.parent.stat()
    machine.session("old", "Why the 502s?", NOW - 3600)
    os.utime(new.parent, ns=(state.st_atime_ns, state.st_mtime_ns))

    async with machine.viewer() as stage:
        await stage.shows("Why the 502s?")


async def test_a_remembered_session_that_cannot_be_read_holds_nothing_up(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.session("one", "Why the 502s?", NOW - 3600)
    machine.watch()

    def refuse(_source: ClaudeSource, _found: FoundSession) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(ClaudeSource, "open", refuse)
        async with machine.viewer() as stage:
            await stage.shows("claude")
            patch.undo()
            machine.session("two", "And why at noon?", NOW)

            await stage.shows("And why at noon?")
