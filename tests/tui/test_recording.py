"""Recordings of the viewer: what is written draws what was on the screen, at the times of a replay."""

from pathlib import Path

import pytest

from seqthink.drawing.text.spans import Role
from seqthink.share.recordings.asciicast import BEGIN, end_sequence
from seqthink.share.recordings.recording import CellStyle, Recording
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.journals.exports import hostile, invisible_chars
from tests.support.screens.drawn_screen import DrawnScreen, cells_of
from tests.support.screens.recordings import recorded
from tests.support.screens.terminal import check_written
from tests.support.servers.commands import JOURNALS, SHOP_API
from tui.theme import DARK

PLAIN = CellStyle(DARK.roles[Role.TEXT], DARK.background)


def text_of(recording: Recording, number: int = -1) -> str:
    return "\n".join("".join(run.text for run in row) for row in recording.frames[number].rows)


@pytest.mark.parametrize("name", first(2, ["shop-api", "full", "minimal", "corrupt", "unknown", "torn"]))
@pytest.mark.parametrize("size", first(1, [(100, 30), (44, 20), (28, 8)]))
def test_a_terminal_that_gets_what_is_written_shows_each_frame(name: str, size: tuple[int, int]) -> None:
    recording = recorded(JOURNALS / f"{name}.jsonl", size)
    screen = DrawnScreen(size, PLAIN)

    assert recording.frames
    for frame in recording.frames:
        screen.write(frame.written)
        assert screen.rows == [cells_of(row) for row in frame.rows]
        assert [len(row) for row in screen.rows] == [size[0]] * size[1]


def test_each_thought_comes_at_its_time_divided_by_the_speed_and_no_pause_is_longer_than_the_limit(
    tmp_path: Path,
) -> None:
    builder = JournalBuilder().session()
    for number, after in enumerate((5, 1, 600, 0, 2), 1):
        builder.thought(f"thought{number}", number, 5, after=after)
    recording = recorded(builder.write(tmp_path / "a.jsonl"), speed=2, idle_limit=3)
    appeared = [
        next(
            frame.at for place, frame in enumerate(recording.frames) if f"thought{number}" in text_of(recording, place)
        )
        for number in range(1, 6)
    ]

    assert [round(at, 1) for at in appeared] == [0.0, 0.5, 3.5, 3.5, 4.5]


def test_a_session_is_recorded_the_same_each_time_whatever_terminal_it_is_recorded_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first_time = recorded(SHOP_API)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    assert recorded(SHOP_API) == first_time
    assert {run.style.background for row in first_time.frames[-1].rows for run in row} >= {DARK.background}
    assert len({run.style.colour for row in first_time.frames[-1].rows for run in row}) > 3


def test_other_sessions_of_the_folder_leave_no_trace(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    journal = JournalBuilder().session().thought("mine", 1, 1).end().write(folder / "a.jsonl")
    alone = recorded(journal)
    JournalBuilder().session(title="secret-plan").thought("Which one?", 1, 2).write(folder / "b.jsonl")

    assert recorded(journal) == alone
    assert sorted(path.name for path in folder.iterdir()) == ["a.jsonl", "b.jsonl"]


def test_a_session_without_a_line_is_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()
    recording = recorded(path)

    assert [frame.at for frame in recording.frames] == [0.0]
    assert recording.started_at == 0


def test_hostile_texts_write_nothing_but_text(tmp_path: Path) -> None:
    recording = recorded(hostile().write(tmp_path / "a.jsonl"), (100, 30))

    check_written(BEGIN + "".join(frame.written for frame in recording.frames) + end_sequence(30))
    assert not invisible_chars(recording.title)


def test_what_is_recorded_is_reported_up_to_all_of_it() -> None:
    shares: list[float] = []
    recorded(SHOP_API, report=shares.append)

    assert shares == sorted(shares)
    assert shares[-1] == 1.0
