"""What the fold has found so far, in columns that only ever grow.

Facts of a thought are fixed when it arrives, so the state at any earlier moment is these same columns, cut. That is
what makes every prefix exact and every jump in time cheap. Rare facts stand in dictionaries by index; texts stay in the
file.
"""

from array import array
from collections import defaultdict

from seqthink.chain.agents import AgentColumns
from seqthink.chain.compact_lists import IndexColumn, IndexMultimap, SparseInts
from seqthink.chain.lanes import LaneColumns
from seqthink.chain.model import Attachment, Landmark, RefusedCall
from seqthink.events import AskingEvent, AuditingEvent, EndEvent, SessionEvent

FLAG_REVISION, FLAG_REPEAT, FLAG_FINAL, FLAG_NEEDS_MORE = 1, 2, 4, 8


class SessionColumns:
    """The columns of one session. The fold appends; sessions read."""

    def __init__(self) -> None:
        self.entry_count = 0
        self.seq = array("q")
        self.entry = array("i")
        self.time = array("q")
        self.number = array("q")
        self.estimate = array("q")
        self.highest_number = array("q")
        self.lane = array("i")
        self.index_in_lane = array("i")
        self.lane_duration = array("q")
        self.offset = array("q")
        self.size = array("I")
        self.flags = array("B")

        self.target = IndexColumn()
        self.revisers = IndexMultimap()
        self.unresolved_target = SparseInts()
        self.occurrence = SparseInts()
        self.skipped_count = SparseInts()
        self.reopened: dict[int, int] = {}
        self.attachments: defaultdict[int, list[Attachment]] = defaultdict(list)

        self.lanes = LaneColumns(self.number, self.lane)
        self.agents = AgentColumns()
        # The thought before in the same agent's line, where that is not simply the thought before; NONE for its first.
        self.previous_of_agent = SparseInts()
        self.branches_from = IndexMultimap()
        self.branches_without_fork = IndexMultimap()
        self.chain_start = array("i")

        # What shows besides thoughts (refused calls, and all that belongs to a thought): in which line, and when.
        self.non_thought_entry = array("i")
        self.non_thought_time = array("q")
        self.landmarks: dict[Landmark, array[int]] = {kind: array("i") for kind in Landmark}
        self.verdicts: list[Attachment] = []
        self.verdicts_on = IndexMultimap()
        # By kind and thought: in which line the first came that a row has a mark for.
        self.first_attached: dict[str, dict[int, int]] = {"note": {}, "context": {}}
        self.refusals: list[RefusedCall] = []
        # By lane: the calls that were refused after a thought of it.
        self.refusals_in_lane = IndexMultimap()
        self.server_events: list[tuple[int, SessionEvent | EndEvent]] = []
        # After which line which question was the one that is open.
        self.question_changes: list[tuple[int, AskingEvent | None]] = []
        # By a thought's seq: after which lines the person is asked if another may follow, and has said, by turns.
        self.undecided_toggles: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        self.running_audit_changes: list[tuple[int, AuditingEvent | None]] = []
        self.unknown_entries = array("i")
        self.corrupt_entries = array("i")
