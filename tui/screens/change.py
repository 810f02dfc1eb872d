"""The page of what calls changed in files; its texts come from the transcript (docs/viewer.md, "Changed files").

Calls of a row of actions are shown at once. Behind a thought there may be many files, so they are listed first.
"""

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.core.background import keep_running_sync
from seqthink.core.errors import UsageError
from seqthink.core.file_edit import CallChange
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.drawing.panels.change_page import ChangePage, change_page, file_row
from seqthink.drawing.panels.file_changes import (
    NO_CHANGES,
    ChangedFile,
    changed_files,
    count_words,
    left_out_sentence,
)
from seqthink.drawing.text.span_wrapping import wrap_spans
from seqthink.drawing.text.spans import Role, Span, Spans, clip, fitted_ends, key_hints
from tui.settings import Settings
from tui.theme import THEMES
from tui.widgets.line_view import LineView, OneLine, PickList

_READING: Final = "reading the transcript"


class AskedChange(NamedTuple):
    """What a page is about."""

    title: str
    read: Callable[[Callable[[int], bool]], list[CallChange]]
    """Reads what the calls changed, in a thread, with a function that takes the number of bytes read so far, and
    returns False to give up. It may raise a `UsageError`."""
    folder: str
    """The working folder of the session."""
    is_list: bool
    """Whether the files are listed first."""


