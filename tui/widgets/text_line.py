"""A line to type into; its owner draws it, alone or beside something else."""

from textual import events
from textual.message import Message
from typing_extensions import override

from seqthink.drawing.panels.text_input import EDITING_KEYS, TextInput
from seqthink.drawing.text.spans import Spans
from tui.widgets.line_view import OneLine

CLOSING_KEYS = frozenset({"enter", "escape"})


class TextLine(OneLine, can_focus=True):
    """Takes keys and pastes while it is open.

    Enter and Escape close it at once, so that keys typed right after act on whatever is next. A key that it does not
    use, such as those that move in a list, passes on to bindings.
    """

    class Edited(Message):
        """The text or the cursor has changed."""

    class Closed(Message):
        """The user has closed the line."""

        def __init__(self, *, is_cancelled: bool) -> None:
            super().__init__()
            self.is_cancelled = is_cancelled
            """By Escape, not by Enter."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - as Textual has it
        is_raised: bool = False,
        closes_when_empty: bool = False,
    ) -> None:
        """Make a closed line; with ``closes_when_empty``, Backspace without a text cancels, too."""
        super().__init__(id=id, is_raised=is_raised)
        self._closes_when_empty = closes_when_empty
        self.is_open = False
        self._text_input = TextInput()

    @property
    def typed_text(self) -> str:
        """The text that has been typed or pasted."""
        return self._text_input.text

    def input_spans(self, label: str, cells: int) -> Spans:
        """Return the label and the text around the cursor in at most ``cells`` cells."""
        return self._text_input.spans(label, cells)

    def open(self, text: str | None = None) -> None:
        """Take keys, with ``text`` already typed; by default the text and the cursor stay as they were."""
        if text is not None:
            self._text_input = TextInput(text)
        self.is_open = True
        self.screen.set_focus(self, scroll_visible=False)

    def set_text(self, text: str) -> None:
        """Replace the text, whether the line is open or not."""
        self._text_input = TextInput(text)

    def insert(self, text: str) -> None:
        """Insert typed or pasted text at the cursor."""
        self._text_input.insert(text)
        self.post_message(self.Edited())

    def _close(self, *, is_cancelled: bool) -> None:
        self.is_open = False
        self.screen.set_focus(None)
        self.post_message(self.Closed(is_cancelled=is_cancelled))

    @override
    def allow_focus(self) -> bool:
        """Return whether the line is open."""
        return self.is_open

    @override
    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Return whether the line uses this key now."""
        is_used = key in CLOSING_KEYS or key in EDITING_KEYS or bool(character and character.isprintable())
        return self.is_open and is_used

    def on_key(self, event: events.Key) -> None:
        """Edit the text or close the line."""
        if not self.check_consume_key(event.key, event.character):
            return
        event.stop()
        is_emptied = self._closes_when_empty and event.key == "backspace" and not self.typed_text
        if event.key in CLOSING_KEYS or is_emptied:
            self._close(is_cancelled=event.key != "enter")
        elif self._text_input.press(event.key):
            self.post_message(self.Edited())
        elif event.character is not None:
            self.insert(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Insert pasted text."""
        if self.is_open:
            event.stop()
            self.insert(event.text)
