"""Read-only views of chains, lanes, thoughts, agents and of what is attached to a thought; they lead to each other.

A view holds an index, not data: facts come from the columns of the fold, and a text is read from the file whenever it
is asked for. So a million views cost no more than a million small objects. A view never changes.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from typing_extensions import override

from seqthink.api.view_sources import EventReader, Views
from seqthink.chain.model import NONE, Attachment, Lane
from seqthink.chain.session import Session
from seqthink.chain.session_texts import title_line
from seqthink.chain.state import State
from seqthink.core.errors import JournalChangedError
from seqthink.core.events import AttachedEvent, text_of
from seqthink.core.text import first_line
from seqthink.core.times import datetime_of

MAX_TITLE_CHARS = 80
"""Length of a title that is made from a thought."""


class EstimateChange(NamedTuple):
    """A thought's change of its lane's estimate."""

    before: int
    """`totalThoughts` of the lane's thought before it."""
    after: int
    """`totalThoughts` of the thought itself."""


class _IndexedView:
    """A view of a thought, lane, chain or agent by its index or ordinal; equal to any other view of the same."""

    __slots__ = ("_folded", "_index", "_reader")

    def __init__(self, folded: Session, reader: EventReader, index: int) -> None:
        self._folded = folded
        self._reader = reader
        self._index = index

    @override
    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._reader is other._reader and self._index == other._index

    @override
    def __hash__(self) -> int:
        return hash((type(self), id(self._reader), self._index))

    def _thought(self, index: int) -> "ThoughtView":
        return ThoughtView(self._folded, self._reader, index)

    def _thought_or_none(self, index: int) -> "ThoughtView | None":
        return None if index == NONE else self._thought(index)

    def _lane(self, ordinal: int) -> "LaneView":
        return LaneView(self._folded, self._reader, ordinal)


class AgentView(_IndexedView):
    """An agent whose calls the journal holds: the main one, or one that it started (docs/journal.md, "Agents")."""

    __slots__ = ()

    @property
    def id(self) -> str | None:
        """The client's id of the agent; None for the main one."""
        return self._folded.agents.id_of(self._index)

    @property
    def is_main(self) -> bool:
        """Whether this is the client's main agent."""
        return self._index == 0

    @property
    def name(self) -> str | None:
        """The agent's name; None if the journal does not have it."""
        event = self._folded.agents.event_of(self._index)
        return event.name if event else None

    @property
    def model(self) -> str | None:
        """The agent's language model; None if the journal does not have it."""
        event = self._folded.agents.event_of(self._index)
        return event.model if event else None

    @property
    def context_tokens(self) -> int | None:
        """How many tokens of its context the agent uses; None if its client does not record it."""
        use = self._folded.agents.context_of(self._index)
        return use.tokens if use is not None else None

    @property
    def context_window(self) -> int | None:
        """How many tokens fit in its context; None if its client does not record it."""
        use = self._folded.agents.context_of(self._index)
        return (use.window or None) if use is not None else None

    @override
    def __repr__(self) -> str:
        return f"<agent {self.name or self.id or 'main'}>"


