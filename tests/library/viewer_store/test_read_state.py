"""What counts as read, and what as unread."""

import json
from pathlib import Path

import pytest

from seqthink.library.viewer_store.read_state import ReadState

NOW = 1_000_000_000_000_000
MINUTE = 60_000_000


def test_nothing_is_unread_before_a_viewer_was_opened(tmp_path: Path) -> None:
    assert not ReadState(tmp_path).is_unread("s", NOW)
    assert ReadState(tmp_path).unread_count("s", 5, NOW) == 0


def test_what_was_there_before_the_first_viewer_counts_as_read(tmp_path: Path) -> None:
    ReadState(tmp_path).begin(NOW)
    ReadState(tmp_path).begin(NOW + 9 * MINUTE)

    state = ReadState(tmp_path)
    assert not state.is_unread("old", NOW - MINUTE)
    assert state.is_unread("new", NOW + MINUTE)
    assert state.unread_count("new", 7, NOW + MINUTE) == 7


def test_of_two_first_viewers_the_earlier_one_counts(tmp_path: Path) -> None:
    for since in (NOW + MINUTE, NOW):
        with (tmp_path / "read.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"since": since}) + "\n")

    assert ReadState(tmp_path).is_unread("s", NOW + 1)


def test_a_session_is_unread_again_when_a_thought_comes(tmp_path: Path) -> None:
    state = ReadState(tmp_path)
    state.begin(NOW)
    state.mark_read("s", 4, NOW + MINUTE)

    assert not state.is_unread("s", NOW + MINUTE)
    assert state.unread_count("s", 4, NOW + MINUTE) == 0
    assert state.unread_count("s", 6, NOW + 2 * MINUTE) == 2
    assert ReadState(tmp_path).unread_count("s", 6, NOW + 2 * MINUTE) == 2


def test_a_session_that_was_rewound_and_went_on_has_at_least_one_unread_thought(tmp_path: Path) -> None:
    state = ReadState(tmp_path)
    state.mark_read("s", 9, NOW)

    assert state.unread_count("s", 3, NOW + 1) == 1


def test_a_session_whose_clock_is_behind_or_ahead_is_measured_by_its_own_clock(tmp_path: Path) -> None:
    state = ReadState(tmp_path)
    state.begin(NOW)
    state.mark_read("behind", 2, NOW - 60 * MINUTE)
    state.mark_read("ahead", 2, NOW + 60 * MINUTE)

    assert state.is_unread("behind", NOW - 59 * MINUTE)
    assert not state.is_unread("ahead", NOW + 60 * MINUTE)


def test_to_forget_a_session_keeps_the_others_and_the_beginning(tmp_path: Path) -> None:
    state = ReadState(tmp_path)
    state.begin(NOW)
    state.mark_read("a", 1, NOW + MINUTE)
    state.mark_read("b", 2, NOW + MINUTE)
    state.forget({"a"})

    assert [state.is_unread(name, NOW + MINUTE) for name in ("a", "b", "c")] == [True, False, True]
    assert not state.is_unread("c", NOW)


@pytest.mark.parametrize("line", ['{"since":true}', '{"since":"x"}', '{"session":"s","seen":-3,"until":null}', "[1]"])
def test_lines_that_mean_nothing_change_nothing(line: str, tmp_path: Path) -> None:
    (tmp_path / "read.jsonl").write_text(line + "\n", encoding="utf-8")

    assert not ReadState(tmp_path).is_unread("s", NOW)
    assert ReadState(tmp_path).seen_count("s") == 0


def test_what_was_read_once_stays_read_when_less_of_it_is_on_a_screen_later(tmp_path: Path) -> None:
    state = ReadState(tmp_path)
    state.mark_read("s", 5, NOW + MINUTE)
    state.mark_read("s", 3, NOW + 2 * MINUTE)

    assert ReadState(tmp_path).seen_count("s") == 5
