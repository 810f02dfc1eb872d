"""The result of the fold, in columns that only grow.

The facts of a thought are fixed when it arrives, so the session as it was after any earlier line is the same columns,
cut there. Therefore every prefix is exact, and every jump of a replay is cheap. Facts that few thoughts have are in
sparse columns or dictionaries. Texts stay in the file.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict
from enum import IntEnum
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.agents import AgentColumns
from seqthink.chain.columns.arrival_columns import ArrivalColumns
from seqthink.chain.columns.call_columns import CallColumns
from seqthink.chain.columns.compact_lists import NONE, IndexColumn, IndexMultimap, SparseInts
from seqthink.chain.columns.skipped_records import SkippedRecords
from seqthink.chain.lanes import LaneColumns
from seqthink.chain.model import Aside, AsideItem, Attachment, Landmark
from seqthink.core.events import AskingEvent, AuditingEvent, EndEvent, SessionEvent

FLAG_REVISION, FLAG_REPEAT, FLAG_FINAL, FLAG_NEEDS_MORE = 1, 2, 4, 8
"""Bits of the yes-or-no facts of a thought."""
FLAG_PROMPT, FLAG_REASONING, FLAG_ANSWER = 16, 32, 64
"""Bits; a row of native reasoning has one of them."""
FLAG_KEEPS_PACE = 128
"""Bit of a thought whose changed estimate only follows the numbers (``seqthink.chain.estimates``)."""
FLAG_REMARK = 256
"""Bit of a row of native reasoning that is a remark."""
FLAG_RETRACTION = 512
"""Bit of a row of native reasoning that takes something back, in its own words."""
NATIVE_FLAGS = FLAG_PROMPT | FLAG_REASONING | FLAG_ANSWER | FLAG_REMARK
"""The bits that a call of the thinking tool has none of."""


class ThoughtColumns:
    """The columns that are indexed by thought: by its place in the order of arrival.

    Entries are given as indices of journal lines, from 0. Times and durations are in microseconds, times since 1970 in
    UTC.
    """

    def __init__(self) -> None:
        # One item for each thought.
        self.seq = array("q")
        """Its ``seq`` in the journal."""
        self.entry_index = array("i")
        """Index of its journal line."""
        self.time = array("q")
        """When it arrived."""
        self.number = array("q")
        """Its number, as the model gave it."""
        self.estimate = array("q")
        """Its estimate, at least its number."""
        self.highest_number = array("q")
        """The highest number on its lane up to and including it."""
        self.lane = array("i")
        """Ordinal of its lane."""
        self.index_in_lane = array("i")
        """Its place in its lane, from 0."""
        self.lane_duration = array("q")
        """How long its lane has taken up to and including it."""
        self.offset = array("q")
        """Byte offset of its journal line."""
        self.size = array("I")
        """Length of its journal line in bytes, without the newline."""
        self.flags = array("H")
        """Bit mask of the ``FLAG_…`` values."""

        # For those thoughts that have one.
        self.target = IndexColumn()
        """The thought that it revises."""
        self.revisers = IndexMultimap()
        """The thoughts that revise it."""
        self.unresolved_target = SparseInts()
        """The number that it revises, where no thought has it."""
        self.occurrence = SparseInts()
        """Its place among the thoughts of its lane with this number, if above 1."""
        self.skipped_count = SparseInts()
        """How many numbers were skipped right before it."""
        self.reopened: dict[int, int] = {}
        """The entry that reopened it: a verdict that is not ``pass``, or the user's permission to continue."""
        self.attachments: defaultdict[int, list[Attachment]] = defaultdict(list)
        """What is attached to it, in order of arrival."""
        self.previous_of_agent = SparseInts()
        """The previous thought of its agent, where that is not the thought right before it; NONE if it has none."""
        self.branches_from = IndexMultimap()
        """The lanes that leave from it."""
        self.brings_back = IndexMultimap()
        """The branches that it brings back."""
        self.verdicts_on = IndexMultimap()
        """The verdicts on it, as indices into ``verdicts``."""
        self.arrivals = ArrivalColumns(self.time)
        """Where its clock jumped back, and the pauses before thoughts and other lines."""
        self.first_attached: dict[str, dict[int, int]] = {"note": {}, "context": {}}
        """By kind of attachment and thought: the entry of the first one."""

    def index_of_seq(self, seq: int) -> int:
        """Return the thought with the journal position ``seq``, or NONE."""
        index = bisect_left(self.seq, seq)
        return index if index < len(self.seq) and self.seq[index] == seq else NONE


class RecordKind(IntEnum):
    """What a line is that only a transcript has, as far as it says what its agent does now."""

    THINKING = 0
    """A prompt or a reasoning item."""
    ACTION = 1
    """A call of a tool began or ended."""
    END = 2
    """A turn ended."""
    OTHER = 3


