"""Search and filter: the query being typed, and the hits found so far. Pure: what is found is added from outside."""

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.query import Query
from seqthink.core.text import one_line
from seqthink.drawing.panels.text_input import TextInput
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.spans import Role, Span, Spans, spread
from seqthink.library.catalog.search_hits import Search
from tui.state.viewport import Viewport

MAX_NUMBER_DIGITS = 16
MAX_FILTER_CELLS = 20
"""Width of a filter's words beside what it found."""


def is_thought_number(typed: str) -> bool:
    """Return whether what is typed into a search is the number of a thought to go to."""
    return typed.isascii() and typed.isdigit() and len(typed) <= MAX_NUMBER_DIGITS


class SearchState(Struct, kw_only=True):
    """State of search and filter."""

    text_input: TextInput | None = None
    """Open while the user types a query, else None."""
    is_filter: bool = False
    """The input is for a filter, not a search."""
    start_thought: int = NONE
    """Index of the thought that was selected when the input opened, or NONE."""
    was_following: bool = False
    """The view followed the newest thought when the input opened."""
    has_selected_hit: bool = True
    """The first hit of the search has been selected."""
    active_search: Search | None = None
    """The current search, if any."""
    active_filter: Search | None = None
    """The current filter, if any."""
    unfiltered: Viewport | None = None
    """The whole tree's viewport while a filter is on; it keeps receiving new thoughts."""

    def cancel_search(self) -> None:
        """Cancel the search."""
        if self.active_search is not None:
            self.active_search.is_cancelled, self.active_search = True, None

    def cancel_filter(self) -> None:
        """Cancel the filter."""
        if self.active_filter is not None:
            self.active_filter.is_cancelled, self.active_filter = True, None

    @property
    def is_active(self) -> bool:
        """Whether a search or filter is active or being typed."""
        return self.text_input is not None or self.active_search is not None or self.active_filter is not None

    def status_text(self, viewport: Viewport, sign: str) -> str:
        """Return the status of search and filter at the visible position, as text."""
        session, scans = viewport.session, (self.active_search, self.active_filter)
        if session is None:
            return ""
        texts = [search.status_text(session, viewport.thought, sign) for search in scans if search is not None]
        if self.active_filter is not None and self.text_input is None:
            words = cut(one_line(self.active_filter.query.as_typed), MAX_FILTER_CELLS, sign)
            texts[-1] = f"&{words}: {texts[-1]}, Esc"
        return ", ".join(texts)

    def input_line(self, viewport: Viewport, cells: int, sign: str) -> Spans:
        """Return the input line in ``cells`` cells, with the status of the query at its right end."""
        assert self.text_input is not None, "asked while it is open"
        typed = self.text_input.text
        is_number = not self.is_filter and is_thought_number(typed)
        status = f"Enter: thought {int(typed)}" if is_number else self.status_text(viewport, sign)
        room = cells - len(status) - 3
        if room < cells // 2:
            status, room = "", cells - 2
        return spread(
            self.text_input.spans(" &" if self.is_filter else " /", room), [Span(f"{status} ", Role.MUTED)], cells
        )

    @property
    def highlight_query(self) -> Query | None:
        """The query whose hits are highlighted in texts."""
        search = self.active_search or self.active_filter
        return search.query if search is not None else None
