"""What a list, a search or a count has not looked at is said; none of them says that there is nothing before."""

import json
import os
import shutil
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.types import Message

from seqthink.connect.doctor.journal_checks import folder_checks
from seqthink.drawing.panels.find_page import find_status
from seqthink.drawing.panels.list_rows import session_list_heading
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text
from seqthink.journal.decode import decode
from seqthink.journal.store import no_journals
from seqthink.library.catalog import session_catalog, session_index
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.places import transcripts
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.share.web.live import finding
from seqthink.share.web.live.asked_sessions import AskedSessions
from seqthink.share.web.live.finding import Finder
from seqthink.share.web.settings import WebSettings
from seqthink.sources.transcripts.claude.source import ClaudeSource
from seqthink.sources.transcripts.source import FoundSession
from tests.support.journals.build import shop_api
from tests.support.transcripts.claude_lines import user
from tests.support.transcripts.imports import import_all
from tests.support.transcripts.recorded import journals_of, lay_out

LONG_BYTES = 34 << 20
NOW = 1_800_000_000_000_000


def _session(home: Path, name: str, text: str = "Why?", padding: int = 0) -> None:
    path = home / ".claude" / "projects" / "-home-ada" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = b'{"type":"progress","data":"' + b"x" * (1 << 20) + b'"}\n'
    path.write_bytes(
        user(f"{name}-0", None, "First")
        + b"\n"
        + noise * (padding >> 20)
        + user(f"{name}-1", f"{name}-0", text)
        + b"\n"
    )


