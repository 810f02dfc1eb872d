"""Actions for search, filter and going to a number (``/``, ``&``, ``n``, ``N``), and the scans behind them."""

import asyncio
from functools import partial
from typing import ClassVar

from textual import events, work
from textual.binding import Binding, BindingType
from textual.message import Message
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.query import filter_query, search_query, thought_with_number
from seqthink.chain.session import Session
from seqthink.drawing.panels.text_input import TextInput
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.loading import JournalTexts
from tui.session_view.navigation_actions import YIELD_SECONDS, NavigationActions
from tui.state.search import REPORT_SECONDS, Search, SearchBatch, scan
from tui.state.search_state import SearchState
from tui.state.viewport import Viewport

MOVEMENT_KEYS = {"up", "down", "pageup", "pagedown"}
"""Keys that move the tree even while a text input is open."""


class SearchActions(NavigationActions):
    """The layer of the app that searches and filters."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search"),
        Binding("ampersand", "filter", "only matching rows"),
        Binding("n", "hit(1)", "next hit"),
        Binding("N", "hit(-1)", "previous hit"),
    ]

    _progress_drawn_at = 0.0
    """Loop time in seconds of the last redraw for search progress."""

    class SearchProgressed(Message):
        """A scan found hits, or advanced."""

        def __init__(self, search: Search, batch: SearchBatch, *, is_last: bool) -> None:
            super().__init__()
            self.search = search
            self.batch = batch
            self.is_last = is_last

    # Typing

    def action_search(self) -> None:
        """Open the search input."""
        self._open_input(is_filter=False)

    def action_filter(self) -> None:
        """Open the filter input."""
        self._open_input(is_filter=True)

    def _open_input(self, *, is_filter: bool) -> None:
        search_state, viewport = self._view_state.search, self._view_state.viewport
        if viewport.session is None:
            return
        search_state.text_input, search_state.is_filter = TextInput(), is_filter
        search_state.start_thought, search_state.was_following = viewport.thought, viewport.is_following
        self._draw()

    @override
    def _handle_input_key(self, event: events.Key) -> bool:
        """Pass a key to the open text input; return whether it was used."""
        search_state = self._view_state.search
        text_input = search_state.text_input
        if text_input is None or event.key in MOVEMENT_KEYS:
            return False
        if event.key == "escape" or (event.key == "backspace" and not text_input.text):
            self._cancel_input()
        elif event.key == "enter":
            search_state.text_input = None
            self._go_to_number(text_input.text)
        elif text_input.press(event.key):
            self._update_query(text_input.text)
        elif event.is_printable and event.character:
            text_input.insert(event.character)
            self._update_query(text_input.text)
        self._draw()
        return True

    @override
    def _handle_input_paste(self, text: str) -> bool:
        """Insert pasted text into the open text input; return whether one was open."""
        text_input = self._view_state.search.text_input
        if text_input is None:
            return False
        text_input.insert(text)
        self._update_query(text_input.text)
        self._draw()
        return True

    def _update_query(self, text: str) -> None:
        """Start searching for the current input; the previous search is cancelled."""
        search_state = self._view_state.search
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
        search_state, viewport = self._view_state.search, self._view_state.viewport
        is_filter, search_state.text_input = search_state.is_filter, None
        if is_filter:
            self._apply_query_filter("")
            return
        search_state.cancel_search()
        if search_state.was_following:
            viewport.follow()
        elif search_state.start_thought != NONE and search_state.active_filter is None:
            viewport.select_thought(search_state.start_thought)

    @override
    def _clear_search(self) -> bool:
        """Drop the search, or else the filter; return whether there was one."""
        search_state = self._view_state.search
        if search_state.active_search is not None:
            search_state.cancel_search()
        elif search_state.active_filter is not None:
            self._apply_query_filter("")
        else:
            return False
        return True

    # Going to hits

    def action_hit(self, step: int) -> None:
        """Select the next or previous hit, unfolding what hides it."""
        search, viewport = self._view_state.search.active_search, self._view_state.viewport
        length = viewport.session.thought_count if viewport.session is not None else 0
        index = search.next_hit(viewport.thought, step, length) if search is not None else None
        if index is not None:
            viewport.select_thought(index)
        else:
            self._view_state.status_message = "no hit" if search is not None else "no search yet: press /"
        self._draw()

    def _go_to_number(self, text: str) -> None:
        """If only digits were typed, select the thought with that number, if there is one."""
        viewport, search_state = self._view_state.viewport, self._view_state.search
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
        search_state, session = self._view_state.search, self._view_state.viewport.session
        if search_state.has_selected_hit or search_state.active_search is None or session is None:
            return
        first = search_state.active_search.next_hit(max(-1, search_state.start_thought - 1), 1, session.thought_count)
        if first is not None and (first >= search_state.start_thought or not search_state.active_search.is_running):
            search_state.has_selected_hit = True
            self._view_state.viewport.select_thought(first)

    # Filtering

    def _apply_query_filter(self, text: str) -> None:
        search_state, view_state = self._view_state.search, self._view_state
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
        self._continue_scans()

    @work(exclusive=True, group="rows")
    async def _fill_filtered_tree(self, viewport: Viewport, filtered_tree: FilteredTree) -> None:
        """Fill the filtered tree of a long session in slices, so that keys stay responsive."""
        while filtered_tree.is_behind and viewport is self._view_state.viewport:
            viewport.keep_place(filtered_tree.sync_more)
            await asyncio.sleep(YIELD_SECONDS)
            self._draw_throttled()
            await asyncio.sleep(0)
        self._draw()

    def _draw_throttled(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._progress_drawn_at > REPORT_SECONDS:
            self._progress_drawn_at = now
            self._draw()

    # Scanning

    def _start_scan(self, search: Search | None) -> None:
        """Start a scan of everything not searched yet."""
        session, texts = (
            (self._view_state.search.unfiltered or self._view_state.viewport).session,
            self._view_state.feed.texts,
        )
        if search is None or session is None or search.is_running or texts is None or not search.is_behind(session):
            return
        search.is_running, search.target_thought_count = True, session.thought_count
        task = partial(self._run_scan, search, session, texts.for_thread())
        self.run_worker(task, group="find", thread=True)

    def _run_scan(self, search: Search, session: Session, texts: JournalTexts) -> None:
        for part in scan(search, session, texts):
            self.post_message(self.SearchProgressed(search, part, is_last=part.searched == session.thought_count))
            search.wait_until_added()

    def on_search_actions_search_progressed(self, message: SearchProgressed) -> None:
        """Add a batch of hits, unless its search has been cancelled meanwhile."""
        search_state, search, viewport = self._view_state.search, message.search, self._view_state.viewport
        if search not in (search_state.active_search, search_state.active_filter):
            return
        search.add(message.batch)
        search.is_running = not message.is_last
        if search is search_state.active_filter and isinstance(viewport.tree, FilteredTree):
            filtered_tree, part = viewport.tree, message.batch
            viewport.keep_place(lambda: filtered_tree.add_matches(part.thoughts, part.refusals))
        self._select_first_hit()
        if message.is_last:
            self._continue_scans()
            self._draw()
        else:
            self._draw_throttled()

    def _continue_scans(self) -> None:
        """Search whatever arrived during the last scan."""
        viewport = self._view_state.viewport
        if isinstance(viewport.tree, FilteredTree) and viewport.tree.is_behind:
            self._fill_filtered_tree(viewport, viewport.tree)
        self._start_scan(self._view_state.search.active_search)
        self._start_scan(self._view_state.search.active_filter)

    def _reset_search(self) -> None:
        """Reset search and filter for another session or a replaced file."""
        self._view_state.search.cancel_search()
        self._view_state.search.cancel_filter()
        self._view_state.search = SearchState()