class ChangeScreen(ModalScreen[None]):
    """What calls changed in files; Esc goes back to the list of files, if there is one, and then to the tree.

    Args:
        settings: how it is shown.
        asked: what it is about.
    """

    DEFAULT_CSS = "ChangeScreen { layout: vertical; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "back"),
        Binding("enter,l,right", "open", "open"),
        Binding("tab,o", "next_file(1)", "next file"),
        Binding("shift+tab,O", "next_file(-1)", "previous file"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown,space,ctrl+f,ctrl+d", "move_pages(1)", "page down"),
        Binding("pageup,ctrl+b,ctrl+u", "move_pages(-1)", "page up"),
        Binding("g,home", "move_pages(-1000000)", "start"),
        Binding("G,end", "move_pages(1000000)", "end"),
    ]

    class ChangesRead(Message):
        """More of the transcript has been read, or all that was wanted."""

        def __init__(self, read: int, changes: list[CallChange] | None = None) -> None:
            super().__init__()
            self.read = read
            self.changes = changes

    def __init__(self, settings: Settings, asked: AskedChange) -> None:
        super().__init__()
        self._settings = settings
        self._asked = asked
        self._files: list[ChangedFile] = []
        self._is_read = self._is_stopped = False
        self._trouble = self._left_out = ""
        self._read_bytes = 0
        self._is_listing = asked.is_list
        self._selected = self._top = 0
        self._page = ChangePage([], [])

    @override
    def compose(self) -> ComposeResult:
        yield OneLine(id="head", is_raised=True)
        yield PickList(id="page")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme, and begin to read."""
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = self._settings.theme
        self.run_worker(self._read, thread=True, group="change")

    def on_unmount(self) -> None:
        """Stop reading."""
        self._is_stopped = True

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._lay_out()
        self._draw()

    @property
    def is_ready(self) -> bool:
        """Whether all that was wanted has been read."""
        return self._is_read

    # Reading

    def _read(self) -> None:
        changes: list[CallChange] = []

        def read() -> None:
            try:
                changes.extend(self._asked.read(self._note_progress))
            except UsageError as error:
                self._trouble = str(error)

        keep_running_sync(read, _READING, self._report)
        self.post_message(self.ChangesRead(0, changes))

    def _note_progress(self, read: int) -> bool:
        self.post_message(self.ChangesRead(read))
        return not self._is_stopped

    def _report(self, name: str, text: str) -> None:
        self._trouble = self._trouble or (f"{name}: {text}" if text else "")

    def on_change_screen_changes_read(self, message: ChangesRead) -> None:
        """Show how far it is, or what was found."""
        self._read_bytes = max(self._read_bytes, message.read)
        if message.changes is not None:
            self._files = changed_files(message.changes, self._asked.folder)
            self._left_out = left_out_sentence(message.changes)
            self._is_read = True
            self._is_listing = self._is_listing and len(self._files) > 1
            self._lay_out()
        self._draw()

    # Drawing

    @property
    def _rows(self) -> int:
        return max(1, self.size.height - 2)

    def _lay_out(self) -> None:
        self._page = change_page(self._files, self.size.width, self._settings.signs, self._settings.zone)

    def _draw(self) -> None:
        cells, rows = self.size.width, self._rows
        lines, selected = self._lines(cells), self._selected if self._is_listing and self._files else -1
        self._top = max(0, min(self._top, len(lines) - rows))
        if selected >= 0:
            self._top = min(max(self._top, selected - rows + 1), selected)
        self.query_one("#head", OneLine).show(self._head(cells))
        self.query_one(PickList).show(
            lines[self._top : self._top + rows], selected - self._top if selected >= 0 else -1
        )
        self.query_one("#foot", OneLine).show(self._foot(cells, is_more=self._top + rows < len(lines)))

    def _lines(self, cells: int) -> list[Spans]:
        if not self._is_read:
            size = f", {self._read_bytes / (1 << 20):,.0f} MiB" if self._read_bytes else ""
            return [[Span(f" {_READING}{size}", Role.MUTED)]]
        if not self._files:
            text = one_line(self._trouble or self._left_out or NO_CHANGES)
            return [[Span(" "), *line] for line in wrap_spans([Span(text, Role.MUTED)], max(2, cells - 2))]
        if self._is_listing:
            signs = self._settings.signs
            return [
                file_row(file, cells, signs, is_selected=place == self._selected)
                for place, file in enumerate(self._files)
            ]
        return self._page.lines

    def _head(self, cells: int) -> Spans:
        left = [Span(f" {self._settings.signs.changed} ", Role.ACCENT), Span(one_line(self._asked.title))]
        if not self._files:
            return clip(left, cells)
        added, removed = (sum(getattr(file, name) for file in self._files) for name in ("added", "removed"))
        facts = [units.count(len(self._files), "file"), count_words(added, removed)]
        rights = [[Span(f"{' '.join(filter(None, shown))} ", Role.MUTED)] for shown in (facts, facts[1:])]
        return fitted_ends([left], rights, cells)

    def _foot(self, cells: int, *, is_more: bool) -> Spans:
        trouble = self._trouble or self._left_out
        if trouble and self._files:
            return clip([Span(f" {self._settings.signs.refused} {one_line(trouble)}", Role.BAD)], cells)
        several = len(self._files) > 1
        keys = [
            *([("Enter", "open")] if self._is_listing and self._files else []),
            *([("o", "next file")] if several and not self._is_listing else []),
            *([("Space", "more")] if is_more else []),
            ("Esc", "back"),
        ]
        return key_hints(keys, cells)

    # Keys and mouse

    def action_move(self, rows: int) -> None:
        """Select another file of the list, or scroll."""
        if self._is_listing:
            self._selected = max(0, min(self._selected + rows, len(self._files) - 1))
        else:
            self._top = max(0, self._top + rows)
        self._draw()

    def action_move_pages(self, pages: int) -> None:
        """Move by screens."""
        self.action_move(pages * max(1, self._rows - 1))

    def action_open(self) -> None:
        """Show the changes of the selected file."""
        if self._is_listing and self._files:
            self._is_listing, self._top = False, self._page.starts[self._selected]
            self._draw()

    def action_next_file(self, step: int) -> None:
        """Go to the next file or the previous one, and from the last to the first."""
        if not self._files:
            return
        if self._is_listing:
            self._selected = (self._selected + step) % len(self._files)
        else:
            self._selected = (self._file_at_top + step) % len(self._files)
            self._top = self._page.starts[self._selected]
        self._draw()

    @property
    def _file_at_top(self) -> int:
        """The file that the first line belongs to; the last one that was gone to, if the page ends before."""
        starts, last_top = self._page.starts, len(self._page.lines) - self._rows
        if self._top >= max(0, last_top) and starts[self._selected] >= self._top:
            return self._selected
        return max((place for place, start in enumerate(starts) if start <= self._top), default=0)

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Select a file, or open it."""
        message.stop()
        place = self._top + message.line
        if self._is_listing and place < len(self._files):
            self._selected = place
            self._draw()
            if message.is_double:
                self.action_open()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll with the mouse wheel."""
        message.stop()
        self.action_move(message.rows)

    async def action_back(self) -> None:
        """Go back to the list, or close the page; a key that arrives while it closes acts on the screen below."""
        if self._asked.is_list and not self._is_listing and len(self._files) > 1:
            self._is_listing = True
            self._draw()
        elif self.is_current:
            self.dismiss()
        else:
            await self.run_action("screen.close(True)")
