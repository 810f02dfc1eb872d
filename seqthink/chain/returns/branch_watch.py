"""What the fold remembers of an agent's branches until a thought brings them back."""

from msgspec import Struct

from seqthink.chain.columns.compact_lists import NONE
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.returns.naming import BranchName
from seqthink.core.events import ThoughtEvent
from seqthink.core.text import MAX_FOLDED_CHARS

MAX_WATCHED = 64
"""How many branches of an agent are looked for, those that opened last."""
MAX_CALLS_AWAY = 1000
"""How many calls of its agent after its newest thought a branch is looked for."""


class _Watched(Struct, gc=False):
    """A branch that is looked for."""

    branch: int
    branch_id: str
    parent: int
    """The lane that it leaves, or NONE."""
    moved_at: int
    """How many calls of its agent there had been with its newest thought."""
    is_away: bool = True
    """Whether it has not come back since its newest thought."""
    returned_at: int = NONE
    """The newest thought that brought it back and was not left behind, or NONE."""
    name: BranchName | None = None
    """How texts name it; None until it was looked for."""

    def is_named_in(self, text: str) -> bool:
        if self.name is None:
            self.name = BranchName(self.branch_id)
        return self.name.is_named_in(text)


class BranchWatch:
    """The branches of one agent in the current chain: finds the thoughts that bring them back.

    Deciding about a thought takes constant time: a bounded number of branches is looked for in a bounded text.
    """

    __slots__ = ("_away_from", "_call_count", "_columns", "_returns", "_watched")

    def __init__(self, columns: SessionColumns) -> None:
        self._columns = columns
        # By lane, in the order in which they opened; by lane that is left: how many of these are away.
        self._watched: dict[int, _Watched] = {}
        self._away_from: dict[int, int] = {}
        # The calls that brought branches back, each with the one that had done so before it.
        self._returns: list[tuple[int, _Watched, int]] = []
        self._call_count = 0

    def add(self, lane: int, root_lane: int, event: ThoughtEvent, index: int) -> None:
        """Add the agent's newest call ``index``, which is on ``lane``, and find the branches that it brings back."""
        self._call_count += 1
        if lane == root_lane:
            if self._away_from:
                self._look(lane, event.thought[:MAX_FOLDED_CHARS], index, is_root=True)
            return
        if lane in self._away_from:
            self._look(lane, event.thought[:MAX_FOLDED_CHARS], index, is_root=False)
        watched = self._watched.get(lane)
        if watched is None:
            self._watch(lane, index)
            return
        watched.moved_at = self._call_count
        if not watched.is_away:
            self._send_away(watched)

    def _watch(self, lane: int, index: int) -> None:
        """Watch a lane from its first thought on if it is a branch with an id; the oldest one makes room."""
        columns, all_watched = self._columns, self._watched
        branch_id = columns.lanes.name[lane]
        if branch_id is None or columns.thoughts.index_in_lane[index]:
            return
        if len(all_watched) == MAX_WATCHED:
            self._look_no_longer(all_watched.pop(next(iter(all_watched))))
        parent = columns.lanes.parent(lane)
        all_watched[lane] = _Watched(lane, branch_id, parent, self._call_count)
        self._away_from[parent] = self._away_from.get(parent, 0) + 1

    def _look(self, lane: int, text: str, index: int, *, is_root: bool) -> None:
        named: list[_Watched] = []
        for watched in self._watched.values():
            if not watched.is_away:
                continue
            if self._call_count - watched.moved_at > MAX_CALLS_AWAY:
                self._look_no_longer(watched)
            elif (is_root or watched.parent == lane) and watched.is_named_in(text):
                named.append(watched)
        for watched in named:
            self._look_no_longer(watched)
            # Where the branch was left behind, as a whole or since it came back, there is nothing to bring back.
            if self._columns.newest_kept(watched.branch) > watched.returned_at:
                self._bring_back(watched, index)

    def _bring_back(self, watched: _Watched, index: int) -> None:
        lanes = self._columns.lanes
        self._columns.thoughts.brings_back.append(index, watched.branch)
        if not lanes.returning or lanes.returning[-1] != index:
            lanes.returning.append(index)
        lanes.returns.append(watched.branch, index)
        self._returns.append((index, watched, watched.returned_at))
        watched.returned_at = index

    def forget_left_behind(self) -> None:
        """Look again for the branches that were brought back by calls which are left behind now."""
        left_behind = self._columns.rewound.left_behind
        while self._returns and left_behind.get(self._returns[-1][0]) != NONE:
            _, watched, watched.returned_at = self._returns.pop()
            if watched.branch in self._watched and not watched.is_away:
                self._send_away(watched)

    def _send_away(self, watched: _Watched) -> None:
        watched.is_away = True
        self._away_from[watched.parent] = self._away_from.get(watched.parent, 0) + 1

    def _look_no_longer(self, watched: _Watched) -> None:
        if not watched.is_away:
            return
        watched.is_away = False
        parent, away_from = watched.parent, self._away_from
        count = away_from[parent] - 1
        if count:
            away_from[parent] = count
        else:
            del away_from[parent]
