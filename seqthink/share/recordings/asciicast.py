"""A recording as an asciicast, the file that asciinema plays (https://docs.asciinema.org/manual/asciicast/v2/).

The screen is cleared at the start, and the cursor comes back at the end, below the last frame's text. The alternate
screen is not used: a player leaves its terminal as the recording does, and the last frame would vanish.
"""

import json
from collections.abc import Iterator
from typing import Literal

from seqthink.share.recordings.recording import Recording

CastVersion = Literal[2, 3]
TERMINAL_TYPE = "xterm-256color"
BEGIN = "\x1b[0m\x1b[2J\x1b[?25l"
"""Clears the screen and hides the cursor."""


def end_sequence(lines: int) -> str:
    """Return what puts the cursor on the last of this many lines, and shows it."""
    return f"\x1b[0m\x1b[{lines};1H\x1b[?25h"


def asciicast(recording: Recording, version: CastVersion = 2) -> Iterator[str]:
    """Yield the lines of the file: the header, then one for each frame, and one for the end."""
    yield _line(_header(recording, version))
    written_at = 0
    for at, text in _outputs(recording):
        # Version 3 has intervals: of rounded times, so that no error adds up.
        yield _line([(at - written_at if version == 3 else at) / 1000, "o", text])
        written_at = at


def _header(recording: Recording, version: CastVersion) -> dict[str, object]:
    size: dict[str, object] = {"width": recording.columns, "height": recording.lines}
    kind: dict[str, object] = {"env": {"TERM": TERMINAL_TYPE}}
    if version == 3:
        size, kind = {"term": {"cols": recording.columns, "rows": recording.lines, "type": TERMINAL_TYPE}}, {}
    started = {"timestamp": recording.started_at} if recording.started_at > 0 else {}
    return {"version": version, **size, **started, "title": recording.title, **kind}


def _outputs(recording: Recording) -> Iterator[tuple[int, str]]:
    """Yield what is written, and when, in milliseconds."""
    before = BEGIN
    for frame in recording.frames:
        yield round(frame.at * 1000), before + frame.written
        before = ""
    yield round(recording.seconds * 1000), end_sequence(recording.lines)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
