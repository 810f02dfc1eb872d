"""Which session is worth leaving another for."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.screen_text import HOST, locked_journal
from tui.sessions.session_choice import newer_session

NOW = int((START.timestamp() + 500) * 1_000_000)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    return _write(tmp_path, "20260310T140000.000000Z-older1", 400)


@pytest.fixture
def current(tmp_path: Path) -> Path:
    return _write(tmp_path, "20260310T140100.000000Z-shown1", 300)


def _write(folder: Path, session: str, changed: float) -> Path:
    journal = JournalBuilder(START + timedelta(seconds=changed)).session(session, host=HOST).thought("t", 1, 1)
    path, moment = journal.write(folder / f"{session}.jsonl"), START.timestamp() + changed
    os.utime(path, (moment, moment))
    return path


def test_the_end_of_a_session_that_began_earlier_does_not_switch_to_it(older: Path, current: Path) -> None:
    assert older.is_file()
    assert newer_session(current, SessionCatalog(FolderPlace(current.parent)), NOW) is None


def test_a_live_session_that_began_earlier_is_switched_to(older: Path, current: Path) -> None:
    with locked_journal(older):
        assert newer_session(current, SessionCatalog(FolderPlace(current.parent)), NOW) == older


def test_a_session_that_began_later_is_switched_to(older: Path, current: Path) -> None:
    later = _write(current.parent, "20260310T140200.000000Z-later1", 350)

    assert older.is_file()
    assert newer_session(current, SessionCatalog(FolderPlace(current.parent)), NOW) == later


def test_a_session_that_began_later_is_not_switched_to_after_ten_minutes(current: Path) -> None:
    later = _write(current.parent, "20260310T140200.000000Z-later1", 350)

    assert newer_session(current, SessionCatalog(FolderPlace(later.parent)), NOW + 600_000_000) is None
