"""Two sessions side by side (docs/screens.md, "Comparison")."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.chain.comparison.comparison import StretchKind
from seqthink.chain.comparison.side_facts import ComparedSessions
from seqthink.chain.model import NONE
from seqthink.core.background import keep_running_sync
from seqthink.core.errors import SeqthinkError, reason_of
from seqthink.core.text import one_line
from seqthink.drawing.describe.comparison import LEFT, RIGHT, passage_label
from seqthink.drawing.panels.comparison_page import ComparisonPage
from seqthink.drawing.text.spans import Role, Span, Spans, clip, key_hints
from seqthink.drawing.text.wrap import wrap
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.session_comparing import CancelledError, ReadSession, compare_sessions, read_session
from tui.settings import Settings
from tui.theme import THEMES
from tui.widgets.line_view import LineView, OneLine, PickList

ALL_ROWS = 1 << 40
_TASK = "comparing"


class ComparedThought(NamedTuple):
    """A thought to go to: its session's journal, and its position there."""

    path: Path
    seq: int


class ComparisonScreen(ModalScreen[ComparedThought | None]):
    """Two sessions side by side; returns the thought to open, or None.

    Args:
        settings: which sessions there are, and how they are shown.
        left: the journal of the first session.
        right: the journal of the second one.
    """

    DEFAULT_CSS = "ComparisonScreen { layout: vertical; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,D", "back", "back"),
        Binding("enter", "choose", "open"),
        Binding("tab,h,l,left,right", "other_side", "the other side"),
        Binding("n", "difference(1)", "next difference"),
        Binding("N", "difference(-1)", "previous difference"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown,space,ctrl+f,ctrl+d", "page(1)", "page down"),
        Binding("pageup,ctrl+b,ctrl+u", "page(-1)", "page up"),
        Binding("g,home", f"move({-ALL_ROWS})", "first"),
        Binding("G,end", f"move({ALL_ROWS})", "last"),
    ]

    class SessionsCompared(Message):
        """The comparison is there, or there will be none."""

    def __init__(self, settings: Settings, left: Path, right: Path) -> None:
        super().__init__()
        self._settings = settings
        self._paths = left, right
        self._sessions: ComparedSessions | None = None
        self._page: ComparisonPage | None = None
        self._head: Sequence[Spans] = ()
        self._doing = "reading"
        self._trouble = self._status_message = ""
        self._is_stopped = self._is_right = False
        self._row = self._top = 0
        self._shown_rows: list[int] = []

    @override
    def compose(self) -> ComposeResult:
        yield PickList(id="page")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme, and begin to read."""
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = self._settings.theme
        self.run_worker(self._compare, thread=True, group="comparison")

    def on_unmount(self) -> None:
        """Stop reading."""
        self._is_stopped = True

    def on_resize(self) -> None:
        """Draw for the new size; the selected row stays."""
        self._lay_out()
        self._draw()

    @property
    def is_ready(self) -> bool:
        """Whether the comparison is there, or the reason why there is none."""
        return self._page is not None or bool(self._trouble)

    # In the background

    def _compare(self) -> None:
        keep_running_sync(self._read_and_compare, _TASK, self._report)
        self.post_message(self.SessionsCompared())

    def _report(self, _name: str, text: str) -> None:
        self._trouble = self._trouble or text

    def _read_and_compare(self) -> None:
        try:
            left, right = (self._read(path) for path in self._paths)
            self._doing = "comparing"
            self.post_message(self.SessionsCompared())
            self._sessions = compare_sessions(left, right)
        except CancelledError:
            pass

    def _read(self, path: Path) -> ReadSession:
        try:
            self._settings.catalog.session(path).read_whole()
            labels = labels_of(self._settings.catalog, path)
            return read_session(path, self._settings.decode, labels=labels, is_cancelled=lambda: self._is_stopped)
        except (OSError, SeqthinkError) as error:
            self._trouble = f"cannot read {path.name}: {reason_of(error)}"
            raise CancelledError from error

    def on_comparison_screen_sessions_compared(self) -> None:
        """Show how far it is, or the comparison."""
        self._lay_out()
        self._draw()

    # Drawing

    def _lay_out(self) -> None:
        """Make the rows for the width of the screen, and keep the selected passage."""
        cells, _ = self.size
        if self._sessions is None or not cells or (self._page is not None and self._page.cells == cells):
            return
        before, self._page = (
            self._page,
            ComparisonPage(self._sessions, cells, self._settings.signs, self._settings.zone),
        )
        self._head = self._page.head_lines()
        if before is not None:
            stretch = before.rows[self._row].stretch if before.rows else 0
            self._row = next((at for at, row in enumerate(self._page.rows) if row.stretch >= stretch), 0)
            self._top = min(self._top, self._row + len(self._head))

    def _draw(self) -> None:
        cells, height = self.size
        room, page, view = max(1, height - 1), self._page, self.query_one(PickList)
        if page is None:
            words = one_line(self._trouble or f"{self._doing}{self._settings.signs.ellipsis}")
            role = Role.BAD if self._trouble else Role.MUTED
            view.show([[], *([Span(f" {line}", role)] for line in wrap(words, cells - 2))], -1)
        else:
            self._show_rows(page, room, view)
        self.query_one("#foot", OneLine).show(clip(self._foot(cells), cells))

    def _show_rows(self, page: ComparisonPage, room: int, view: PickList) -> None:
        """Draw the lines in view: those of the head count as rows above the first."""
        item = min(self._row + len(self._head), len(self._head) + len(page.rows) - 1)
        self._top = min(self._top, item)
        first, used = item, len(self._lines_of(item))
        while first > self._top and (used := used + len(self._lines_of(first - 1))) <= room:
            first -= 1
        self._top = first
        lines: list[Spans] = []
        selected, selected_lines = -1, 1
        self._shown_rows = []
        for at in range(self._top, len(self._head) + len(page.rows)):
            if len(lines) >= room:
                break
            drawn = self._lines_of(at)
            if at == item and page.rows:
                rule = page.is_first_of_parting(page.rows[self._row])
                selected, selected_lines = len(lines) + rule, len(drawn) - rule
                drawn = [*drawn[:rule], *(self._with_cursor(line) for line in drawn[rule:])]
            lines += drawn
            self._shown_rows += [at - len(self._head)] * len(drawn)
        view.show(lines[:room], selected, selected_lines)

    def _with_cursor(self, line: Spans) -> Spans:
        """Return a line of the selected row, which begins with a blank, with the cursor there."""
        return [Span(self._settings.signs.selected, Role.ACCENT), line[0]._replace(text=line[0].text[1:]), *line[1:]]

    def _lines_of(self, item: int) -> Sequence[Spans]:
        if item < len(self._head) or self._page is None:
            return [self._head[item]]
        return self._page.lines_of(self._page.rows[item - len(self._head)])

    def _foot(self, cells: int) -> Spans:
        if self._page is None:
            return key_hints([("Esc", "back")], cells)
        keys = [("n N", "differences"), ("Esc", "back")]
        chosen = self._chosen()
        if chosen is not None:
            side, place = chosen
            compared = self._page.sessions.right if side else self._page.sessions.left
            label = passage_label(compared, compared.side.passages[place])
            keys = [("Enter", f"open {(LEFT, RIGHT)[side]}'s {label.name}"), ("Tab", "other side"), *keys]
        foot = key_hints(keys, cells)
        return [*foot, Span(self._status_message, Role.GOOD)] if self._status_message else foot

    def _chosen(self) -> tuple[bool, int] | None:
        """Return the side and the passage that Enter opens: of a row with both sides, that of the chosen one."""
        if self._page is None or not self._page.rows:
            return None
        row = self._page.rows[self._row]
        is_right = row.left == NONE or (self._is_right and row.right != NONE)
        return is_right, row.right if is_right else row.left

    # Keys and mouse

    def on_key(self) -> None:
        """Clear the last status message."""
        self._status_message = ""

    def show_status_message(self, message: str) -> None:
        """Show a status message; the next key clears it."""
        self._status_message = message
        self._draw()

    def action_move(self, rows: int) -> None:
        """Move the selection; above the first row are the facts."""
        if self._page is None:
            return
        if rows < 0 and not self._row:
            self._top = max(0, self._top + max(rows, -self.size.height))
        self._row = max(0, min(self._row + rows, max(0, len(self._page.rows) - 1)))
        if not self._row and rows < -1:
            self._top = 0
        self._draw()

    def action_page(self, pages: int) -> None:
        """Move by about a screen."""
        in_view = len({row for row in self._shown_rows if row >= 0})
        self.action_move(pages * max(1, in_view - 1))

    def action_difference(self, step: int) -> None:
        """Go to the next or the previous part that only one side has."""
        if self._page is None or not self._page.rows:
            return
        rows, here = self._page.rows, self._page.rows[self._row].stretch
        ahead = range(self._row + 1, len(rows)) if step > 0 else range(self._row - 1, -1, -1)
        found = next((at for at in ahead if rows[at].stretch != here and self._is_apart(at)), NONE)
        if found == NONE:
            self.show_status_message("no further difference")
            return
        while found and rows[found - 1].stretch == rows[found].stretch:
            found -= 1
        self._row = found
        self._draw()

    def _is_apart(self, at: int) -> bool:
        page = self._page
        return page is not None and page.kind_of(page.rows[at]) is StretchKind.APART

    def action_other_side(self) -> None:
        """Let Enter open the other session."""
        self._is_right = not self._is_right
        self._draw()

    def action_choose(self) -> None:
        """Open the session at the selected thought."""
        chosen = self._chosen()
        if chosen is None or self._page is None or not self.is_current:
            return
        side, place = chosen
        compared = self._page.sessions.right if side else self._page.sessions.left
        self.dismiss(ComparedThought(self._paths[side], compared.side.passages[place].seq))

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Select the clicked row, on the clicked side; a double click opens it."""
        message.stop()
        row = self._shown_rows[message.line] if message.line < len(self._shown_rows) else -1
        if row < 0 or self._page is None:
            return
        self._row = row
        if self._page.is_side_by_side:
            self._is_right = message.column > self.size.width // 2
        self._draw()
        if message.is_double:
            self.action_choose()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll by moving the selection."""
        message.stop()
        self.action_move(message.rows)

    async def action_back(self) -> None:
        """Close the page; a key that arrives while it closes acts on the screen below."""
        if self.is_current:
            self.dismiss(None)
        else:
            await self.run_action("screen.close(True)")
