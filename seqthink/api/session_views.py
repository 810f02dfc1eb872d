"""Read-only view of a session after some entry, of its revisions and estimates, and of its refused calls."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from typing_extensions import override

from seqthink.api.health_views import HealthView
from seqthink.api.thought_views import AgentView, ChainView, ThoughtView
from seqthink.api.view_sources import EventReader, Views
from seqthink.chain.model import NONE, Aside
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.errors import JournalChangedError
from seqthink.core.events import RejectedEvent, SessionEvent, WriterState
from seqthink.core.times import datetime_of


class Estimate(NamedTuple):
    """An estimate that a lane began with, or changed to."""

    thought: ThoughtView
    """The thought that gave it."""
    before: int | None
    """The lane's estimate until then; None for the lane's first thought."""
    after: int
    """How many thoughts the agent now expected on this lane, at least the thought's own number."""


class Revision(NamedTuple):
    """A thought that revises another; unpacks as ``revision, target``."""

    thought: ThoughtView
    """The thought that revises."""
    target: ThoughtView | None
    """The thought that is revised; None if no earlier thought has the number that it names."""


class RefusalView:
    """A call that the server refused; it is not a thought."""

    __slots__ = ("_reader", "_refusal", "_session")

    def __init__(self, session: "SessionView", refusal: Aside, reader: EventReader) -> None:
        self._session = session
        self._refusal = refusal
        self._reader = reader

    @property
    def seq(self) -> int:
        """Its position in the journal."""
        return self._refusal.seq

    @property
    def time(self) -> datetime:
        """When it was refused, in UTC."""
        return datetime_of(self._refusal.time)

    @property
    def error(self) -> str:
        """The answer to the agent: what is wrong with the call, and what was expected.

        Raises:
            JournalChangedError: the journal was rewritten since it was read.
            ValueError: the journal is closed.
        """
        return self.event.error

    @property
    def event(self) -> RejectedEvent:
        """The event with all its fields, the refused arguments among them. Raises the same errors as ``error``."""
        event = self._reader.event(self._refusal.offset, self._refusal.size)
        if not isinstance(event, RejectedEvent):
            raise JournalChangedError
        return event

    @property
    def after(self) -> ThoughtView | None:
        """The thought before it: its agent's newest in the chain, else the newest of all; None if there is none."""
        return None if self._refusal.thought_above == NONE else self._session.thoughts[self._refusal.thought_above]

    @override
    def __repr__(self) -> str:
        return f"<refused call, seq {self.seq}>"


