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
from tui.viewing import Viewing

BEGINNING = 200
"""So many characters of a text tell it from another."""
FAR, MOST_READ = 5_000, 100
"""It is looked for among so many thoughts before and after its old place, and so many texts are read."""


class Bookmark(Struct, frozen=True, kw_only=True):
    """The thought that was selected, in which kind of row, and how far below the top of the window it stood."""

    index: int
    number: int
    branch: str | None
    beginning: str
    kind: RowKind
    height: int

    @classmethod
    def of(cls, viewing: Viewing, text_of: Callable[[int], str]) -> Self | None:
        """Return where the person is, or nothing while they only follow what comes."""
        session, thought = viewing.session, viewing.thought
        if session is None or thought == NONE or viewing.is_following:
            return None
        return cls(
            index=thought,
            number=session.number_of(thought),
            branch=_branch(session, thought),
            beginning=text_of(thought)[:BEGINNING],
            kind=viewing.tree.row(viewing.selected).kind,
            height=viewing.selected - viewing.top,
        )

    def restore(self, viewing: Viewing, text_of: Callable[[int], str]) -> bool:
        """Take the person back, if the thought is there again; return whether it is."""
        session = viewing.session
        if session is None:
            return False
        alike = (index for index in self._nearest_first(session) if self._is_alike(session, index))
        found = next((one for one in islice(alike, MOST_READ) if text_of(one)[:BEGINNING] == self.beginning), NONE)
        if found == NONE:
            return False
        viewing.select_thought(found)
        row = viewing.tree.row_of(self._row(session, found))
        viewing.put(viewing.selected if row is None else row, self.height)
        return True

    def _nearest_first(self, session: Session) -> Iterator[int]:
        for distance in range(FAR):
            for index in {self.index - distance, self.index + distance}:
                if 0 <= index < session.thought_count:
                    yield index

    def _is_alike(self, session: Session, index: int) -> bool:
        return session.number_of(index) == self.number and _branch(session, index) == self.branch

    def _row(self, session: Session, index: int) -> TreeRow:
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