class ThoughtView(_IndexedView):
    """One thought, as it was at the time of the session that it is taken from.

    Two views of the same thought of one open journal are equal, even if they are taken from earlier and later sessions.
    """

    __slots__ = ()

    @property
    def index(self) -> int:
        """Its place in the session's order of arrival, from 0."""
        return self._index

    @property
    def seq(self) -> int:
        """Its position in the journal: the thought's identity, since numbers repeat on branches."""
        return self._folded.thoughts.get(self._index).seq

    @property
    def number(self) -> int:
        """`thoughtNumber`, as the agent gave it."""
        return self._folded.thoughts.number_of(self._index)

    @property
    def native(self) -> Literal["prompt", "reasoning", "remark", "answer"] | None:
        """What it is if it is not a call of the thinking tool; such a thought has the number 0 and no estimate.

        There are such thoughts only in a journal that was opened with ``native``.
        """
        kind = self._folded.native.kind_of(self._index)
        return None if kind is None else kind.value

    @property
    def place_in_turn(self) -> int | None:
        """Of native reasoning: its place in its turn, from 1, counted by us; else None."""
        return self._folded.thoughts.get(self._index).place_in_turn or None

    @property
    def is_left_behind(self) -> bool:
        """Whether the user went back to before it, so that nothing continues from it."""
        return self._folded.native.is_left_behind(self._index)

    @property
    def estimate(self) -> int:
        """The estimate: `totalThoughts`, raised to the number where that is higher."""
        return self._folded.thoughts.estimate_of(self._index)

    @property
    def text(self) -> str:
        """The text exactly as the agent wrote it, read from the file each time.

        Never send it to a terminal unescaped: an agent's text may hold control characters.

        Raises:
            JournalChangedError: the journal was rewritten since it was read.
            ValueError: the journal is closed.
        """
        return self._reader.text(*self._folded.thoughts.line_extent_of(self._index))

    @property
    def time(self) -> datetime:
        """When it arrived, in UTC."""
        return datetime_of(self._folded.thoughts.time_of(self._index))

    @property
    def duration(self) -> timedelta | None:
        """The time since the same agent's thought before it, never below 0; None for the first on a problem."""
        microseconds = self._folded.thoughts.duration_of(self._index)
        return None if microseconds is None else timedelta(microseconds=microseconds)

    @property
    def is_final(self) -> bool:
        """Whether the answer said that no further thought is needed, and nothing has reopened it since."""
        return self._folded.thoughts.is_final(self._index)

    @property
    def needs_more(self) -> bool:
        """Whether the agent asked for more thoughts than it had expected (`needsMoreThoughts`)."""
        return self._folded.thoughts.get(self._index).needs_more

    @property
    def is_repeat(self) -> bool:
        """Whether the same lane had a thought of this number before, and this one is not a revision."""
        return self._folded.thoughts.get(self._index).is_repeat

    @property
    def skipped_count(self) -> int:
        """How many numbers were skipped before it."""
        return self._folded.thoughts.skipped_count_of(self._index)

    @property
    def is_revision(self) -> bool:
        """Whether it revises another thought."""
        return self._folded.thoughts.is_revision(self._index)

    @property
    def revises(self) -> int | None:
        """The number that it says it revises; None if it names none."""
        return self._folded.thoughts.get(self._index).revised_number or None

    @property
    def target(self) -> "ThoughtView | None":
        """The thought that it revises; None if it is not a revision, or if no earlier thought has that number."""
        return self._thought_or_none(self._folded.thoughts.target_of(self._index))

    @property
    def revised_by(self) -> "Sequence[ThoughtView]":
        """The thoughts that revise it, in order of arrival."""
        return Views(self._folded.thoughts.revisers_of(self._index), self._thought)

    @property
    def brings_back(self) -> "Sequence[LaneView]":
        """The branches that it brings back (docs/journal.md, "Branches that come back"), as they opened."""
        return Views(self._folded.branch_returns.brought_back_by(self._index), self._lane)

    @property
    def estimate_change(self) -> EstimateChange | None:
        """How it changed its lane's estimate; None if it did not."""
        change = self._folded.thoughts.get(self._index).estimate_change
        return EstimateChange(*change) if change else None

    @property
    def chain(self) -> "ChainView":
        """The chain that it belongs to."""
        return ChainView(self._folded, self._reader, self._folded.thoughts.chain_of(self._index))

    @property
    def lane(self) -> "LaneView":
        """The trunk or branch that it is on."""
        return self._lane(self._folded.thoughts.lane_of(self._index))

    @property
    def agent(self) -> AgentView:
        """The agent that thought it."""
        return self.lane.agent

    @property
    def branches(self) -> "Sequence[LaneView]":
        """The branches that leave from it, in the order in which they opened."""
        return Views(self._folded.lanes.branches_from(self._index), self._lane)

    @property
    def attachments(self) -> "Sequence[AttachmentView]":
        """Its audits, exchanges with the client, context items and notes, in order of arrival."""
        attached = self._folded.thoughts.attachments(self._index)
        return Views(range(len(attached)), lambda position: AttachmentView(self, attached[position], self._reader))

    @override
    def __repr__(self) -> str:
        return f"<thought {self.number}/{self.estimate}, seq {self.seq}>"


