"""The page that searches the texts of all sessions (docs/screens.md, "Finding")."""

from collections.abc import Iterator
from functools import partial
from threading import Event
from typing import ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType
from textual.message import Message
from typing_extensions import override

from seqthink.chain.query import Query, words_query
from seqthink.core.background import keep_running_sync
from seqthink.core.text import one_line
from seqthink.drawing.panels.find_page import (
    PREVIEW_LINES,
    find_head,
    find_hint_lines,
    find_keys,
    find_status,
    hit_preview,
)
from seqthink.drawing.rows.hit_rows import hit_line, session_line
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.library.catalog.session_search import search_catalog
from seqthink.library.finding.found import Hit
from seqthink.library.finding.search import MAX_HITS
from tui.screens.list_screen import ListScreen
from tui.settings import Settings
from tui.state.hit_list import HitList
from tui.widgets.line_view import Lines, OneLine, PickList
from tui.widgets.text_line import TextLine

REPORT_SECONDS = 0.1
"""The shortest time between two reports of the search, after the first hit."""
MIN_ROWS_WITH_PREVIEW = 14
STATUS_CELLS = 34
"""Cells that the status may take of the first line; the rest is for the words."""
SHORT_STATUS_CELLS = 11
"""The same of a screen so narrow that it has only the number of texts."""


class LastFind(Struct):
    """What was looked for last, and which hit was selected."""

    text: str = ""
    selected: str = ""


class FindChoice(Struct, frozen=True):
    """A hit that the user chose, and the query that found it."""

    hit: Hit
    query: Query