class RunningCall(Struct, frozen=True, gc=False):
    """A call of a tool that has begun and not ended."""

    tool: str
    time: int
    """When it began, or was allowed by the user, in microseconds since 1970; 0 if that is not known."""
    call: str = ""
    """The client's id of the call."""
    text: str = ""
    """What it was called with, in a few words."""
    ordinal: int = NONE
    """Its ordinal among all calls (`CallColumns`)."""


class AgentRecords:
    """The lines of one agent that only a transcript has."""

    def __init__(self) -> None:
        self.entries = array("i")
        """Their entries."""
        self.times = array("q")
        """Their times."""
        self.kinds = array("b")
        """Their `RecordKind`."""
        self.running: list[tuple[int, RunningCall | None, int]] = []
        """Each change of the calls that run: the entry, and the newest call and how many run from there on."""


class NativeColumns:
    """What is kept of native reasoning: prompts, reasoning items and the ends of turns."""

    def __init__(self) -> None:
        self.answers = array("i")
        """The entries with which a turn of the main agent ended by an answer."""
        self.entries = array("i")
        """Entries of all of them, whether they have rows or not."""
        self.thoughts = array("i")
        """The thoughts that are native reasoning."""
        self.prompt_asides = array("i")
        """The main agent's prompts that are asides, as indices into ``asides``."""
        self.prompt_rows = array("i")
        """The main agent's prompts that are native reasoning, as indices of thoughts."""
        self.by_agent: defaultdict[str | None, AgentRecords] = defaultdict(AgentRecords)
        """All lines that only a transcript has, by the id of their agent, None for the main agent."""
        self.calls = CallColumns()
        """The calls of other tools."""
        self.retractions = array("i")
        """The rows that take something back, in their own words, as indices of thoughts."""
        self.turns_to: list[tuple[int, str | None]] = []
        """Each change of the agent that wrote last: the entry, and the agent's id from there on."""
        self.first_unkept: int | None = None
        """The entry of the first reasoning item whose text was not kept, where it has a row."""
        self.first_remark: int | None = None
        """The entry of the first remark, whether it has a row or not."""

        # By thought.
        self.place_in_turn = SparseInts()
        """Of a reasoning item: its place in its turn."""
        self.agent_call = SparseInts()
        """Its agent's newest call of the thinking tool on the same problem, or NONE."""
        self.lane_call = SparseInts()
        """The newest call of the thinking tool before it on its lane, or NONE."""

    def note_turn_to(self, agent: str | None, entry_index: int) -> None:
        """Record which agent wrote the line ``entry_index``."""
        if (self.turns_to[-1][1] if self.turns_to else None) != agent:
            self.turns_to.append((entry_index, agent))


class Rewind(NamedTuple):
    """A part of the thoughts that was left behind."""

    entry_index: int
    """Index of the journal line that says so."""
    first: int
    """The first thought of the part; it ends with the newest thought at that time."""
    call_count: int
    """How many calls of the thinking tool it left behind."""
    turn_count: int
    """How many prompts it left behind."""


class RewindColumns:
    """What was left behind by going back."""

    def __init__(self) -> None:
        self.rewinds: list[Rewind] = []
        """The parts, in the order in which they were left behind."""

        # By thought.
        self.left_behind = IndexColumn()
        # Of each lane from which to which of its rows all are left behind, as far as that was asked.
        self.passed_over: dict[int, tuple[int, int]] = {}
        """The first rewind that left it behind, as an index into ``rewinds``."""
        self.kept_before = SparseInts()
        """The thought before it on its lane, where those between them were left behind; NONE if there is none."""
        self.kept_highest = SparseInts()
        """The highest number on its lane that was not left behind, where that is not ``highest_number``."""


class HeadRow(NamedTuple):
    """A row of the main agent that heads a chain that began after it, or may come to head one."""

    ordinal: int
    """The aside's ordinal; of native reasoning the index of its row."""
    is_native: bool
    is_beginning: bool
    """Whether it is a prompt or a compaction."""


class AsideDetails:
    """What is known of some asides only, by their indices into ``asides``."""

    def __init__(self) -> None:
        self.items: dict[int, list[AsideItem]] = {}
        """By aside: the lines that it counts, if it counts any."""
        self.retracting = array("i")
        """Those that take something back, in their own words."""
        self.put_back: dict[int, tuple[int, str]] = {}
        """By aside with a call that put an edited file back: the entry with the first such end, and the file."""
        self.failures: dict[int, array[int]] = {}
        """By aside: the entries that say that one of its actions failed."""
        self.heads: dict[int, tuple[HeadRow, ...]] = {}
        """By chain: the rows at its head that came before it began."""
        self.headed_chain: dict[int, int] = {}
        """By aside at the head of such a chain: the chain."""
        self.natively_headed_chain: dict[int, int] = {}
        """By row of native reasoning at the head of such a chain: the chain."""