class AttachmentView:
    """An event that is attached to a thought: an audit, an exchange with the client, a context item or a note."""

    __slots__ = ("_attachment", "_reader", "_thought")

    def __init__(self, thought: ThoughtView, attachment: Attachment, reader: EventReader) -> None:
        self._thought = thought
        self._attachment = attachment
        self._reader = reader

    @property
    def thought(self) -> ThoughtView:
        """The thought that it is attached to."""
        return self._thought

    @property
    def kind(self) -> str:
        """The event's type: ``audit``, ``sample``, ``elicit``, ``context`` or ``note``."""
        return self._attachment.kind

    @property
    def seq(self) -> int:
        """Its position in the journal."""
        return self._attachment.seq

    @property
    def time(self) -> datetime:
        """When it was journaled, in UTC."""
        return datetime_of(self._attachment.time)

    @property
    def verdict(self) -> str | None:
        """An audit's verdict, ``pass``, ``revise`` or ``reject``; None for everything else."""
        return self._attachment.verdict or None

    @property
    def score(self) -> int | None:
        """The overall score of an audit with a verdict, 0 to 100; None for everything else."""
        return self._attachment.score if self._attachment.verdict else None

    @property
    def event(self) -> AttachedEvent:
        """The event with all its fields, read from the file each time (docs/journal.md, "Event types").

        Raises:
            JournalChangedError: the journal was rewritten since it was read.
            ValueError: the journal is closed.
        """
        event = self._reader.event(self._attachment.offset, self._attachment.size)
        if not isinstance(event, AttachedEvent):
            raise JournalChangedError
        return event

    @override
    def __repr__(self) -> str:
        return f"<{self.kind} on thought {self._thought.number}, seq {self.seq}>"


class LaneView(_IndexedView):
    """A chain's trunk, or one of its branches (docs/journal.md, "Lanes")."""

    __slots__ = ()

    @property
    def name(self) -> str | None:
        """The branch's name, ``from 3`` for one without an id; None for a trunk."""
        return self._folded_lane.name

    @property
    def is_trunk(self) -> bool:
        """Whether this is the chain's trunk."""
        return self._folded_lane.is_trunk

    @property
    def is_branch(self) -> bool:
        """Whether this is a branch: neither a trunk nor the unbranched thoughts of another agent."""
        return not self._folded_lane.is_root

    @property
    def agent(self) -> AgentView:
        """The agent whose thoughts it holds."""
        return AgentView(self._folded, self._reader, self._folded_lane.agent)

    @property
    def chain(self) -> "ChainView":
        """The chain that it belongs to."""
        return ChainView(self._folded, self._reader, self._folded_lane.chain)

    @property
    def fork(self) -> ThoughtView | None:
        """The thought that it leaves from; None for a trunk, or if no earlier thought has that number."""
        return self._thought_or_none(self._folded_lane.origin)

    @property
    def fork_number(self) -> int | None:
        """The number of the fork as the agent gave it; None if it gave none."""
        return self._folded_lane.fork_number or None

    @property
    def depth(self) -> int:
        """How many lanes are above it: 0 for a trunk."""
        return self._folded_lane.depth

    @property
    def thoughts(self) -> Sequence[ThoughtView]:
        """Its thoughts, in order of arrival."""
        return Views(self._folded_lane.thoughts[: self._folded.lanes.length_of(self._index)], self._thought)

    @property
    def brought_back_by(self) -> ThoughtView | None:
        """The thought that brought the branch back since its newest thought; None if there is none, or no branch."""
        return self._thought_or_none(self._folded.branch_returns.return_of(self._index))

    @property
    def _folded_lane(self) -> Lane:
        return self._folded.lanes.get(self._index)

    @override
    def __repr__(self) -> str:
        return f"<{'trunk' if self.is_trunk else f'lane {self.name!r}'}, {len(self.thoughts)} thoughts>"


class ChainView(_IndexedView):
    """One problem thought through: a trunk and its branches (docs/journal.md, "Chains")."""

    __slots__ = ()

    @property
    def index(self) -> int:
        """Its place among the session's chains, from 0."""
        return self._index

    @property
    def title(self) -> str:
        """The first line of what titles it, without control characters, at most 80 characters.

        That is the main agent's first thought in it; where it has none, the first prompt; "" where that is not known.

        Raises:
            JournalChangedError: the journal was rewritten since it was read.
            ValueError: the journal is closed.
        """
        line = title_line(self._folded, self._index)
        event = self._reader.event(*line) if line is not None else None
        return first_line((text_of(event) or "") if event is not None else "")[:MAX_TITLE_CHARS]

    @property
    def state(self) -> State:
        """Its state (docs/journal.md, "Ends")."""
        return self._folded.chain_state(self._index)

    @property
    def trunk(self) -> LaneView:
        """The lane of its unbranched thoughts."""
        return self.lanes[0]

    @property
    def lanes(self) -> Sequence[LaneView]:
        """Its lanes, the trunk first, in the order in which they opened."""
        return Views(self._folded.chains.lanes_of(self._index), self._lane)

    @property
    def thoughts(self) -> Sequence[ThoughtView]:
        """All its thoughts, in order of arrival."""
        return Views(self._folded.chains.thoughts_of(self._index), self._thought)

    @override
    def __repr__(self) -> str:
        return f"<chain {self._index}, {self.state}, {len(self.thoughts)} thoughts>"
