"""Texts of messages that Gemini CLI wrote before they were whole: it writes a message again, with more of its text.

What was shown stays as it was. So once a text turns out to have grown, the session is read again with it.
"""

from collections.abc import Iterable
from typing import Final

MAX_READINGS: Final = 15
"""How often a session is read again for that; a text that grows later is shown once more, as another one."""


class GrownTexts:
    """The texts of a session, as this reading and earlier ones have shown them, by the ids of their facts."""

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}
        self._whole: dict[str, str] = {}
        self._new: dict[str, str] = {}
        self._readings = 0

    def begin(self) -> None:
        """The session is read from its beginning."""
        self._shown.clear()
        self._new.clear()

    def show(self, identifier: str, text: str) -> tuple[str, str]:
        """Return the id and the text to show, given those that a record has."""
        known = self._whole.get(identifier, text)
        text = known if known.startswith(text) else text
        shown = self._shown.setdefault(identifier, text)
        if len(text) > len(shown) and text.startswith(shown):
            self._new[identifier] = text
            if self._readings >= MAX_READINGS:
                self._shown[identifier] = text
                return f"{identifier}+{len(text)}", text
        return identifier, text

    def forget(self, ids: Iterable[str]) -> None:
        """These were taken back: what comes with their ids is something else."""
        for identifier in ids:
            self._shown.pop(identifier, None)

    def take_news(self) -> bool:
        """Return whether a text has grown since the session was read; from now on it is to be read with that."""
        is_news = bool(self._new) and self._readings < MAX_READINGS
        if is_news:
            self._readings += 1
            self._whole |= self._new
        self._new.clear()
        return is_news
