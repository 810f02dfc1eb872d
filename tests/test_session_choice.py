"""Which session is worth leaving another for."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from tests.build import START, JournalBuilder
from tests.screen_text import HOST, locked_journal
from tui.session_choice import newer_session

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


def test_the_last_word_of_a_session_that_began_earlier_and_is_over_is_no_news(older: Path, current: Path) -> None:
    assert older.is_file()
    assert newer_session(current, current.parent, NOW) is None


def test_a_session_that_began_earlier_is_news_while_its_server_lives(older: Path, current: Path) -> None:
    with locked_journal(older):
        assert newer_session(current, current.parent, NOW) == older


def test_a_session_that_began_later_is_news_beside_older_ones(older: Path, current: Path) -> None:
    later = _write(current.parent, "20260310T140200.000000Z-later1", 350)

    assert older.is_file()
    assert newer_session(current, current.parent, NOW) == later


def test_a_session_that_began_later_is_no_news_after_ten_minutes(current: Path) -> None:
    later = _write(current.parent, "20260310T140200.000000Z-later1", 350)

    assert newer_session(current, later.parent, NOW + 600_000_000) is None
