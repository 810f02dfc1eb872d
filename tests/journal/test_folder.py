"""Where journals live and how sessions are named."""

import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import platformdirs
import pytest

from seqthink.journal.folder import journal_path, make_private_folder, new_session_id, seqthink_home, sessions_folder

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def test_the_home_is_the_one_that_is_named() -> None:
    assert seqthink_home({"SEQTHINK_HOME": "/somewhere"}) == Path("/somewhere")


def test_an_unnamed_home_is_the_platforms_state_folder() -> None:
    assert seqthink_home({}).name == "seqthink"
    assert seqthink_home({"SEQTHINK_HOME": ""}) == seqthink_home({})
    assert seqthink_home({}).is_absolute()


@pytest.mark.parametrize("state", [None, "", "/state", "/state/", "relative", "~/state"])
@pytest.mark.parametrize("home", ["/home/u", "/home/u/", "/", ""])
def test_the_platforms_folder_is_what_platformdirs_says(
    state: str | None, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home)
    if state is None:
        monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_STATE_HOME", state)

    assert seqthink_home({}) == platformdirs.user_state_path("seqthink", appauthor=False)


def test_a_tilde_in_the_home_is_the_users_own_folder() -> None:
    assert seqthink_home({"SEQTHINK_HOME": "~/thoughts"}) == Path.home() / "thoughts"


def test_sessions_lie_in_a_folder_of_the_home() -> None:
    assert sessions_folder(Path("/home")) == Path("/home/sessions")


def test_an_id_is_its_moment_in_utc_and_six_letters() -> None:
    assert new_session_id(MOMENT, "k3v9qa") == "20260102T030405.678901Z-k3v9qa"


def test_an_id_is_in_utc_in_every_time_zone() -> None:
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=-9)))

    assert new_session_id(elsewhere, "k3v9qa") == new_session_id(MOMENT, "k3v9qa")


def test_ids_sort_by_their_moment() -> None:
    moments = [MOMENT + timedelta(microseconds=step) for step in (0, 1, 321_099, 10**9, 10**13)]
    ids = [new_session_id(moment, "aaaaaa") for moment in moments]

    assert ids == sorted(ids)


def test_a_journal_lies_directly_in_its_folder() -> None:
    assert journal_path(Path("/d"), "20260102T030405.678901Z-k3v9qa").name == "20260102T030405.678901Z-k3v9qa.jsonl"


def test_folders_that_are_made_are_private(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        make_private_folder(tmp_path / "a" / "b")
    finally:
        os.umask(previous)

    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a" / "b")] == [0o700, 0o700]


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)

    assert tmp_path.stat().st_mode & 0o777 == 0o755
