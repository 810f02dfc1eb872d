"""Parser for bracketed paste: separates pasted text from keys, so that no paste can act as keys."""

from collections.abc import Iterator

from msgspec import Struct

PASTE_START, PASTE_END = "\x1b[200~", "\x1b[201~"
ESCAPE = PASTE_START[0]
MAX_PASTE_CHARS = 4 << 20
"""Limit for one paste; the rest is dropped."""
ESCAPE_SECONDS, MARKER_SECONDS = 0.1, 1.0
"""How long a possible start of a marker waits: a lone Escape is usually the key."""
PASTE_SECONDS = 10.0
"""After this long without input an unfinished paste ends; otherwise keys would be dead for ever."""


class InputPiece(Struct, frozen=True):
    """Part of the terminal's input: a complete paste, or keys."""

    text: str
    is_paste: bool = False


class BracketedPasteParser:
    """Splits terminal input into pastes and keys; reads may cut the stream anywhere."""

    def __init__(self) -> None:
        self._held = ""
        self._pasted: list[str] | None = None
        self._room_chars = MAX_PASTE_CHARS
        self._has_escaped = False

    @property
    def timeout_seconds(self) -> float | None:
        """Seconds of silence after which pending input is flushed; None when nothing is pending."""
        if self._pasted is not None:
            return PASTE_SECONDS
        if not self._held:
            return None
        return ESCAPE_SECONDS if self._held == ESCAPE else MARKER_SECONDS

    def feed(self, data: str) -> Iterator[InputPiece]:
        """Yield the input that ``data`` completes; the iterator must be exhausted."""
        if self._has_escaped and data.startswith(PASTE_START[1:]):
            data = ESCAPE + data
        self._has_escaped = False
        self._held += data
        while self._held:
            marker = PASTE_START if self._pasted is None else PASTE_END
            before, found, after = self._held.partition(marker)
            kept = 0 if found else _partial_marker_chars(before, marker)
            yield from self._add(before[: len(before) - kept])
            self._held = before[len(before) - kept :] + after
            if not found:
                return
            yield from self._toggle_paste()

    def flush(self) -> Iterator[InputPiece]:
        """Yield pending input after `timeout_seconds` of silence."""
        if self._pasted is not None:
            yield from self._add(self._held)
            yield from self._toggle_paste()
        elif self._held:
            self._has_escaped = self._held == ESCAPE
            yield InputPiece(self._held)
        self._held = ""

    def _add(self, text: str) -> Iterator[InputPiece]:
        if self._pasted is not None:
            self._pasted.append(text[: self._room_chars])
            self._room_chars -= len(self._pasted[-1])
        elif text:
            yield InputPiece(text)

    def _toggle_paste(self) -> Iterator[InputPiece]:
        if self._pasted is None:
            self._pasted, self._room_chars = [], MAX_PASTE_CHARS
        else:
            yield InputPiece("".join(self._pasted), is_paste=True)
            self._pasted = None


def _partial_marker_chars(text: str, marker: str) -> int:
    """Return how many characters at the end of ``text`` may start ``marker``."""
    return next(size for size in range(len(marker) - 1, -1, -1) if text.endswith(marker[:size]))
