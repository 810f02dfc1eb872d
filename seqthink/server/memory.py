"""What a server remembers between calls: counts, branch ids and one digest; it never grows with the thoughts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from seqthink.server.limits import Limits, LimitsMark

MAX_BRANCH_BYTES = 64 << 10
REPEATS = 3

BRANCHES_FULL = "This branch is kept but not listed: the list of branches is full."
REPEATED = "This thought is the same, word for word, as the ones before it. Go on, conclude, or change course."


class Mark(NamedTuple):
    """A moment to return to when the journal refuses what was decided since."""

    thoughts: int
    branches: int
    branch_bytes: int
    last: tuple[int, int] | None
    repeats: int
    limits: LimitsMark


class Memory:
    """Counts accepted thoughts, lists branches in order of first use, notices repetition and length.

    A chain may have ``max_thoughts``; 0: as many as it likes.
    """

    def __init__(self, max_thoughts: int = 0) -> None:
        self.thoughts = 0
        self.limits = Limits(max_thoughts)
        self.is_over = False
        self._branches: dict[str, None] = {}
        self._branch_bytes = 0
        self._last: tuple[int, int] | None = None
        self._repeats = 0

    @property
    def branches(self) -> list[str]:
        """The ids of the branches opened so far."""
        return list(self._branches)

    def add(self, thought: Mapping[str, Any]) -> str | None:
        """Count an accepted thought and return a hint for its author, if there is one to give.

        Afterwards ``is_over`` says whether its chain is longer than it may be.
        """
        self.thoughts += 1
        self.is_over = self.limits.is_over(thought)
        text = thought["thought"]
        # Two different texts of one length and one hash cost a needless hint, nothing more.
        digest = (len(text), hash(text))
        self._repeats = self._repeats + 1 if digest == self._last else 1
        self._last = digest
        hints = [REPEATED] if self._repeats >= REPEATS else []
        if not self._list_branch(thought):
            hints.append(BRANCHES_FULL)
        return " ".join(hints) or None

    def mark(self) -> Mark:
        """Return this moment."""
        return Mark(
            self.thoughts, len(self._branches), self._branch_bytes, self._last, self._repeats, self.limits.mark()
        )

    def return_to(self, mark: Mark) -> None:
        """Forget what was added since ``mark``."""
        self.thoughts, _, self._branch_bytes, self._last, self._repeats, limits = mark
        self.limits.return_to(limits)
        while len(self._branches) > mark.branches:
            self._branches.popitem()

    def _list_branch(self, thought: Mapping[str, Any]) -> bool:
        """List the branch that ``thought`` opens; false when there is no room for it."""
        branch = thought.get("branchId")
        if not branch or not thought.get("branchFromThought") or branch in self._branches:
            return True
        size = len(branch.encode("utf-8", "surrogatepass"))
        if self._branch_bytes + size > MAX_BRANCH_BYTES:
            return False
        self._branches[branch] = None
        self._branch_bytes += size
        return True
