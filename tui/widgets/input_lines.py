"""Lines that have the focus, and with it keys and pastes, while a text is typed in them."""

from typing import Protocol

from textual import events
from typing_extensions import override

from tui.commands import GLOBAL_KEYS
from tui.widgets.line_view import Lines, OneLine

PASSING_KEYS = GLOBAL_KEYS | {"up", "down", "pageup", "pagedown"}
"""Keys that keep their meaning while a text is typed."""


class TextEntry(Protocol):
    """A text that is being typed: it takes keys and pastes while it is open."""

    @property
    def is_open(self) -> bool:
        """Whether the user is typing."""
        ...

    def press(self, event: events.Key) -> None:
        """Apply a key."""
        ...

    def paste(self, text: str) -> None:
        """Insert pasted text."""
        ...


class InputLine(OneLine, can_focus=True):
    """One line; while a text is typed in it, keys and pastes go to the text first."""

    entry: TextEntry | None = None
    """The text typed here, if any."""

    @override
    def allow_focus(self) -> bool:
        return _is_open(self.entry)

    @override
    def check_consume_key(self, key: str, character: str | None) -> bool:
        return _consumes(self.entry, key)

    def on_key(self, event: events.Key) -> None:
        """Pass the key to the text; one that it does not use acts as on the rest of the screen."""
        _press(self.entry, event)

    def on_paste(self, event: events.Paste) -> None:
        """Insert pasted text."""
        _paste(self.entry, event)


class InputLines(Lines, can_focus=True):
    """Several lines; while a text is typed in them, keys and pastes go to the text first."""

    entry: TextEntry | None = None
    """The text typed here, if any."""

    @override
    def allow_focus(self) -> bool:
        return _is_open(self.entry)

    @override
    def check_consume_key(self, key: str, character: str | None) -> bool:
        return _consumes(self.entry, key)

    def on_key(self, event: events.Key) -> None:
        """Pass the key to the text; one that it does not use acts as on the rest of the screen."""
        _press(self.entry, event)

    def on_paste(self, event: events.Paste) -> None:
        """Insert pasted text."""
        _paste(self.entry, event)


def _is_open(entry: TextEntry | None) -> bool:
    return entry is not None and entry.is_open


def _consumes(entry: TextEntry | None, key: str) -> bool:
    return _is_open(entry) and key not in PASSING_KEYS


def _press(entry: TextEntry | None, event: events.Key) -> None:
    if entry is not None and _consumes(entry, event.key):
        event.stop()
        entry.press(event)


def _paste(entry: TextEntry | None, event: events.Paste) -> None:
    if entry is not None and entry.is_open:
        event.stop()
        entry.paste(event.text)