class SessionView:
    """A session after some entry of its journal. It never changes; after later entries there are other views."""

    _folded: Session
    _reader: EventReader

    def __init__(self, folded: Session, reader: EventReader) -> None:
        self._folded = folded
        self._reader = reader

    @property
    def id(self) -> str | None:
        """The session's id; None before the first `session` line."""
        return self._folded.session_event.session if self._folded.session_event else None

    @property
    def title(self) -> str | None:
        """The title that the user gave the session, else that of the first chain; None if there is neither.

        Raises:
            JournalChangedError: the journal was rewritten since it was read.
            ValueError: the journal is closed.
        """
        return self._folded.title or (self.chains[0].title if self.chains else None)

    @property
    def state(self) -> State:
        """The state of the newest chain (docs/journal.md, "Ends")."""
        return self._folded.state

    @property
    def is_alive(self) -> bool:
        """Whether the server was known to be running when the journal was last read."""
        return self._folded.is_alive

    @property
    def session_event(self) -> SessionEvent | None:
        """The newest `session` event: client, versions, working folder, host."""
        return self._folded.session_event

    @property
    def entry_count(self) -> int:
        """How many lines of the journal it covers, decoded or not: its position, as ``at_entry`` takes it."""
        return self._folded.entry_count

    @property
    def unknown_count(self) -> int:
        """How many lines were skipped because they are of a newer version."""
        return self._folded.unknown_count

    @property
    def corrupt_count(self) -> int:
        """How many lines do not decode."""
        return self._folded.corrupt_count

    @property
    def agents(self) -> Sequence[AgentView]:
        """The agents that the journal names, the main one first."""
        agents = range(self._folded.agents.count + 1)
        return Views(agents, lambda agent: AgentView(self._folded, self._reader, agent))

    @property
    def chains(self) -> Sequence[ChainView]:
        """The chains, in the order in which they began."""
        return Views(range(self._folded.chain_count), lambda chain: ChainView(self._folded, self._reader, chain))

    @property
    def thoughts(self) -> Sequence[ThoughtView]:
        """All thoughts of all chains, in order of arrival."""
        return Views(range(self._folded.thought_count), self._thought)

    @property
    def revisions(self) -> Sequence[Revision]:
        """Each thought that revises another, with the revised one, in order of arrival."""
        folded = self._folded
        return Views(
            [index for index in range(folded.thought_count) if folded.thoughts.is_revision(index)], self._revision
        )

    @property
    def estimates(self) -> Sequence[Estimate]:
        """Each estimate that a lane began with or changed to, in order of arrival."""
        folded = self._folded
        return Views(
            [index for index in range(folded.thought_count) if _has_new_estimate(folded, index)],
            self._estimate,
        )

    @property
    def refusals(self) -> Sequence[RefusalView]:
        """The calls that were refused, in order of arrival."""
        return Views(
            self._folded.asides.refused,
            lambda ordinal: RefusalView(self, self._folded.asides.get(ordinal), self._reader),
        )

    @property
    def health(self) -> HealthView:
        """What is odd about the session (docs/journal.md, "Chain health"). Every text is read, once for the journal.

        Raises:
            JournalChangedError: the journal was rewritten since it was read.
            ValueError: the journal is closed.
        """
        health = self._reader.health
        health.look_on(self._folded, self._reader.event)
        return HealthView(self._folded, self._reader, health.at(self._folded))

    def at(self, thoughts: int) -> "SessionView":
        """Return the session as it was right after the given number of thoughts had arrived; 0: before the first line.

        Raises:
            ValueError: the session has fewer, or the number is below 0.
        """
        if not 0 <= thoughts <= self._folded.thought_count:
            raise ValueError(f"at({thoughts}): the session has {self._folded.thought_count} thoughts")
        return self.at_entry(self._folded.thoughts.entry_index_of(thoughts - 1) + 1 if thoughts else 0)

    def at_entry(self, entries: int) -> "SessionView":
        """Return the session after a number of lines of its journal; if others follow, its server is ``alive``.

        Raises:
            ValueError: the session has fewer, or the number is below 0.
        """
        if not 0 <= entries <= self._folded.entry_count:
            raise ValueError(f"at_entry({entries}): the session has {self._folded.entry_count} entries")
        return SessionView(session_at(self._folded, entries), self._reader)

    def _thought(self, index: int) -> ThoughtView:
        return ThoughtView(self._folded, self._reader, index)

    def _revision(self, index: int) -> Revision:
        thought = self._thought(index)
        return Revision(thought, thought.target)

    def _estimate(self, index: int) -> Estimate:
        thought = self._folded.thoughts.get(index)
        return Estimate(self._thought(index), thought.previous_estimate or None, thought.estimate)

    @override
    def __repr__(self) -> str:
        return f"<session {self.id}, {self.state}, {len(self.thoughts)} thoughts>"


def session_at(folded: Session, entries: int) -> Session:
    """Return a session after its first ``entries`` lines; if others follow, its server counts as alive."""
    earlier = folded.at(entries)
    return earlier if entries >= folded.entry_count else earlier.with_writer(WriterState.ALIVE)


def _has_new_estimate(folded: Session, index: int) -> bool:
    return not folded.thoughts.index_in_lane(index) or folded.thoughts.get(index).estimate_change is not None
