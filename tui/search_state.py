"""What is being looked for: the state of search and filter, and how it is said."""

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.query import Query
from seqthink.drawing.spans import Role, Span, Spans, spread
from seqthink.drawing.text_input import TextInput
from tui.search import Search
from tui.viewport import Viewport


class SearchState(Struct, kw_only=True):
    """What is being looked for. ``field`` is open while the person types, ``origin`` is where they were then.

    While a filter is on, ``home`` is the whole tree as it was, and as it goes on.
    """

    text_input: TextInput | None = None
    is_filter: bool = False
    start_thought: int = NONE
    was_following: bool = False
    has_selected_hit: bool = True
    active_search: Search | None = None
    active_filter: Search | None = None
    unfiltered: Viewport | None = None

    def cancel_search(self) -> None:
        """Search no more."""
        if self.active_search is not None:
            self.active_search.is_cancelled, self.active_search = True, None

    def cancel_filter(self) -> None:
        """Look no more for what passes the filter."""
        if self.active_filter is not None:
            self.active_filter.is_cancelled, self.active_filter = True, None

    @property
    def is_active(self) -> bool:
        """Whether a search or filter is on, or being typed."""
        return self.text_input is not None or self.active_search is not None or self.active_filter is not None

    def status_text(self, viewport: Viewport, sign: str) -> str:
        """Return how search and filter stand at the moment that is viewed, in words."""
        session, scans = viewport.session, (self.active_search, self.active_filter)
        if session is None:
            return ""
        return ", ".join(one.status_text(session, viewport.thought, sign) for one in scans if one is not None)

    def input_line(self, viewport: Viewport, cells: int, sign: str) -> Spans:
        """Return the line that is typed into, and what it has found so far."""
        status = self.status_text(viewport, sign)
        assert self.text_input is not None, "asked while it is open"
        room = cells - len(status) - 3
        if room < cells // 2:
            status, room = "", cells - 2
        return spread(
            self.text_input.spans(" &" if self.is_filter else " /", room), [Span(f"{status} ", Role.MUTED)], cells
        )

    @property
    def highlight_query(self) -> Query | None:
        """What to mark in the texts."""
        shown = self.active_search or self.active_filter
        return shown.query if shown is not None else None
