"""When a session has come to need the person, or has ended: the occasions on which a command is started. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.attention import Attention, Standing
from seqthink.share.notify.states import NotifyState

_STATES: Mapping[Attention, NotifyState] = {
    Attention.ASKING: NotifyState.ASKING,
    Attention.STUCK: NotifyState.STUCK,
    Attention.DONE: NotifyState.DONE,
    Attention.LOST: NotifyState.LOST,
}
_OVER = frozenset({NotifyState.DONE, NotifyState.LOST})
"""States that are over once somebody has seen them; the others go on to need somebody."""


class Subject(Struct, frozen=True, kw_only=True):
    """A session at one moment. Its texts are foreign, and as long as they are."""

    key: str
    """What distinguishes it from others."""
    session: str
    """Its id."""
    name: str
    standing: Standing
    link: str = ""
    """What `seqthink watch` takes: the session, and its newest thought."""
    client: str = ""
    machine: str = ""
    """The machine of a fleet; empty for this one."""
    folder: str = ""
    """The folder that its agent works in."""
    started: int = 0
    """When it began, in microseconds since 1970."""
    newest: int = 0
    """The time of its newest thought, likewise, as its journal has it."""
    is_as_before: bool = False
    """Whether nothing came since one began to look, by the clock of another machine, which no other one says."""
    full_context: int = 0
    """Percent of its context that the agent uses that uses most of those whose context is nearly full; 0 for none."""


class Occasion(NamedTuple):
    """A session has come into a state."""

    state: NotifyState
    subject: Subject
    mark: int = 0
    """Distinguishes a question or an end from others of the session; 0 for other states."""


class Occasions:
    """Remembers in which states the sessions are.

    Args:
        started: when one began to look, in microseconds since 1970: what was the case before is no occasion.
    """

    def __init__(self, started: int) -> None:
        self._started = started
        self._known: dict[str, dict[NotifyState, int]] = {}
        self._pending: dict[str, dict[NotifyState, int]] = {}

    def look(self, subjects: Sequence[Subject], seen: str | None = None) -> list[Occasion]:
        """Return the occasions that there are now, each once.

        Args:
            subjects: all sessions.
            seen: the session that the person is looking at: an end is no occasion then, and the rest waits until they
                look away.
        """
        found: list[Occasion] = []
        for subject in subjects:
            key, marks = subject.key, _marks(subject)
            before = self._known.get(key, None)
            is_old = subject.is_as_before and (before is None or NotifyState.STUCK not in marks)
            known = marks if is_old else self._old(subject, marks) if before is None else before
            self._known[key] = marks
            pending = {state: mark for state, mark in self._pending.get(key, {}).items() if marks.get(state) == mark}
            pending |= {state: mark for state, mark in marks.items() if known.get(state) != mark}
            if key == seen:
                self._pending[key] = {state: mark for state, mark in pending.items() if state not in _OVER}
                continue
            self._pending.pop(key, None)
            found += [Occasion(state, subject, mark) for state, mark in pending.items()]
        listed = {subject.key for subject in subjects}
        for remembered in (self._known, self._pending):
            for key in remembered.keys() - listed:
                del remembered[key]
        return found

    def _old(self, subject: Subject, marks: Mapping[NotifyState, int]) -> dict[NotifyState, int]:
        """Return the states of a session seen for the first time that it was in before."""
        return {
            state: mark
            for state, mark in marks.items()
            if (subject.started if state is NotifyState.CONTEXT else subject.standing.since) < self._started
        }


def _marks(subject: Subject) -> dict[NotifyState, int]:
    """Return the states that a session is in, each with its mark."""
    marks: dict[NotifyState, int] = {}
    state = _STATES.get(subject.standing.attention)
    if state is NotifyState.ASKING:
        marks[state] = subject.standing.since
    elif state is not None:
        marks[state] = subject.newest if state is NotifyState.DONE else 0
    if subject.full_context:
        marks[NotifyState.CONTEXT] = 0
    return marks
