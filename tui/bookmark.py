"""Where the person was in a journal that has been replaced or cut off, to be found again in what stands there now.

Pure: positions in the file mean nothing any more, so a thought is known by its number, its branch and its beginning.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Self

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree import RowKind, TreeRow
from tui.viewport import Viewport

PREFIX_CHARS = 200
"""So many characters of a text tell it from another."""
MAX_DISTANCE_THOUGHTS, MAX_TEXTS_READ = 5_000, 100
"""It is looked for among so many thoughts before and after its old place, and so many texts are read."""


class Bookmark(Struct, frozen=True, kw_only=True):
    """The thought that was selected, in which kind of row, and how far below the top of the window it stood."""

    index: int
    number: int
    branch: str | None
    prefix: str
    kind: RowKind
    rows_below_top: int

    @classmethod
    def of_viewport(cls, viewport: Viewport, text_of: Callable[[int], str]) -> Self | None:
        """Return where the person is, or nothing while they only follow what comes."""
        session, thought = viewport.session, viewport.thought
        if session is None or thought == NONE or viewport.is_following:
            return None
        return cls(
            index=thought,
            number=session.number_of(thought),
            branch=_branch(session, thought),
            prefix=text_of(thought)[:PREFIX_CHARS],
            kind=viewport.tree.row(viewport.selected).kind,
            rows_below_top=viewport.selected - viewport.top,
        )

    def restore(self, viewport: Viewport, text_of: Callable[[int], str]) -> bool:
        """Take the person back, if the thought is there again; return whether it is."""
        session = viewport.session
        if session is None:
            return False
        candidates = (index for index in self._nearest_first(session) if self._matches(session, index))
        found = next(
            (one for one in islice(candidates, MAX_TEXTS_READ) if text_of(one)[:PREFIX_CHARS] == self.prefix), NONE
        )
        if found == NONE:
            return False
        viewport.select_thought(found)
        row = viewport.tree.row_of(self._row_for(session, found))
        viewport.select_at(viewport.selected if row is None else row, self.rows_below_top)
        return True

    def _nearest_first(self, session: Session) -> Iterator[int]:
        for distance in range(MAX_DISTANCE_THOUGHTS):
            for index in {self.index - distance, self.index + distance}:
                if 0 <= index < session.thought_count:
                    yield index

    def _matches(self, session: Session, index: int) -> bool:
        return session.number_of(index) == self.number and _branch(session, index) == self.branch

    def _row_for(self, session: Session, index: int) -> TreeRow:
        chain, lane = session.chain_of(index), session.lane_of(index)
        match self.kind:
            case RowKind.CHAIN:
                return TreeRow(self.kind, chain, NONE, chain)
            case RowKind.BRANCH:
                return TreeRow(self.kind, chain, lane, lane)
            case _:
                return TreeRow(RowKind.THOUGHT, chain, lane, index)


def _branch(session: Session, index: int) -> str | None:
    return session.lane(session.lane_of(index)).name
