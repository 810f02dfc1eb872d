"""What the writers of all clients have in common: who says what, in which order."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.support.transcripts.known.sessions import (
    Call,
    Delegate,
    End,
    KnownAgent,
    KnownSession,
    Outcome,
    Said,
    Step,
    Think,
    Turn,
    arguments_of,
)
from tests.support.transcripts.known.writes import BEGIN_MS, Write, Written


@dataclass
class Place:
    """Where the work of one agent is written."""

    path: str
    agent: str | None
    id: str = ""
    """The client's id of what is written there."""
    parent: str | None = None
    """The id of the record before, where records name it."""
    thoughts: int = 0
    turns: int = 0
    records: int = 0
    unmarked: tuple[Said, ...] = ()
    """The answer of the turn before, if only the next prompt shows that it is one."""


@dataclass
class Asked:
    """A call that was made, and what it said."""

    call: Call
    id: str
    said: Said | None = None
    place: Place | None = None
    """Of a call that starts a subagent: where that works."""


class SessionWriter(ABC):
    """Writes one session."""

    def __init__(self, session: KnownSession, source: str, session_id: str) -> None:
        self.session = session
        self.id = session_id
        self.written = Written(source, session_id, has_unique_calls=session.has_unique_calls)
        self._time = BEGIN_MS + session.number * 3_600_000
        self._calls = self._tokens = 0

    @abstractmethod
    def main(self) -> Place:
        """Return where the main agent's work is written, after what comes before it."""

    @abstractmethod
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        """Return where the work of a subagent is written, after what comes before it."""

    @abstractmethod
    def prompt(self, place: Place, text: str, said: Said) -> None:
        """Write what the agent is asked, which begins a turn."""

    @abstractmethod
    def begin_message(self, place: Place, *, is_last: bool, end: End) -> dict[str, Any]:
        """Return what the parts of one answer of the model share."""

    @abstractmethod
    def reasoning(self, place: Place, message: dict[str, Any], text: str, said: Said) -> None:
        """Write a piece of reasoning; an empty one is not kept."""

    @abstractmethod
    def remark(self, place: Place, message: dict[str, Any], said: Said) -> None:
        """Write what the model says before its calls."""

    @abstractmethod
    def called(self, place: Place, message: dict[str, Any], asked: Asked, arguments: dict[str, Any]) -> None:
        """Write a call."""

    @abstractmethod
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        """Write what a call brought; ``report`` is a subagent's answer."""

    @abstractmethod
    def answer(self, place: Place, message: dict[str, Any], said: Said, end: End) -> None:
        """Write the answer that ends a turn."""

    @abstractmethod
    def abort(self, place: Place) -> None:
        """Write that the user interrupted the turn."""

    @abstractmethod
    def interject(self, place: Place, text: str) -> None:
        """Write what the user typed while the model was working; nothing, if the client does not take that."""

    @abstractmethod
    def end_message(self, place: Place, message: dict[str, Any]) -> None:
        """Write what follows an answer of the model whose calls have been answered."""

    def write(self) -> Written:
        """Return what the client writes of the session."""
        for _ in self.run(self.main(), self.session.main):
            pass
        return self.written

    def may_delegate(self, place: Place) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether the agent there may start subagents."""
        return True

    def run(self, place: Place, agent: KnownAgent) -> Iterator[None]:
        """Write the work of an agent, a record or a few at a time."""
        for turn in agent.turns:
            place.turns += 1
            self.prompt(place, turn.prompt, self.say(place.agent, "prompt", turn.prompt))
            yield
            for step in turn.steps:
                yield from self._step(place, step)
            yield from self._end(place, turn)

    def _end(self, place: Place, turn: Turn) -> Iterator[None]:
        if turn.end is End.ABORTED:
            self.abort(place)
        elif turn.end is not End.CUT:
            message = self.begin_message(place, is_last=True, end=turn.end)
            yield from self._reasoning(place, message, turn.reasoning)
            said = self.say(place.agent, "answer", turn.answer)
            self.answer(place, message, said, turn.end)
            place.unmarked = (said,) if turn.end is End.UNMARKED else ()
            yield

    def _step(self, place: Place, step: Step) -> Iterator[None]:
        message = self.begin_message(place, is_last=False, end=End.MARKED)
        yield from self._reasoning(place, message, step.reasoning)
        if step.remark is not None:
            self.remark(place, message, self.say(place.agent, "remark", step.remark))
            yield
        asked: list[Asked] = []
        calls = [call for call in step.calls if self.may_delegate(place) or not isinstance(call, Delegate)]
        for number, call in enumerate(calls):
            asked.append(self._call(place, message, call, number))
            yield
        yield from self.work(place, asked)
        for one in asked:
            self.answered(place, message, one, self.report(place, one))
            yield
        self.end_message(place, message)
        if step.interjected is not None and place.agent is None:
            self.interject(place, step.interjected)
            yield

    def _reasoning(self, place: Place, message: dict[str, Any], texts: tuple[str, ...]) -> Iterator[None]:
        for text in texts:
            self.reasoning(place, message, text, self.say(place.agent, "reasoning" if text else "unkept", text))
            yield

    def _call(self, place: Place, message: dict[str, Any], call: Call, number: int) -> Asked:
        self._calls += 1
        unique = f"call_{self._calls:020x}{self.session.number:04x}A1"
        asked = Asked(call, unique if self.session.has_unique_calls else f"call_{number}")
        arguments: dict[str, Any] = {"command": f"ls {number}"}
        if isinstance(call, Think):
            place.thoughts += call.outcome is Outcome.ANSWERED
            arguments = arguments_of(call, max(place.thoughts, 1), is_last=False)
            kind = "thought" if call.outcome is Outcome.ANSWERED else "refused"
            asked.said = self.say(place.agent, kind, call.text)
        self.called(place, message, asked, arguments)
        return asked

    def work(self, owner: Place, asked: list[Asked]) -> Iterator[None]:
        """Let the subagents work at the same time."""
        running: list[Iterator[None]] = []
        for one in asked:
            if isinstance(one.call, Delegate):
                one.place = self.agent_place(owner, one, one.call.agent)
                running.append(self.run(one.place, one.call.agent))
        while running:
            for work in list(running):
                if next(work, work) is work:
                    running.remove(work)
                yield

    def report(self, owner: Place, asked: Asked) -> Said | None:  # noqa: ARG002 - for subclasses
        """Return what the subagent that a call of ``owner`` started answered; None if the call brings no report."""
        agent = asked.place.agent if asked.place is not None else None
        if agent is None:
            return None
        return next(said for said in reversed(self.written.said) if said.agent == agent and said.kind == "answer")

    def say(self, agent: str | None, kind: str, text: str) -> Said:
        """Note what has to be shown."""
        said = Said(agent, kind, text)
        self.written.said.append(said)
        return said

    def used(self, place: Place, window: int | None = None) -> int:
        """Return how many tokens the next answer of an agent takes, which are written with the window if with any."""
        self._tokens += 1_700
        self.written.contexts[place.agent] = self._tokens, window
        return self._tokens

    def add(self, write: Write) -> None:
        """Add a write."""
        self.written.writes.append(write)

    def now(self) -> str:
        """Return the time of the next record."""
        time = datetime.fromtimestamp(self.now_ms() / 1000, UTC)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def now_ms(self) -> int:
        """Return the same in milliseconds since 1970."""
        self._time += 250
        return self._time