class QuestionChange(NamedTuple):
    """A change of the open question to display; None for no question."""

    entry: int
    """From this entry on it is displayed."""
    newest: AskingEvent | None
    """While the agent is known to be at work."""
    newest_of_server: AskingEvent | None
    """Otherwise: no question of a client's own tool counts."""


class SessionColumns:
    """The columns of one session. The fold appends; sessions read.

    Entries are given as indices of journal lines, from 0, times in microseconds since 1970 (UTC).
    """

    def __init__(self) -> None:
        self.entry_count = 0
        """How many journal lines are folded."""

        # Thoughts, lanes, agents, chains, what only transcripts say.
        self.thoughts = ThoughtColumns()
        self.lanes = LaneColumns(self.thoughts.number, self.thoughts.lane)
        self.agents = AgentColumns()
        self.native = NativeColumns()
        self.rewound = RewindColumns()
        self.branches_without_fork = IndexMultimap()
        """By chain: its lanes without a fork, trunk excluded."""
        self.chain_start = array("i")
        """By chain: its first thought."""

        # The rest, in order of arrival.
        self.non_thought_entries = array("i")
        """Entries of all visible lines that are not thoughts: those of asides and attachments."""
        self.non_thought_times = array("q")
        """The times of these lines."""
        self.landmarks: dict[Landmark, array[int]] = {kind: array("i") for kind in Landmark}
        """By kind: the entries of the landmarks."""
        self.verdicts: list[Attachment] = []
        """The audits with a verdict."""
        self.asides: list[Aside] = []
        """The rows that are not thoughts."""
        self.asides_in_lane = IndexMultimap()
        """By lane: the asides after one of its thoughts, as indices into ``asides``."""
        self.aside_details = AsideDetails()
        self.refused_asides = array("i")
        """The refused calls, as indices into ``asides``."""
        self.server_events: list[tuple[int, SessionEvent | EndEvent]] = []
        """The `session` and `end` events, each with the index of its entry."""
        self.question_changes: list[QuestionChange] = []
        """Each change of the question to display."""
        self.undecided_toggles: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        """By ``seq`` of a thought: the entries at which it becomes undecided, decided, and so on in turn."""
        self.running_audit_changes: list[tuple[int, AuditingEvent | None]] = []
        """Each change of the running audit to display: the entry, and the audit from there on."""
        self.skipped_records = SkippedRecords()
        """The records of transcripts that were left out."""
        self.unknown_entries = array("i")
        """Entries of the lines of an unknown type or version."""
        self.corrupt_entries = array("i")
        """Entries of the lines that do not decode."""

    def is_native(self, index: int) -> bool:
        """Whether the thought ``index`` is native reasoning."""
        return bool(self.thoughts.flags[index] & NATIVE_FLAGS)

    def previous_of_agent(self, index: int) -> int:
        """Return the thought of the same agent from which the thought ``index`` took its time, or NONE."""
        position = bisect_left(self.chain_start, index)
        is_first = position < len(self.chain_start) and self.chain_start[position] == index
        return self.thoughts.previous_of_agent.get(index, NONE if is_first else index - 1)

    def highest_kept(self, index: int) -> int:
        """Return the highest number on the lane of ``index`` up to it, without what was left behind before it."""
        return self.rewound.kept_highest.get(index, self.thoughts.highest_number[index])

    def before_on_lane(self, index: int) -> int:
        """Return the thought before ``index`` on its lane that was not left behind when it arrived, or NONE."""
        place = self.thoughts.index_in_lane[index]
        before = self.lanes.thoughts.get(self.thoughts.lane[index])[place - 1] if place else NONE
        return self.rewound.kept_before.get(index, before)

    def call_before(self, index: int) -> int:
        """Return the call of the thinking tool before the newest one at ``index`` on its lane, or NONE."""
        call = self.native.lane_call.get(index, index)
        before = self.before_on_lane(call) if call != NONE else NONE
        return self.native.lane_call.get(before, before) if before != NONE else NONE

    def newest_kept(self, lane: int) -> int:
        """Return the newest thought of a lane that was not left behind, or NONE."""
        rows = self.lanes.thoughts.get(lane)
        position = len(rows) - 1
        # What was left behind stays so: the part that was looked at before is passed over.
        known_first, known_length = self.rewound.passed_over.get(lane, (0, 0))
        while position >= 0 and (rewind := self.rewound.left_behind.get(rows[position])) != NONE:
            position = min(position, bisect_left(rows, self.rewound.rewinds[rewind].first)) - 1
            if known_first <= position < known_length:
                position = known_first - 1
        self.rewound.passed_over[lane] = (position + 1, len(rows))
        return rows[position] if position >= 0 else NONE

    def newest_kept_call(self, lane: int) -> int:
        """Return the newest call of the thinking tool on a lane that was not left behind, or NONE."""
        kept = self.newest_kept(lane)
        # A row was added when the calls before it that are named here were not left behind, and no rewind takes them
        # without the row.
        return self.native.lane_call.get(kept, kept) if kept != NONE else NONE
