"""What the fold has found so far, in columns that only ever grow.

Facts of a thought are fixed when it arrives, so the state at any earlier moment is these same columns, cut. That is
what makes every prefix exact and every jump in time cheap. Rare facts stand in dictionaries by index; texts stay in the
file.
"""

from array import array
from collections import defaultdict

from seqthink.chain.agents import Agents
from seqthink.chain.lanes import Lanes
from seqthink.chain.lists import Rare, ShortLists, Sparse
from seqthink.chain.model import Attachment, Landmark, Refusal
from seqthink.events import AskingEvent, AuditingEvent, EndEvent, SessionEvent

REVISION, REPEAT, FINAL, NEEDS_MORE = 1, 2, 4, 8


class Log:
    """The columns of one session. The fold appends; sessions read."""

    def __init__(self) -> None:
        self.entries = 0
        self.seq = array("q")
        self.entry = array("i")
        self.time = array("q")
        self.number = array("q")
        self.total = array("q")
        self.peak = array("q")
        self.lane = array("i")
        self.place = array("i")
        self.spent = array("q")
        self.offset = array("q")
        self.size = array("I")
        self.flags = array("B")

        self.target = Sparse()
        self.revisers = ShortLists()
        self.revises_nothing = Rare()
        self.taken = Rare()
        self.missing = Rare()
        self.reopened: dict[int, int] = {}
        self.attached: defaultdict[int, list[Attachment]] = defaultdict(list)

        self.lanes = Lanes(self.number, self.lane)
        self.agents = Agents()
        # The thought before in the same agent's line, where that is not simply the thought before; NONE for its first.
        self.before = Rare()
        self.forks = ShortLists()
        self.loose = ShortLists()
        self.chain_start = array("i")

        # What shows besides thoughts (refused calls, and all that belongs to a thought): in which line, and when.
        self.beside = array("i")
        self.beside_time = array("q")
        self.landmarks: dict[Landmark, array[int]] = {kind: array("i") for kind in Landmark}
        self.verdicts: list[Attachment] = []
        self.verdicts_on = ShortLists()
        # By kind and thought: in which line the first came that a row has a mark for.
        self.first_attached: dict[str, dict[int, int]] = {"note": {}, "context": {}}
        self.refusals: list[Refusal] = []
        # By lane: the calls that were refused after a thought of it.
        self.refusals_in = ShortLists()
        self.servers: list[tuple[int, SessionEvent | EndEvent]] = []
        # After which line which question was the one that is open.
        self.questions: list[tuple[int, AskingEvent | None]] = []
        # By a thought's seq: after which lines the person is asked if another may follow, and has said, by turns.
        self.undecided: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        self.audits: list[tuple[int, AuditingEvent | None]] = []
        self.unread = array("i")
        self.corrupt = array("i")
