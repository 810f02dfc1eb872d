"""The asciicast of a recording, line by line."""

import json
from typing import Any

from seqthink.share.recordings.asciicast import BEGIN, CastVersion, asciicast, end_sequence
from seqthink.share.recordings.recording import REST_SECONDS, Frame, Recording
from tests.support.screens.recordings import SURFACE, small_recording

VERSIONS: tuple[CastVersion, ...] = (2, 3)


def lines(recording: Recording, version: CastVersion = 2) -> list[Any]:
    return [json.loads(line) for line in asciicast(recording, version)]


def test_version_2_has_the_time_of_each_frame_since_the_start() -> None:
    header, *events = lines(small_recording())

    assert header == {
        "version": 2,
        "width": 8,
        "height": 2,
        "timestamp": 1_773_151_320,
        "title": "small",
        "env": {"TERM": "xterm-256color"},
    }
    assert events == [
        [0.0, "o", f"{BEGIN}\x1b[2;1H0"],
        [1.5, "o", "\x1b[2;1H1"],
        [2.5, "o", "\x1b[2;1H2"],
        [2.5 + REST_SECONDS, "o", end_sequence(2)],
    ]


def test_version_3_has_the_time_since_the_frame_before() -> None:
    header, *events = lines(small_recording(), 3)

    assert header == {
        "version": 3,
        "term": {"cols": 8, "rows": 2, "type": "xterm-256color"},
        "timestamp": 1_773_151_320,
        "title": "small",
    }
    assert [event[0] for event in events] == [0.0, 1.5, 1.0, REST_SECONDS]
    assert [event[1:] for event in events] == [event[1:] for event in lines(small_recording())[1:]]


def test_the_intervals_of_version_3_add_up_to_the_times_of_version_2() -> None:
    frames = [Frame(number / 30, "x", ()) for number in range(1000)]
    recording = Recording(title="", started_at=0, columns=8, lines=2, background=SURFACE, frames=frames)
    times, intervals = ([event[0] for event in lines(recording, version)[1:]] for version in VERSIONS)

    assert round(sum(intervals[:-1]), 6) == times[-2]
    assert "timestamp" not in lines(recording)[0]


def test_a_line_has_one_line_feed_whatever_was_written() -> None:
    recording = small_recording("a\nb\u2028c")
    written = "".join(asciicast(recording))

    assert written.count("\n") == len(lines(recording)) == written.rstrip("\n").count("\n") + 1
    assert "\x1b" not in written
