"""What a viewer begins with: a thought to go to as soon as it has been read, a message, the wall."""

from collections.abc import Collection
from typing import NamedTuple

from seqthink.chain.model import NONE
from seqthink.chain.query import thought_with_number
from seqthink.chain.session import Session


class Landing(NamedTuple):
    """Where to go: to the thought at the entry ``seq``, or else to the one with a ``number``."""

    seq: int = 0
    number: int = 0

    def find(self, session: Session, *, is_loaded: bool) -> int:
        """Return the thought in what has been read so far, or NONE; a number may mean one that is still to be read."""
        if self.seq:
            return session.thoughts.index_of_seq(self.seq)
        if not is_loaded or not session.thought_count:
            return NONE
        return thought_with_number(session, self.number, session.thought_count - 1)

    @property
    def missing_text(self) -> str:
        """What is said where there is no such thought."""
        return f"no thought at e{self.seq} here" if self.seq else f"no thought has the number {self.number}"


def thoughts_at(session: Session, seqs: Collection[int]) -> frozenset[int]:
    """Return the thoughts with a ``seq`` of ``seqs``, as far as the session has them."""
    return frozenset(map(session.thoughts.index_of_seq, seqs)) - {NONE}


class Beginning(NamedTuple):
    """What a viewer begins with."""

    landing: Landing | None = None
    """The thought to go to."""
    message: str = ""
    """What the status line says until the first key."""
    is_wall: bool = False
    """The wall is shown first, and no session is chosen for the user."""
