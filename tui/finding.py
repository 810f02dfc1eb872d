"""What is being looked for: the state of search and filter, and how it is said."""

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.query import Query
from seqthink.drawing.spans import Role, Span, Spans, spread
from seqthink.drawing.text_input import TextInput
from tui.searching import Search
from tui.viewing import Viewing


class Find(Struct, kw_only=True):
    """What is being looked for. ``field`` is open while the person types, ``origin`` is where they were then.

    While a filter is on, ``home`` is the whole tree as it was, and as it goes on.
    """

    field: TextInput | None = None
    is_filter: bool = False
    origin: int = NONE
    was_following: bool = False
    is_landed: bool = True
    search: Search | None = None
    filter: Search | None = None
    home: Viewing | None = None

    def drop_search(self) -> None:
        """Search no more."""
        if self.search is not None:
            self.search.is_cancelled, self.search = True, None

    def drop_filter(self) -> None:
        """Look no more for what passes the filter."""
        if self.filter is not None:
            self.filter.is_cancelled, self.filter = True, None

    @property
    def is_on(self) -> bool:
        """Whether a search or filter is on, or being typed."""
        return self.field is not None or self.search is not None or self.filter is not None

    def status(self, viewing: Viewing, sign: str) -> str:
        """Return how search and filter stand at the moment that is viewed, in words."""
        session, scans = viewing.session, (self.search, self.filter)
        if session is None:
            return ""
        return ", ".join(one.status(session, viewing.thought, sign) for one in scans if one is not None)

    def line(self, viewing: Viewing, cells: int, sign: str) -> Spans:
        """Return the line that is typed into, and what it has found so far."""
        status = self.status(viewing, sign)
        assert self.field is not None, "asked while it is open"
        room = cells - len(status) - 3
        if room < cells // 2:
            status, room = "", cells - 2
        return spread(self.field.spans(" &" if self.is_filter else " /", room), [Span(f"{status} ", Role.MUTED)], cells)

    @property
    def query(self) -> Query | None:
        """What to mark in the texts."""
        shown = self.search or self.filter
        return shown.query if shown is not None else None
