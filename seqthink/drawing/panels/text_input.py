"""A single-line text input: text, cursor, editing keys, drawing."""

from itertools import accumulate

from seqthink.core.text import one_line
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.spans import Role, Span, Spans, clip

MAX_INPUT_CHARS = 1000
"""Characters that the input accepts."""
_MIN_SHOWN_CELLS = 4
"""Cells of the text that are shown, however long the label is."""
_KEY_ALIASES = {"ctrl+a": "home", "ctrl+e": "end", "ctrl+h": "backspace", "ctrl+d": "delete"}
EDITING_KEYS = frozenset(
    {"left", "right", "home", "end", "backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w", *_KEY_ALIASES}
)
"""Keys that move the cursor or remove text."""


class TextInput:
    """One line of text and a cursor. Controls and line breaks are removed when text is inserted."""

    def __init__(self, text: str = "") -> None:
        self.text = ""
        self.cursor = 0
        """Characters before the cursor."""
        self.insert(text)

    def insert(self, text: str) -> None:
        """Insert ``text`` at the cursor, on one line, as far as it fits into `MAX_INPUT_CHARS`."""
        blanks = (" " if text[:1].isspace() else "", " " if len(text) > 1 and text[-1:].isspace() else "")
        safe = f"{blanks[0]}{one_line(text)}{blanks[1]}"[: max(0, MAX_INPUT_CHARS - len(self.text))]
        self.text = self.text[: self.cursor] + safe + self.text[self.cursor :]
        self.cursor += len(safe)

    def press(self, key: str) -> bool:
        """Apply one of the `EDITING_KEYS`; return whether the key is one."""
        if key not in EDITING_KEYS:
            return False
        targets = {"left": self.cursor - 1, "right": self.cursor + 1, "home": 0, "end": len(self.text)}
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        words = before.rstrip()
        texts = {
            "backspace": (before[:-1], after),
            "delete": (before, after[1:]),
            "ctrl+u": ("", after),
            "ctrl+k": (before, ""),
            "ctrl+w": (words[: words.rfind(" ") + 1], after),
        }
        key = _KEY_ALIASES.get(key, key)
        if key in targets:
            self.cursor = max(0, min(targets[key], len(self.text)))
        else:
            self._set(*texts[key])
        return True

    def _set(self, before: str, after: str) -> None:
        self.text, self.cursor = before + after, len(before)

    def spans(self, label: str, cells: int) -> Spans:
        """Return the label and the text around the cursor in at most ``cells`` cells; the cursor is always visible."""
        room = max(_MIN_SHOWN_CELLS, cells - width(label) - 1)
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        ends = list(accumulate(width(character) for character in before))
        start = next((offset for offset, end in enumerate([0, *ends]) if (ends[-1] if ends else 0) - end < room), 0)
        under_cursor, rest = (after[:1] or " "), after[1:]
        spans = [
            Span(label, Role.ACCENT),
            *([Span(before[start:])] if before[start:] else []),
            Span(under_cursor, Role.MATCH),
            *([Span(rest)] if rest else []),
        ]
        return clip(spans, cells)
