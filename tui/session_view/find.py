"""Search, filter and going to a number (``/``, ``&``, ``n``, ``N``), and the scans behind them."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from textual import events

from seqthink.chain.model import NONE
from seqthink.chain.query import Query, filter_query, search_query, thought_with_number
from seqthink.chain.session import Session
from seqthink.drawing.panels.text_input import TextInput
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.library.catalog.search_hits import Search, SearchBatch
from seqthink.library.catalog.text_scan import REPORT_SECONDS, scan
from seqthink.library.journal_texts import JournalTexts
from tui.session_view.view import View, run_task
from tui.state.search import SearchState
from tui.state.viewport import Viewport


class Find:
    """Searches and filters the session on screen."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._progress_drawn_at = 0.0

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {
            "search": lambda: self.open_input(is_filter=False),
            "filter": lambda: self.open_input(is_filter=True),
            "hit": self.go_to_hit,
            "go_to_number": self.go_to_number,
        }

    # Typing

    @property
    def is_open(self) -> bool:
        """Whether a query is being typed."""
        return self._view.state.search.text_input is not None

    def open_input(self, *, is_filter: bool) -> None:
        """Open the input of the search or the filter."""
        search_state, viewport = self._view.state.search, self._view.state.viewport
        if viewport.session is None:
            return
        search_state.text_input, search_state.is_filter = TextInput(), is_filter
        search_state.start_thought, search_state.was_following = viewport.thought, viewport.is_following
        self._view.redraw()

    def press(self, event: events.Key) -> None:
        """Apply a key to the open input."""
        search_state = self._view.state.search
        text_input = search_state.text_input
        if text_input is None:
            return
        if event.key == "escape" or (event.key == "backspace" and not text_input.text):
            self._cancel_input()
        elif event.key == "enter":
            search_state.text_input = None
            self._select_number(text_input.text)
        elif text_input.press(event.key):
            self._update_query(text_input.text)
        elif event.is_printable and event.character:
            text_input.insert(event.character)
            self._update_query(text_input.text)
        self._view.redraw()

    def paste(self, text: str) -> None:
        """Insert pasted text into the open input."""
        text_input = self._view.state.search.text_input
        if text_input is not None:
            text_input.insert(text)
            self._update_query(text_input.text)
            self._view.redraw()

    def _update_query(self, text: str) -> None:
        """Start searching for the current input; the previous search is cancelled."""
        search_state = self._view.state.search
        if search_state.is_filter:
            self._apply_query_filter(text)
            return
        query = search_query(text)
        if search_state.active_search is not None and search_state.active_search.query == query:
            return
        search_state.cancel_search()
        search_state.active_search, search_state.has_selected_hit = (None if query.is_empty else Search(query)), False
        self._start_scan(search_state.active_search)

    def _cancel_input(self) -> None:
        """Close the input, drop its query and return to where the user was."""
        search_state, viewport = self._view.state.search, self._view.state.viewport
        is_filter, search_state.text_input = search_state.is_filter, None
        if is_filter:
            self._apply_query_filter("")
            return
        search_state.cancel_search()
        if search_state.was_following:
            viewport.follow()
        elif search_state.start_thought != NONE and search_state.active_filter is None:
            viewport.select_thought(search_state.start_thought)

    def clear(self) -> bool:
        """Drop the search, or else the filter; return whether there was one."""
        search_state = self._view.state.search
        if search_state.active_search is not None:
            search_state.cancel_search()
        elif search_state.active_filter is not None:
            self._apply_query_filter("")
        else:
            return False
        return True

    def reset(self) -> None:
        """Reset search and filter for another session or a replaced file."""
        self._view.state.search.cancel_search()
        self._view.state.search.cancel_filter()
        self._view.state.search = SearchState()

    def highlight(self, query: Query) -> None:
        """Search for a query without leaving the selected thought: its words are highlighted, and ``n`` goes on."""
        search_state = self._view.state.search
        search_state.cancel_search()
        if not query.is_empty:
            search_state.active_search, search_state.has_selected_hit = Search(query), True
            self._start_scan(search_state.active_search)

    # Going to hits

    def go_to_hit(self, step: int) -> None:
        """Select the next or previous hit, unfolding what hides it."""
        search, viewport = self._view.state.search.active_search, self._view.state.viewport
        length = viewport.session.thought_count if viewport.session is not None else 0
        index = search.next_hit(viewport.thought, step, length) if search is not None else None
        if index is not None:
            viewport.select_thought(index)
            self._view.redraw()
        else:
            self._view.show_status_message("no hit" if search is not None else "no search yet: press /")

    def go_to_number(self, number: int) -> None:
        """Select the thought with a number."""
        self._view.state.search.start_thought = self._view.state.viewport.thought
        self._select_number(str(number))
        self._view.redraw()

    def _select_number(self, text: str) -> None:
        """If only digits were typed, select the thought with that number, if there is one."""
        viewport, search_state = self._view.state.viewport, self._view.state.search
        session = viewport.session
        if (
            search_state.is_filter
            or session is None
            or not session.thought_count
            or not (text.isascii() and text.isdigit())
        ):
            return
        near_index = search_state.start_thought if search_state.start_thought != NONE else session.thought_count - 1
        index = thought_with_number(session, int(text[:16]), near_index)
        if index != NONE:
            search_state.cancel_search()
            viewport.select_thought(index)

    def _select_first_hit(self) -> None:
        """Select the first hit at or after the thought that was selected when typing began."""
        search_state, session = self._view.state.search, self._view.state.viewport.session
        if search_state.has_selected_hit or search_state.active_search is None or session is None:
            return
        first = search_state.active_search.next_hit(max(-1, search_state.start_thought - 1), 1, session.thought_count)
        if first is not None and (first >= search_state.start_thought or not search_state.active_search.is_running):
            search_state.has_selected_hit = True
            self._view.state.viewport.select_thought(first)

    # Filtering

    def _apply_query_filter(self, text: str) -> None:
        view_state = self._view.state
        search_state = view_state.search
        query = filter_query(text)
        if search_state.active_filter is not None and search_state.active_filter.query == query:
            return
        selected_thought, was_following = view_state.viewport.thought, view_state.viewport.is_following
        filtered_tree = view_state.viewport.tree
        if search_state.unfiltered is not None:
            view_state.viewport, search_state.unfiltered = search_state.unfiltered, None
        search_state.cancel_filter()
        session = view_state.viewport.session
        if query.is_empty or session is None:
            if selected_thought != NONE and not was_following:
                view_state.viewport.select_thought(selected_thought)
            return
        search_state.unfiltered, search_state.active_filter = view_state.viewport, Search(query, is_filter=True)
        if isinstance(filtered_tree, FilteredTree):
            filtered_tree.clear_matches()
        else:
            filtered_tree = FilteredTree(session)
        view_state.viewport = Viewport(filtered_tree)
        view_state.viewport.is_following = search_state.unfiltered.is_following
        self.continue_scans()

    def _redraw_throttled(self) -> None:
        now = self._view.settings.monotonic()
        if now - self._progress_drawn_at > REPORT_SECONDS:
            self._progress_drawn_at = now
            self._view.redraw()

    # Scanning

    def continue_scans(self) -> None:
        """Search whatever arrived during the last scan."""
        search_state = self._view.state.search
        self._start_scan(search_state.active_search)
        self._start_scan(search_state.active_filter)

    def _start_scan(self, search: Search | None) -> None:
        """Start a scan of everything not searched yet."""
        view_state = self._view.state
        session = (view_state.search.unfiltered or view_state.viewport).session
        texts = view_state.feed.texts
        if search is None or session is None or search.is_running or texts is None or not search.is_behind(session):
            return
        search.is_waiting = search.query.wants_odd and texts.health.is_behind(session)
        if search.is_waiting:
            return  # comes again when the health of the session is known
        search.is_running, search.target_thought_count = True, session.thought_count
        run_task(self._view, partial(self._run_scan, search, session, texts.for_thread()), "the search", group="find")

    async def _run_scan(self, search: Search, session: Session, texts: JournalTexts) -> None:
        """Scan in a thread, a batch at a time: the next one is looked for once the last has been added."""
        batches = scan(search, session, texts, self._view.settings.monotonic)
        try:
            while (batch := await asyncio.to_thread(next, batches, None)) is not None:
                self._add_batch(search, batch, is_last=batch.searched == session.thought_count)
        except Exception:
            search.is_running = False
            raise

    def _add_batch(self, search: Search, batch: SearchBatch, *, is_last: bool) -> None:
        """Add a batch of hits, unless its search has been cancelled meanwhile."""
        search_state, viewport = self._view.state.search, self._view.state.viewport
        if search not in (search_state.active_search, search_state.active_filter):
            return
        search.add(batch)
        search.is_running = not is_last
        if search is search_state.active_filter and isinstance(viewport.tree, FilteredTree):
            filtered_tree = viewport.tree
            viewport.keep_place(lambda: filtered_tree.add_matches(batch.thoughts, batch.asides))
        self._select_first_hit()
        if is_last:
            self.continue_scans()
            self._view.redraw()
        else:
            self._redraw_throttled()
