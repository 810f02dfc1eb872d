"""Search, filter and going to a number: what ``/``, ``&``, ``n`` and ``N`` do, and the scans behind them."""

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
from seqthink.drawing.filtered_tree import FilteredTree
from seqthink.drawing.text_input import TextInput
from seqthink.loading import SessionTexts
from tui.finding import Find
from tui.keys import TURN_SECONDS, Keys
from tui.searching import TELL_SECONDS, Part, Search, scan
from tui.viewing import Viewing

PASSED_ON = {"up", "down", "pageup", "pagedown"}
"""Keys that move the tree while something is typed."""


class FindKeys(Keys):
    """The app as far as a person looks for something."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search"),
        Binding("ampersand", "filter", "only matching rows"),
        Binding("n", "hit(1)", "next hit"),
        Binding("N", "hit(-1)", "hit before"),
    ]

    _found_at = 0.0
    """When what was found was last drawn."""

    class Found(Message):
        """A scan has found something, or has come further."""

        def __init__(self, search: Search, part: Part, *, is_last: bool) -> None:
            super().__init__()
            self.search = search
            self.part = part
            self.is_last = is_last

    # Typing

    def action_search(self) -> None:
        """Open the search."""
        self._open_field(is_filter=False)

    def action_filter(self) -> None:
        """Open the filter."""
        self._open_field(is_filter=True)

    def _open_field(self, *, is_filter: bool) -> None:
        find, viewing = self._shown.find, self._shown.viewing
        if viewing.session is None:
            return
        find.field, find.is_filter = TextInput(), is_filter
        find.origin, find.was_following = viewing.thought, viewing.is_following
        self._draw()

    @override
    def _take_key(self, event: events.Key) -> bool:
        """Type into the line that is open; return whether that was what the key did."""
        find = self._shown.find
        field = find.field
        if field is None or event.key in PASSED_ON:
            return False
        if event.key == "escape" or (event.key == "backspace" and not field.text):
            self._abandon_line()
        elif event.key == "enter":
            find.field = None
            self._go_to_number(field.text)
        elif field.press(event.key):
            self._typed(field.text)
        elif event.is_printable and event.character:
            field.insert(event.character)
            self._typed(field.text)
        self._draw()
        return True

    @override
    def _take_paste(self, text: str) -> bool:
        """Put pasted text into the line that is open, if one is."""
        field = self._shown.find.field
        if field is None:
            return False
        field.insert(text)
        self._typed(field.text)
        self._draw()
        return True

    def _typed(self, text: str) -> None:
        """Look for what is typed now; what was looked for before is called off."""
        find = self._shown.find
        if find.is_filter:
            self._filter(text)
            return
        query = search_query(text)
        if find.search is not None and find.search.query == query:
            return
        find.drop_search()
        find.search, find.is_landed = (None if query.is_empty else Search(query)), False
        self._scan_further(find.search)

    def _abandon_line(self) -> None:
        """Close the line and forget what was typed into it; the person is where they were."""
        find, viewing = self._shown.find, self._shown.viewing
        is_filter, find.field = find.is_filter, None
        if is_filter:
            self._filter("")
            return
        find.drop_search()
        if find.was_following:
            viewing.follow()
        elif find.origin != NONE and find.filter is None:
            viewing.select_thought(find.origin)

    @override
    def _clear_find(self) -> bool:
        """Forget a search, then a filter; return whether there was one."""
        find = self._shown.find
        if find.search is not None:
            find.drop_search()
        elif find.filter is not None:
            self._filter("")
        else:
            return False
        return True

    # Going to hits

    def action_hit(self, step: int) -> None:
        """Go to the next hit, or the one before, opening what it is folded in."""
        search, viewing = self._shown.find.search, self._shown.viewing
        length = viewing.session.thought_count if viewing.session is not None else 0
        found = search.next(viewing.thought, step, length) if search is not None else None
        if found is not None:
            viewing.select_thought(found)
        else:
            self._shown.said = "no hit" if search is not None else "nothing was searched: press /"
        self._draw()

    def _go_to_number(self, text: str) -> None:
        """Where digits alone were typed, go to the thought with that number, if there is one."""
        viewing, find = self._shown.viewing, self._shown.find
        session = viewing.session
        if find.is_filter or session is None or not session.thought_count or not (text.isascii() and text.isdigit()):
            return
        near = find.origin if find.origin != NONE else session.thought_count - 1
        found = thought_with_number(session, int(text[:16]), near)
        if found != NONE:
            find.drop_search()
            viewing.select_thought(found)

    def _land(self) -> None:
        """Select the first hit from where the person was when they began to type."""
        find, session = self._shown.find, self._shown.viewing.session
        if find.is_landed or find.search is None or session is None:
            return
        first = find.search.next(max(-1, find.origin - 1), 1, session.thought_count)
        if first is not None and (first >= find.origin or not find.search.is_running):
            find.is_landed = True
            self._shown.viewing.select_thought(first)

    # Filtering

    def _filter(self, text: str) -> None:
        find, shown = self._shown.find, self._shown
        query = filter_query(text)
        if find.filter is not None and find.filter.query == query:
            return
        kept, was_following = shown.viewing.thought, shown.viewing.is_following
        sieve = shown.viewing.tree
        if find.home is not None:
            shown.viewing, find.home = find.home, None
        find.drop_filter()
        session = shown.viewing.session
        if query.is_empty or session is None:
            if kept != NONE and not was_following:
                shown.viewing.select_thought(kept)
            return
        find.home, find.filter = shown.viewing, Search(query, is_filter=True)
        if isinstance(sieve, FilteredTree):
            sieve.clear_matches()
        else:
            sieve = FilteredTree(session)
        shown.viewing = Viewing(sieve)
        shown.viewing.is_following = find.home.is_following
        self._look_on()

    @work(exclusive=True, group="rows")
    async def _fill(self, viewing: Viewing, sieve: FilteredTree) -> None:
        """Let a filter take in the rest of a long session; keys have their turn."""
        while sieve.is_behind and viewing is self._shown.viewing:
            viewing.around(sieve.sync_more)
            await asyncio.sleep(TURN_SECONDS)
            self._draw_now_and_then()
            await asyncio.sleep(0)
        self._draw()

    def _draw_now_and_then(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._found_at > TELL_SECONDS:
            self._found_at = now
            self._draw()

    # Scanning

    def _scan_further(self, search: Search | None) -> None:
        """Look through what was not searched yet."""
        session, texts = (self._shown.find.home or self._shown.viewing).session, self._shown.feed.texts
        if search is None or session is None or search.is_running or texts is None or not search.is_behind(session):
            return
        search.is_running, search.length = True, session.thought_count
        task = partial(self._scan, search, session, texts.for_thread())
        self.run_worker(task, group="find", thread=True)

    def _scan(self, search: Search, session: Session, texts: SessionTexts) -> None:
        for part in scan(search, session, texts):
            self.post_message(self.Found(search, part, is_last=part.searched == session.thought_count))
            search.wait_until_taken()

    def on_find_keys_found(self, message: Found) -> None:
        """Take in what was found, unless something else is looked for by now."""
        find, search, viewing = self._shown.find, message.search, self._shown.viewing
        if search not in (find.search, find.filter):
            return
        search.take(message.part)
        search.is_running = not message.is_last
        if search is find.filter and isinstance(viewing.tree, FilteredTree):
            sieve, part = viewing.tree, message.part
            viewing.around(lambda: sieve.add_matches(part.thoughts, part.refusals))
        self._land()
        if message.is_last:
            self._look_on()
            self._draw()
        else:
            self._draw_now_and_then()

    def _look_on(self) -> None:
        """Search what has arrived meanwhile too."""
        viewing = self._shown.viewing
        if isinstance(viewing.tree, FilteredTree) and viewing.tree.is_behind:
            self._fill(viewing, viewing.tree)
        self._scan_further(self._shown.find.search)
        self._scan_further(self._shown.find.filter)

    def _reset_find(self) -> None:
        """Begin anew: another session is shown, or the file is another one."""
        self._shown.find.drop_search()
        self._shown.find.drop_filter()
        self._shown.find = Find()