class SlowListing:
    """Holds back every listing of Claude Code's sessions until `go`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go, self.has_begun = threading.Event(), threading.Event()
        find = ClaudeSource.find
        self.count = 0

        def find_later(source: ClaudeSource, folder: Path, limit: int) -> list[FoundSession]:
            self.count += 1
            self.has_begun.set()
            assert self.go.wait(60)
            return find(source, folder, limit)

        monkeypatch.setattr(ClaudeSource, "find", find_later)
        monkeypatch.setattr(session_catalog, "MAX_LISTING_SECONDS", 0.01)


def _library(folder: Path) -> TranscriptPlace:
    runtime = folder / "runtime"
    runtime.mkdir()
    return TranscriptPlace(frozenset({"claude"}), {"XDG_RUNTIME_DIR": str(runtime)}, folder, lambda: NOW)


@pytest.fixture
def library(tmp_path: Path) -> Generator[TranscriptPlace]:
    library = _library(tmp_path)
    yield library
    library.close()


@pytest.fixture
def catalog(tmp_path: Path, library: TranscriptPlace) -> SessionCatalog:
    return SessionCatalog(FolderPlace(tmp_path / "journals"), library)


def _scan(catalog: SessionCatalog, notify: Callable[[SessionIndex], object]) -> SessionIndex:
    index = SessionIndex(catalog, UNICODE, decode, clock=lambda: NOW)
    index.scan(lambda: notify(index))
    return index


def test_the_list_says_what_it_has_not_looked_at_while_it_fills(
    catalog: SessionCatalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "journals"
    folder.mkdir()
    shop_api().write(folder / "shop.jsonl")
    _session(tmp_path, "s1")
    listing, said = SlowListing(monkeypatch), list[tuple[int, bool, str]]()

    def look(index: SessionIndex) -> None:
        assert listing.has_begun.wait(60)
        said.append((len(index.files), index.is_listed, index.unseen))
        listing.go.set()
        if index.is_glanced:
            index.stop()

    index = _scan(catalog, look)

    assert said[0] == (1, False, "still listing the sessions of Claude Code")
    assert (len(index.files), index.unseen) == (2, "")


def test_a_list_whose_sessions_are_not_all_read_says_how_many_are(
    catalog: SessionCatalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_catalog, "MAX_LISTING_SECONDS", 60)
    monkeypatch.setattr(session_index, "FIRST_GLANCE_SECONDS", -1)
    monkeypatch.setattr(session_index, "FIRST_DRAW_SECONDS", 0)
    for number in range(3):
        _session(tmp_path, f"s{number}")
    said: list[str] = []

    def look(index: SessionIndex) -> None:
        said.append(index.unseen)
        if index.is_glanced:
            index.stop()

    _scan(catalog, look)

    assert (said[0], said[-1]) == ("0 of 3 sessions read", "")


def test_a_heading_says_none_only_when_all_is_listed() -> None:
    assert "listing…" in spans_text(session_list_heading(None, {}, 60, right=[]))
    assert "none yet" in spans_text(session_list_heading(0, {}, 60, right=[]))


def test_sessions_that_are_too_old_for_the_list_are_said_and_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "MAX_LISTED", 2)
    catalog = SessionCatalog(FolderPlace(tmp_path / "journals"), library := _library(tmp_path))
    for number in range(3):
        _session(tmp_path, f"s{number}")

    catalog.refresh()
    listed, said = len(library.sessions()), catalog.unlisted
    cut = [library.report.is_cut_since(time) for time in (0, NOW * 2)]
    catalog.list_whole()
    library.close()

    assert (listed, cut) == (2, [True, False])
    assert said == "only the 2 newest sessions of Claude Code are listed; `seqthink find` searches all"
    assert (len(library.sessions()), catalog.unlisted) == (3, "")


def test_what_is_in_a_transcript_and_in_journals_is_searched_and_counted_once(tmp_path: Path) -> None:
    run = "claude/agents"
    home, folder = lay_out(run, tmp_path / "home"), tmp_path / "journals"
    import_all(home, folder)
    for journal in journals_of(run):
        shutil.copy(journal, folder)
    catalog = SessionCatalog(FolderPlace(folder), library := _library(home))

    catalog.list_whole()
    listed = [file.path for file in catalog.sessions()]
    library.close()

    assert len(list(folder.iterdir())) > 1
    assert listed == [file.path for file in library.sessions()]


def test_looks_that_are_asked_for_during_a_look_are_not_made_again(
    library: TranscriptPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _session(tmp_path, "s1")
    listing = SlowListing(monkeypatch)
    assert not library.look(0.001)
    waiting = [threading.Thread(target=library.refresh) for _ in range(3)]
    for thread in waiting:
        thread.start()
    assert listing.has_begun.wait(60)
    before = library.report.unlisted
    listing.go.set()
    for thread in waiting:
        thread.join(60)
    ended = library.look(60)

    assert before == "still listing the sessions of Claude Code"
    assert (ended, library.report.unlisted, len(library.sessions())) == (True, "", 1)
    assert listing.count <= 1 + len(waiting)


def test_nobody_waits_to_join_what_has_not_been_listed_in_time(
    library: TranscriptPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _session(tmp_path, "s1")
    listing = SlowListing(monkeypatch)
    is_listed = library.look(0.001)
    joining = threading.Thread(target=library.join_with, args=([],), daemon=True)
    joining.start()
    joining.join(10)
    has_waited = joining.is_alive()
    listing.go.set()
    joining.join(60)

    assert (is_listed, has_waited) == (False, False)


async def test_a_search_of_the_page_waits_for_the_listing(
    catalog: SessionCatalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _session(tmp_path, "s1", "the pool")
    listing = SlowListing(monkeypatch)
    monkeypatch.setattr(finding, "ANSWER_SECONDS", 0.05)
    finder = Finder(WebSettings(catalog=catalog, clock=lambda: NOW))

    async def receive() -> Message:
        await anyio.sleep_forever()
        raise AssertionError

    async def ask() -> dict[str, Any]:
        return json.loads(await finder.in_all(AskedSessions("pool"), None, 0, receive=receive))

    with anyio.fail_after(60):
        first = await ask()
        listing.go.set()
        while not (last := await ask())["hits"]:
            assert not last["is_done"]

    assert (first["hits"], first["is_done"]) == ([], False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_what_is_no_file_in_a_journal_s_place_is_said_by_the_list_and_by_doctor(
    catalog: SessionCatalog, tmp_path: Path
) -> None:
    folder = tmp_path / "journals"
    folder.mkdir(mode=0o700)
    shop_api().write(folder / "shop.jsonl")
    os.mkfifo(folder / "a.jsonl")
    (folder / "b.jsonl").symlink_to(folder / "shop.jsonl")
    (folder / "c.jsonl").mkdir()
    (folder / "d.notes.jsonl").symlink_to(tmp_path)
    said = "not listed, since they are not files: a.jsonl (a pipe or device), b.jsonl (a link), c.jsonl (a folder)"

    index = _scan(catalog, lambda index: index.stop() if index.is_glanced else None)
    checks = {check.subject: check for check in folder_checks(folder)}

    assert (index.unseen, no_journals(folder)) == (said, said)
    assert (checks["sessions"].verdict, checks["sessions"].detail) == ("warning", said)
    assert checks["folder"].message.startswith("1 session;")


def test_without_a_folder_of_journals_nothing_is_left_out(tmp_path: Path) -> None:
    assert no_journals(tmp_path / "none") == ""


def test_a_long_transcript_is_read_to_its_end(catalog: SessionCatalog, tmp_path: Path) -> None:
    _session(tmp_path, "long", "the late one", LONG_BYTES)
    catalog.refresh()
    [file] = catalog.sessions()

    catalog.session(file.path).read_whole()

    assert b"the late one" in file.path.read_bytes()
    assert catalog.left_out == []


def test_a_search_that_leaves_old_sessions_out_does_not_say_that_there_is_nothing() -> None:
    said = find_status(0, 0, searched=9, total=2000, is_running=False, is_cut=False, is_partial=True)

    assert said == "nothing found in the newest 2,000 sessions"
