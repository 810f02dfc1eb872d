"""A position in a journal that was replaced or cut off, to be found again in the new file.

Pure: file offsets are void then, so a thought is identified by its number, its branch and the start of its text.

"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Self

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from tui.state.viewport import Viewport

PREFIX_CHARS = 200
"""Characters of a text that are compared."""
MAX_DISTANCE_THOUGHTS, MAX_TEXTS_READ = 5_000, 100
"""The search covers this many thoughts on either side of the old position, and reads this many texts at most."""


class Bookmark(Struct, frozen=True, kw_only=True):
    """The selected thought, the kind of its row, and the row's distance from the top of the viewport."""

    index: int
    """Index of the thought in the old session."""
    number: int
    """``thoughtNumber`` as the model gave it."""
    branch: str | None
    """Name of the lane; None for the trunk."""
    prefix: str
    """The first `PREFIX_CHARS` characters of the text."""
    kind: RowKind
    """Kind of the selected row."""
    rows_below_top: int
    """Rows between the top of the viewport and the selected row."""

    @classmethod
    def of_viewport(cls, viewport: Viewport, text_of: Callable[[int], str]) -> Self | None:
        """Return the position of a viewport; None while it follows or is empty."""
        session, thought = viewport.session, viewport.thought
        if session is None or thought == NONE or viewport.is_following:
            return None
        return cls(
            index=thought,
            number=session.thoughts.number_of(thought),
            branch=_branch(session, thought),
            prefix=text_of(thought)[:PREFIX_CHARS],
            kind=viewport.tree.row(viewport.selected).kind,
            rows_below_top=viewport.selected - viewport.top,
        )

    def restore(self, viewport: Viewport, text_of: Callable[[int], str]) -> bool:
        """Select the thought again if it is found; return whether it was."""
        session = viewport.session
        if session is None:
            return False
        candidates = (index for index in self._nearest_first(session) if self._matches(session, index))
        thought = next(
            (index for index in islice(candidates, MAX_TEXTS_READ) if text_of(index)[:PREFIX_CHARS] == self.prefix),
            NONE,
        )
        if thought == NONE:
            return False
        viewport.select_thought(thought)
        row = viewport.tree.row_of(self._row_for(session, thought))
        viewport.select_at(viewport.selected if row is None else row, self.rows_below_top)
        return True

    def _nearest_first(self, session: Session) -> Iterator[int]:
        for distance in range(MAX_DISTANCE_THOUGHTS):
            for index in {self.index - distance, self.index + distance}:
                if 0 <= index < session.thought_count:
                    yield index

    def _matches(self, session: Session, index: int) -> bool:
        return session.thoughts.number_of(index) == self.number and _branch(session, index) == self.branch

    def _row_for(self, session: Session, index: int) -> TreeRow:
        chain, lane = session.chains.drawn_in(index), session.chains.drawn_on(index)
        match self.kind:
            case RowKind.CHAIN:
                return TreeRow(self.kind, chain, NONE, chain)
            case RowKind.BRANCH:
                return TreeRow(self.kind, chain, lane, lane)
            case _:
                return TreeRow(RowKind.THOUGHT, chain, lane, index)


def _branch(session: Session, index: int) -> str | None:
    return session.lanes.get(session.thoughts.lane_of(index)).name
