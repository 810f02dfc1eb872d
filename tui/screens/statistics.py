"""The page of statistics: of the open session, or of all that changed lately (docs/screens.md, "Statistics")."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.chain.statistics.session_statistics import SessionStatistics
from seqthink.chain.statistics.totals import Statistics
from seqthink.core.background import keep_running_sync
from seqthink.core.errors import reason_of
from seqthink.core.text import one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.panels.statistics_blocks import Period
from seqthink.drawing.panels.statistics_page import statistics_lines
from seqthink.drawing.text.spans import Role, Span, Spans, clip, key_hints
from seqthink.journal.store import SessionFile
from seqthink.library.repositories.repository import Repositories
from seqthink.library.session_counting import count_session
from tui.settings import Settings
from tui.theme import THEMES
from tui.widgets.line_view import LineView, OneLine, PickList

DAYS = 7
"""How many days the page of all sessions looks back."""
_ALL_KEYS_CELLS = 40
"""Cells in which the last line names all keys."""
_DAY = 86_400_000_000


class StatisticsScreen(ModalScreen[None]):
    """Statistics of one session; Tab shows those of all that changed in the last days, and back.

    Args:
        settings: which sessions there are, and how they are shown.
        one: counts the open session; None if there is none.
        name: the name of the open session.
    """

    DEFAULT_CSS = "StatisticsScreen { layout: vertical; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,S", "back", "back"),
        Binding("tab", "other", "this session, or all"),
        Binding("j,down", "scroll_rows(1)", "down"),
        Binding("k,up", "scroll_rows(-1)", "up"),
        Binding("pagedown,space,ctrl+f,ctrl+d", "scroll_pages(1)", "page down"),
        Binding("pageup,ctrl+b,ctrl+u", "scroll_pages(-1)", "page up"),
        Binding("g,home", "scroll_pages(-100)", "start"),
        Binding("G,end", "scroll_pages(100)", "end"),
    ]

    class SessionsCounted(Message):
        """More of the sessions are counted, or all."""

        def __init__(self, *, is_all: bool = False) -> None:
            super().__init__()
            self.is_all = is_all

    def __init__(self, settings: Settings, one: Callable[[], Statistics] | None, name: str) -> None:
        super().__init__()
        self._settings = settings
        self._one = one
        self._session_name = name
        self._is_one = one is not None
        self._all = Statistics()
        self._period = Period(0, 0)
        self._counted, self._found = 0, 0
        self._has_begun = self._is_done = False
        self._is_stopped = False
        self._trouble = ""
        self._top = 0

    @override
    def compose(self) -> ComposeResult:
        yield PickList(id="page")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme, and count all sessions if no session is open."""
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = self._settings.theme
        if not self._is_one:
            self._begin_counting()

    def on_unmount(self) -> None:
        """Stop counting."""
        self._is_stopped = True

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    @property
    def is_ready(self) -> bool:
        """Whether everything that is shown is counted."""
        return self._is_one or self._is_done

    def _begin_counting(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            now = self._settings.clock()
            self._period = Period(now - DAYS * _DAY, now)
            self.run_worker(self._count, thread=True, group="statistics")

    def _count(self) -> None:
        keep_running_sync(self._count_all, "counting", self._report)
        self.post_message(self.SessionsCounted(is_all=True))

    def _report(self, _name: str, text: str) -> None:
        self._trouble = self._trouble or text

    def _count_all(self) -> None:
        catalog = self._settings.catalog
        catalog.refresh()
        recent = (file for file in catalog.sessions() if microseconds_of(file.last) >= self._period.start)
        files, repositories = list(filter(catalog.wanted.may_have, recent)), Repositories()
        self._found = len(files)
        for file in files:
            if self._is_stopped:
                return
            try:
                catalog.session(file.path).read_whole()
                one = self._count_one(file, repositories)
            except OSError as error:
                one = None
                self._trouble = self._trouble or f"cannot read {file.path.name}: {reason_of(error)}; left out"
            if one is not None:
                self._all.add(one)
            self._counted += 1
            if self._counted % 20 == 0:
                self.post_message(self.SessionsCounted())
        if catalog.is_cut_since(self._period.start):
            self._trouble = self._trouble or f"not all are counted: {catalog.unlisted}"

    def _count_one(self, file: SessionFile, repositories: Repositories) -> SessionStatistics | None:
        if not self._settings.catalog.wanted.has(file):
            return None
        decode = self._settings.decode
        return count_session(file.path, file.session, decode, lambda: self._is_stopped, repositories)

    def on_statistics_screen_sessions_counted(self, message: SessionsCounted) -> None:
        """Draw what is counted so far."""
        self._is_done |= message.is_all
        self._draw()

    def _lines(self, cells: int, rows: int) -> list[Spans]:
        settings = self._settings
        if self._is_one and self._one is not None:
            return statistics_lines(
                self._one(),
                self._session_name,
                cells,
                period=None,
                signs=settings.signs,
                zone=settings.zone,
                rows=rows,
            )
        wanted = settings.catalog.wanted.filter.as_typed
        if not self.is_ready and not self._all.all.sessions:
            return [[Span(" counting", Role.MUTED)]]
        return statistics_lines(
            self._all,
            f"last {DAYS} days{f'   & {wanted}' if wanted else ''}",
            cells,
            period=self._period,
            signs=settings.signs,
            zone=settings.zone,
            rows=rows,
        )

    def _draw(self) -> None:
        cells, height = self.size
        lines, rows = self._lines(cells, height), max(1, height - 1)
        self._top = max(0, min(self._top, len(lines) - rows))
        self.query_one(PickList).show(lines[self._top : self._top + rows], -1)
        more = [("Space", "more")] if self._top + rows < len(lines) else []
        other = [] if self._one is None else [("Tab", f"last {DAYS} days" if self._is_one else "this session")]
        # Without room the last but one goes, and nothing else says that the page goes on.
        keys = [*other, *more] if cells >= _ALL_KEYS_CELLS else [*more, *other]
        foot = key_hints([*keys, ("Esc", "back")], cells)
        if not self.is_ready:
            foot.append(Span(f"counting {self._counted:,} of {self._found:,}", Role.MUTED))
        if self._trouble and not self._is_one:
            foot = [Span(f" {self._settings.signs.refused} {one_line(self._trouble)}", Role.BAD)]
        self.query_one("#foot", OneLine).show(clip(foot, cells))

    def action_other(self) -> None:
        """Show all sessions, or the open one again."""
        if self._one is not None:
            self._is_one, self._top = not self._is_one, 0
            if not self._is_one:
                self._begin_counting()
            self._draw()

    def action_scroll_rows(self, rows: int) -> None:
        """Scroll a page that is higher than the screen."""
        self._top += rows
        self._draw()

    def action_scroll_pages(self, pages: int) -> None:
        """Scroll by screens."""
        self.action_scroll_rows(pages * max(1, self.size.height - 2))

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll with the mouse wheel."""
        message.stop()
        self.action_scroll_rows(message.rows)

    async def action_back(self) -> None:
        """Close the page; a key that arrives while it closes acts on the screen below."""
        if self.is_current:
            self.dismiss()
        else:
            await self.run_action("screen.close(True)")