class FindScreen(ListScreen[FindChoice | None]):
    """Takes words, and shows the texts that have them; returns the chosen one, or None.

    Args:
        settings: which sessions there are, and how they are shown.
        last: what was looked for last; it is kept up to date.
    """

    DEFAULT_CSS = """
    FindScreen #preview { height: 4; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,F", "back", "back"),
        Binding("slash", "edit", "edit"),
    ]

    class Reported(Message):
        """A search has come further."""

        def __init__(self, search: "_RunningSearch", hits: list[Hit], *, is_over: bool = False) -> None:
            super().__init__()
            self.search, self.hits = search, hits
            self.is_over = is_over

    def __init__(self, settings: Settings, last: LastFind) -> None:
        super().__init__(settings)
        self._last = last
        self._sought: Query = Query()
        self._search: _RunningSearch | None = None
        self._hits = HitList[Hit]()
        self._is_running = False

    @property
    @override
    def _selection(self) -> HitList[Hit]:
        return self._hits

    @override
    def _begin(self) -> None:
        """Look for the same as last time, or take what is typed."""
        if self._last.text:
            self._head.set_text(self._last.text)
            self._look_for(self._last.text, self._last.selected)
        else:
            self._head.open("")

    def on_unmount(self) -> None:
        """Stop the search."""
        self._stop()

    @property
    def is_ready(self) -> bool:
        """Whether all that there is has been searched."""
        return not self._is_running

    # Searching

    def _look_for(self, text: str, wanted: str = "") -> None:
        """Begin to look for the words of ``text``, instead of others."""
        query = words_query(text)
        if query == self._sought and self._search is not None:
            return
        self._stop()
        self._sought, self._hits = query, HitList[Hit](wanted)
        self._is_running = not query.is_empty
        if self._is_running:
            self._search = _RunningSearch(self._settings, query)
            self.run_worker(partial(self._report, self._search), thread=True, group="find")
        self._draw()

    def _stop(self) -> None:
        if self._search is not None:
            self._search.is_cancelled.set()
        self._search = None

    def _report(self, search: "_RunningSearch") -> None:
        """Report hits as they are found; runs in a thread."""

        def look() -> None:
            for hits in search.batches():
                self.post_message(self.Reported(search, hits))

        def report(_name: str, text: str) -> None:
            search.problem = text

        keep_running_sync(look, "the search", report)
        self.post_message(self.Reported(search, [], is_over=True))

    def on_find_screen_reported(self, message: Reported) -> None:
        """Show what was found."""
        if message.search is not self._search:
            return
        self._hits.add(message.hits)
        self._is_running &= not message.is_over
        self._draw()

    # Drawing

    @override
    def _draw(self) -> None:
        if not self.is_mounted:
            return
        width, height = self.size
        has_preview = height >= MIN_ROWS_WITH_PREVIEW
        self.query_one("#preview").display = has_preview
        self._hits.resize(max(1, height - 2 - PREVIEW_LINES * has_preview))
        self._draw_head(width)
        lines = [self._row(hit, width, is_heading=is_heading) for hit, is_heading in self._hits.visible()]
        keys = find_keys(width, is_typing=self._head.is_open, has_hits=bool(lines))
        self.query_one("#foot", OneLine).show(keys)
        if not lines:
            problem = self._search.problem if self._search is not None else ""
            is_empty = self._sought.is_empty
            lines = find_hint_lines(width, problem=problem, is_empty=is_empty, is_running=self._is_running)
        self.query_one(PickList).show(lines, self._hits.selected_line)
        self.query_one("#preview", Lines).show(self._preview(width))

    def _draw_head(self, width: int) -> None:
        search, status = self._search, self._status_message
        if search is not None and not status and not search.problem:
            status = find_status(
                len(self._hits.hits),
                self._hits.session_count,
                searched=search.searched,
                total=search.total,
                is_running=self._is_running,
                is_cut=search.is_cut,
                is_partial=bool(self._settings.catalog.unlisted),
                signs=self._settings.signs,
            )
        elif search is not None and not status:
            status = one_line(search.problem)
        wanted = one_line(self._settings.catalog.wanted.filter.as_typed)
        label = f" Find  & {cut(wanted, width // 4, self._settings.signs.ellipsis)}  / " if wanted else " Find  / "
        room = max(width // 2, width - STATUS_CELLS) if width >= 40 else width - SHORT_STATUS_CELLS
        if self._head.is_open:
            words: Spans = self._head.input_spans(label, room)
        else:
            words = [Span(label, Role.ACCENT), Span(self._head.typed_text)]
        self._head.show(find_head(words, status, width))

    def _row(self, hit: Hit, width: int, *, is_heading: bool) -> Spans:
        now, signs = self._settings.clock(), self._settings.signs
        if is_heading:
            return session_line(hit.session, width, now=now, signs=signs)
        is_selected = hit is self._hits.selected
        return hit_line(hit.text, self._sought, width, now=now, signs=signs, is_selected=is_selected)

    def _preview(self, width: int) -> list[Spans]:
        hit, settings = self._hits.selected, self._settings
        if hit is None:
            return []
        return hit_preview(hit.session, hit.text, self._sought, width, now=settings.clock(), signs=settings.signs)

    # Keys

    def on_text_line_edited(self) -> None:
        """Look for the words as they are now."""
        self._last.text, self._last.selected = self._head.typed_text, ""
        self._look_for(self._head.typed_text)
        self._draw()

    def on_text_line_closed(self, message: TextLine.Closed) -> None:
        """Go to the list, or back."""
        if message.is_cancelled:
            self.action_back()
        else:
            self._draw()

    def action_edit(self) -> None:
        """Change the words."""
        self._head.open()
        self._draw()

    def action_back(self) -> None:
        """Go back to where the search began."""
        if self.is_current:
            self._keep()
            self.dismiss(None)

    @override
    def action_choose(self) -> None:
        """Go to the selected text."""
        hit = self._hits.selected
        if hit is None or not self.is_current:
            return
        is_there = hit.file.source != "journal" or hit.file.path.is_file()
        if is_there:
            self._keep()
            self.dismiss(FindChoice(hit, self._sought))
        else:
            self.show_status_message("this session is gone")

    def _keep(self) -> None:
        hit = self._hits.selected
        self._last.selected = hit.link if hit is not None else ""


class _RunningSearch:
    """One search, for the thread that runs it; what it counts may be read by others."""

    def __init__(self, settings: Settings, query: Query) -> None:
        self.is_cancelled = Event()
        self.is_cut = False
        self.problem = ""
        self.total = 0
        self._settings = settings
        self._texts = search_catalog(settings.catalog, query, settings.decode, is_cancelled=self.is_cancelled.is_set)

    @property
    def searched(self) -> int:
        """Sessions that have been searched."""
        return self._texts.searched

    def batches(self) -> Iterator[list[Hit]]:
        """Yield hits as they are found, the first at once, later ones together."""
        catalog = self._settings.catalog
        while not (catalog.is_listed or self.is_cancelled.is_set()):
            catalog.look()
            yield []
        files = catalog.sessions()
        self.total = len(files)
        found: list[Hit] = []
        count, reported_at = 0, 0.0
        for hit in self._texts.hits(files):
            if hit is not None:
                self.is_cut = count == MAX_HITS
                if self.is_cut:
                    break
                count += 1
                found.append(hit)
            now = self._settings.monotonic()
            if now - reported_at >= REPORT_SECONDS:
                yield found
                found, reported_at = [], now
        yield found
