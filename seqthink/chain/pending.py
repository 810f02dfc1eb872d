"""Tracks during a fold what has begun and not ended: questions to the client, audits, and calls of tools.

Of the thoughts whose call waits for an answer it tracks which are undecided.
"""

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from seqthink.chain.columns.session_columns import NativeColumns, QuestionChange, RunningCall
from seqthink.core.events import (
    CALL_CANCELLED,
    CLIENT_LEFT,
    ActionEvent,
    AskingEvent,
    AuditEvent,
    AuditingEvent,
    ElicitEvent,
    SampleEvent,
)
from seqthink.core.times import microseconds_of

QuestionKind = Literal["elicit", "sample"]
LIMIT_PURPOSE = "limit"
"""Purpose of the question whether the chain may continue past its limit."""
MAX_KNOWN_CALLS = 4096
"""How many calls are remembered, the newest, to know which line ends one."""
MAX_CALL_CHARS = 300
"""Characters that are kept of what a call is about."""


class _Asked:
    """Questions without an answer, by kind: those to the user first, because only a user can overlook one."""

    def __init__(self) -> None:
        self._by_kind: dict[QuestionKind, dict[tuple[int, str], AskingEvent]] = {"elicit": {}, "sample": {}}

    def add(self, event: AskingEvent) -> None:
        self._by_kind[event.kind][event.of, event.purpose] = event

    def drop(self, kind: QuestionKind, of: int, purpose: str) -> None:
        self._by_kind[kind].pop((of, purpose), None)

    def clear(self) -> None:
        for asked in self._by_kind.values():
            asked.clear()

    @property
    def newest(self) -> AskingEvent | None:
        """The newest question to the user, else the newest to the model."""
        return next((asked[next(reversed(asked))] for asked in self._by_kind.values() if asked), None)


class OpenQuestions:
    """Appends to ``changes`` whenever the question to display changes.

    One of a client's own tool is displayed only while its agent is known to be at work, so what is displayed
    otherwise is recorded, too.

    A thought that reaches the limit is journaled as if the user allowed no more thoughts; only then is the user asked.
    Until the user has answered, the thought is undecided.

    Args:
        changes: list to append to.
        undecided: by the seq of a thought, the journal lines at which it becomes undecided, decided, and so on in turn.
    """

    def __init__(self, changes: list[QuestionChange], undecided: "defaultdict[int, array[int]]") -> None:
        self._changes = changes
        self._undecided = undecided
        self._all, self._of_server = _Asked(), _Asked()

    def open(self, event: AskingEvent, entry_index: int) -> None:
        """Open a question; one that is asked again replaces its earlier form."""
        self._drop(event.kind, event)
        self._all.add(event)
        if event.call is None:
            self._of_server.add(event)
        if event.kind == "elicit" and event.purpose == LIMIT_PURPOSE and event.of < event.seq:
            self._toggle_undecided(event.of, entry_index, is_decided=False)
        self._record_change(entry_index)

    def close(self, event: SampleEvent | ElicitEvent, entry_index: int) -> None:
        """Close a question that was answered or given up."""
        self._drop("elicit" if isinstance(event, ElicitEvent) else "sample", event)
        if isinstance(event, ElicitEvent) and event.purpose == LIMIT_PURPOSE and was_answered(event):
            self._toggle_undecided(event.of, entry_index, is_decided=True)
        self._record_change(entry_index)

    def clear(self, entry_index: int) -> None:
        """Drop all questions: a server has started or ended, so no call waits any longer."""
        for asked in (self._all, self._of_server):
            asked.clear()
        self._record_change(entry_index)

    def _drop(self, kind: QuestionKind, event: AskingEvent | SampleEvent | ElicitEvent) -> None:
        for asked in (self._all, self._of_server):
            asked.drop(kind, event.of, event.purpose)

    def _toggle_undecided(self, seq: int, entry_index: int, *, is_decided: bool) -> None:
        toggles = self._undecided[seq]
        if len(toggles) % 2 == is_decided:
            toggles.append(entry_index)

    def _record_change(self, entry_index: int) -> None:
        change = QuestionChange(entry_index, self._all.newest, self._of_server.newest)
        before = self._changes[-1] if self._changes else QuestionChange(entry_index, None, None)
        if change.newest is not before.newest or change.newest_of_server is not before.newest_of_server:
            self._changes.append(change)


