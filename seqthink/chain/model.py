"""What the fold hands out: read-only views on thoughts, lanes and chains.

A thought's identity inside a session is its ``index``: its place in the order of arrival, from 0. ``NONE`` (-1) stands
where an index, or a lane's ordinal, is absent.
"""

from enum import Enum

from msgspec import Struct

from seqthink.chain.compact_lists import NONE
from seqthink.chain.lanes import Lane

__all__ = ["NONE", "Attachment", "Landmark", "Lane", "RefusedCall", "Thought"]


class Landmark(Enum):
    """What a person stops at on the way through a session; the first is the strongest where several meet."""

    REFUSAL = "refusal"
    REVISION = "revision"
    VERDICT = "verdict"
    BRANCH = "branch"
    CHANGE = "change"
    CHAIN = "chain"
    END = "end"


class Thought(Struct, frozen=True, gc=False, kw_only=True):
    """One thought and what follows from it within its prefix; its text stays in the journal at ``offset``."""

    index: int
    seq: int
    entry: int
    time: int
    number: int
    estimate: int
    previous_estimate: int
    lane: int
    index_in_lane: int
    chain: int
    highest_number: int
    revised_number: int
    target: int
    occurrence: int
    skipped_count: int
    is_revision: bool
    is_repeat: bool
    needs_more: bool
    offset: int
    size: int

    @property
    def estimate_change(self) -> tuple[int, int] | None:
        """The estimate before and after, when this thought changed its lane's."""
        return (self.previous_estimate, self.estimate) if self.previous_estimate else None


class RefusedCall(Struct, frozen=True, gc=False):
    """A call that was refused; ``after`` is how many thoughts had arrived before it.

    ``above`` is the thought after which it stands: the newest one of its agent in the chain, else of all; or NONE.
    """

    entry: int
    thoughts_before: int
    seq: int
    time: int
    offset: int
    size: int
    thought_above: int


class Attachment(Struct, frozen=True, gc=False):
    """An event that belongs to a thought: its kind, and for an audit its verdict and score."""

    entry: int
    kind: str
    seq: int
    time: int
    offset: int
    size: int
    verdict: str = ""
    score: int = 0
