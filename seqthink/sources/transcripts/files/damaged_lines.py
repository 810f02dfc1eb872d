"""Finds the whole records in a damaged line: a crash glues the next one to half of one, or leaves NULs between them."""

import json
import re
from collections.abc import Callable
from typing import Any, Final, cast

_DECODER: Final = json.JSONDecoder()
_OPENING: Final = re.compile(r'\{\s*"')
_MAX_WORK: Final = 64
"""How many times the characters of a line are read: each beginning of an object in it may cost as much as all of it."""


def whole_records(line: bytes, is_record: Callable[[dict[str, Any]], bool]) -> list[bytes]:
    """Return the whole records in a line that is not a record itself, in order.

    Args:
        line: the line.
        is_record: returns whether a JSON object is a record, and not a part of the broken one.
    """
    text = line.decode("utf-8", "surrogateescape")
    return [text[at:end].encode("utf-8", "surrogateescape") for at, end in places_of_records(text, is_record)]


def places_of_records(text: str, is_record: Callable[[dict[str, Any]], bool]) -> list[tuple[int, int]]:
    """Return where the whole records in a damaged text begin and end, in order."""
    found: list[tuple[int, int]] = []
    opening, work = _OPENING.search(text), _MAX_WORK * len(text)
    while opening is not None and work > 0:
        at = opening.start()
        value, end = _object_at(text, at)
        work -= end - at
        if value is not None and is_record(value):
            found.append((at, end))
        elif value is None:
            end = at + 1
        opening = _OPENING.search(text, end)
    return found


def _object_at(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    """Return the object that begins at a place, None if it is broken, and the place to which it was read."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        return None, max(error.pos, at + 1)
    except (ValueError, RecursionError):
        return None, len(text)
    return cast("dict[str, Any]", value), end


class GluedRecord:
    """Finds the last record in a line that is kept only at its beginning, from the pieces in which it is read.

    Args:
        start: how every record begins; None: nothing is looked for.
        max_bytes: a longer record is not kept.
    """

    def __init__(self, start: bytes | None, max_bytes: int) -> None:
        self._start = start
        self._max_bytes = max_bytes
        self.clear()

    def clear(self) -> None:
        """Start again, with the next line."""
        self._pieces: list[bytes] = []
        self._bytes = 0
        self._overlap = b""

    def take(self, piece: bytes) -> None:
        """Take in the next piece of the line."""
        if self._start is None:
            return
        window = self._overlap + piece
        at = window.rfind(self._start)
        if at >= 0:
            self._pieces, self._bytes = [window[at:]], len(window) - at
        elif self._pieces:
            self._pieces.append(piece)
            self._bytes += len(piece)
        if self._bytes > self._max_bytes:
            self._pieces, self._bytes = [], 0
        self._overlap = window[1 - len(self._start) :]

    def found(self) -> list[bytes]:
        """Return the record, or nothing if there was none."""
        return [b"".join(self._pieces)] if self._pieces else []