class RunningAudits:
    """Appends ``(entry, audit)`` to ``changes`` whenever the audit to display changes; None for no audit.

    The audit with the newest progress is displayed.
    """

    def __init__(self, changes: list[tuple[int, AuditingEvent | None]]) -> None:
        self._changes = changes
        self._running: dict[int, AuditingEvent] = {}

    def update(self, event: AuditingEvent, entry_index: int) -> None:
        """Record the progress of an audit."""
        self._running.pop(event.of, None)
        self._running[event.of] = event
        self._record_change(entry_index)

    def end(self, event: AuditEvent, entry_index: int) -> None:
        """Record that an audit has ended."""
        if self._running.pop(event.of, None) is not None:
            self._record_change(entry_index)

    def clear(self, entry_index: int) -> None:
        """Drop all audits: a server has started or ended, and audits do not survive it."""
        if self._running:
            self._running.clear()
            self._record_change(entry_index)

    def _record_change(self, entry_index: int) -> None:
        self._changes.append((entry_index, next(reversed(self._running.values()), None)))


class RunningCalls:
    """Finds which calls of tools run, by agent.

    A call ends with the second line of the same id, and when its agent says something: it waits for its calls. Until
    the journal has named the end of a call that succeeded, the next call ends it, too: older journals name none.

    Args:
        native: what is known of agents' lines.
    """

    def __init__(self, native: NativeColumns) -> None:
        self._native = native
        self._running: defaultdict[str | None, dict[str, RunningCall]] = defaultdict(dict)
        self._known: OrderedDict[tuple[str | None, str], None] = OrderedDict()
        self._has_ends = False

    def begins(self, event: ActionEvent) -> bool:
        """Return whether the next line begins a call: it does not end one, and has not the id of an earlier call."""
        return not event.is_end and not (event.call and (event.agent or None, event.call) in self._known)

    def add(self, event: ActionEvent, entry_index: int, ordinal: int) -> None:
        """Begin a call, or end the one of the same id; ``ordinal`` is that of the call if the line is counted."""
        agent, running, call = event.agent or None, self._running[event.agent or None], event.call or ""
        if not self.begins(event):
            self._leave([running.pop(call).ordinal] if call in running else [], entry_index)
            self._leave([ordinal], entry_index)
            self._has_ends = self._has_ends or not event.failed
        else:
            if not self._has_ends:
                self._leave([one.ordinal for one in running.values()], entry_index)
                running.clear()
            elif call in running:  # one without an id
                self._leave([running[call].ordinal], entry_index)
            running[call] = running_call(event, ordinal)
        if call:
            self._known[agent, call] = None
            if len(self._known) > MAX_KNOWN_CALLS:
                self._known.popitem(last=False)
        self._record_change(agent, entry_index)

    def _leave(self, ordinals: Iterable[int], entry_index: int) -> None:
        for ordinal in ordinals:
            self._native.calls.leave(ordinal, entry_index)

    def clear(self, agent: str | None, entry_index: int) -> None:
        """End the calls of an agent: it has said something, or its server has started or ended."""
        if self._running.get(agent):
            self._leave([call.ordinal for call in self._running[agent].values()], entry_index)
            self._running[agent].clear()
            self._record_change(agent, entry_index)

    def allow(self, event: ElicitEvent, entry_index: int) -> None:
        """Take in that the user was asked whether a call is allowed, and has answered: what runs, runs from now on.

        Where the question was about several calls, it is not known since when they run.
        """
        for agent, running in self._running.items():
            asked = [event.call] if event.call else list(running)
            time = microseconds_of(event.time) if event.call else 0
            changed = {call: replace(running[call], time=time) for call in asked if call in running}
            if changed:
                running.update(changed)
                self._record_change(agent, entry_index)

    def clear_all(self, entry_index: int) -> None:
        """End all calls: a server has started or ended."""
        for agent in self._running:
            self.clear(agent, entry_index)

    def _record_change(self, agent: str | None, entry_index: int) -> None:
        running = self._running[agent]
        newest = next(reversed(running.values()), None)
        self._native.by_agent[agent].running.append((entry_index, newest, len(running)))


def running_call(event: ActionEvent, ordinal: int) -> RunningCall:
    """Return the call that an event begins, without what nobody would read of it; ``ordinal`` is that of the call."""
    text = (event.summary or "")[:MAX_CALL_CHARS]
    return RunningCall(event.tool[:MAX_CALL_CHARS], microseconds_of(event.time), event.call or "", text, ordinal)


def was_answered(event: ElicitEvent) -> bool:
    """Return whether the call that asked got an answer: not if the client left or cancelled it."""
    return event.action is not None or event.error not in {CLIENT_LEFT, CALL_CANCELLED}
