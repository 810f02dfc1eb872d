"""Events for tests, numbered and timed automatically; a test gives only the fields that matter."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from seqthink.chain.fold import Fold
from seqthink.core.events import (
    ActionEvent,
    AgentEvent,
    AskingEvent,
    AuditEvent,
    AuditingEvent,
    CompactedEvent,
    ContextEvent,
    ElicitEvent,
    EndEvent,
    Event,
    NativeEvent,
    NoteEvent,
    PromptEvent,
    ReasoningEvent,
    RejectedEvent,
    RemarkEvent,
    RewoundEvent,
    SampleEvent,
    SessionEvent,
    SkippedEvent,
    ThoughtEvent,
    TurnEvent,
    UnknownEvent,
    UsageEvent,
    text_of,
)

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

CORRUPT = "corrupt"
"""Stands for a line that does not decode."""

Item = Event | UnknownEvent | str


class Journal:
    """A growing list of events; each method adds one, a second after the one before."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.seq = 0
        self.clock = START

    def session(self, **fields: object) -> "Journal":
        return self.add(SessionEvent, **{"session": "S", **fields})

    def end(self, reason: str = "eof") -> "Journal":
        return self.add(EndEvent, reason=reason)

    def think(self, number: int, text: str | None = None, **fields: object) -> "Journal":
        """Add a thought; without ``text`` it gets a unique one."""
        usual = {"totalThoughts": 5, "nextThoughtNeeded": True}
        spoken = f"t{self.seq + 1}" if text is None else text
        return self.add(ThoughtEvent, thought=spoken, thoughtNumber=number, **{**usual, **fields})

    def branch(self, number: int, branch: str, since: int | None = None, **fields: object) -> "Journal":
        return self.think(number, None, branchId=branch, branchFromThought=since, **fields)

    def revise(self, number: int, target: int, **fields: object) -> "Journal":
        return self.think(number, None, isRevision=True, revisesThought=target, **fields)

    def again(self) -> "Journal":
        """Repeat the last thought, with all nine fields equal."""
        last = next(item for item in reversed(self.items) if isinstance(item, ThoughtEvent))
        own = {"v", "seq", "time"}
        fields = {name: getattr(last, name) for name in last.__struct_fields__ if name not in own}
        return self.add(ThoughtEvent, **fields)

    def audit(self, of: int, verdict: str | None = None, **fields: object) -> "Journal":
        if verdict is not None:
            fields["review"] = {"overall": 50, "verdict": verdict}
        return self.add(AuditEvent, of=of, **fields)

    def asking(self, of: int, kind: str = "elicit", purpose: str = "limit", made: str | None = None) -> "Journal":
        """Add a question; one of a client's own tool is asked by the call that was ``made`` under this id."""
        return self.add(AskingEvent, of=of, purpose=purpose, kind=kind, call=made)

    def auditing(self, of: int, done: int = 0) -> "Journal":
        return self.add(AuditingEvent, of=of, done=done, steps=3, doing="asking a-model")

    def elicit(self, of: int, action: str | None, purpose: str = "limit", error: str | None = None) -> "Journal":
        return self.add(ElicitEvent, of=of, purpose=purpose, action=action, error=error)

    def sample(self, of: int, purpose: str = "next") -> "Journal":
        return self.add(SampleEvent, of=of, purpose=purpose)

    def context(self, of: int | None = None) -> "Journal":
        return self.add(ContextEvent, id="c", action="store", of=of)

    def note(self, of: int) -> "Journal":
        return self.add(NoteEvent, id="n", text="hello", of=of)

    def rejected(self, error: str = "no", agent: str | None = None, arguments: object = None) -> "Journal":
        return self.add(RejectedEvent, error=error, agent=agent, arguments=arguments)

    def agent(self, agent: str, **fields: object) -> "Journal":
        """Add an agent's description by its id."""
        return self.add(AgentEvent, id=agent, **fields)

    def prompt(self, text: str = "do it", agent: str | None = None) -> "Journal":
        return self.add(PromptEvent, text=text, agent=agent)

    def reason(self, text: str | None = "hm", agent: str | None = None, **fields: object) -> "Journal":
        return self.add(ReasoningEvent, text=text, agent=agent, **fields)

    def say(self, text: str = "so far so good", agent: str | None = None) -> "Journal":
        """Add what an agent said between two calls."""
        return self.add(RemarkEvent, text=text, agent=agent)

    def act(
        self,
        tool: str = "Read",
        agent: str | None = None,
        made: str | None = None,
        *,
        failed: bool = False,
        ended: str | None = None,
    ) -> "Journal":
        """Add a call of another tool, ``made`` under this id, or its end."""
        return self.add(ActionEvent, tool=tool, agent=agent, call=made, failed=failed, ended=ended)

    def answer(self, text: str | None = "done", agent: str | None = None, *, aborted: bool = False) -> "Journal":
        """End the agent's turn."""
        return self.add(TurnEvent, text=text, agent=agent, aborted=aborted)

    def compacted(self, agent: str | None = None, after: int | None = 100) -> "Journal":
        return self.add(CompactedEvent, agent=agent, tokensBefore=1000, tokensAfter=after)

    def used(
        self, tokens: int, window: int | None = None, agent: str | None = None, model: str | None = None
    ) -> "Journal":
        """Say how much of its context an agent uses."""
        return self.add(UsageEvent, tokens=tokens, window=window, agent=agent, model=model)

    def rewound(self, of: int, agent: str | None = None) -> "Journal":
        """Leave behind what the agent did since the line ``of``."""
        return self.add(RewoundEvent, of=of, agent=agent)

    def skipped(self, **fields: object) -> "Journal":
        """Say how many records of a transcript were left out so far."""
        return self.add(SkippedEvent, **fields)

    def unread(self) -> "Journal":
        self.seq += 1
        self.items.append(UnknownEvent(2, "future"))
        return self

    def corrupt(self) -> "Journal":
        self.seq += 1
        self.items.append(CORRUPT)
        return self

    @property
    def has_thoughts(self) -> bool:
        return any(isinstance(item, ThoughtEvent) for item in self.items)

    def turn_back(self) -> "Journal":
        """Set the wall clock back."""
        self.clock -= timedelta(seconds=10)
        return self

    def wait(self, seconds: int) -> "Journal":
        """Let time pass."""
        self.clock += timedelta(seconds=seconds)
        return self

    def add(self, model: type[Any], /, **fields: object) -> "Journal":
        """Add one event, with the next ``seq``, a second later."""
        self.seq += 1
        self.clock += timedelta(seconds=1)
        self.items.append(model(v=1, seq=self.seq, time=self.clock, **fields))
        return self


def folded(items: Iterable[Item], into: Fold | None = None) -> Fold:
    """Return a fold of all ``items``."""
    growing = into or Fold()
    for item in items:
        if isinstance(item, str):
            growing.skip_corrupt()
        else:
            growing.evolve(item)
    return growing


def texts(items: Sequence[Item], *, has_native: bool = False) -> list[str]:
    """Return the thoughts' texts, by index, those of native reasoning included if ``has_native``."""
    return [
        text_of(item) or ""
        for item in items
        if isinstance(item, ThoughtEvent) or (has_native and isinstance(item, NativeEvent) and is_row(item))
    ]


def is_row(event: NativeEvent) -> bool:
    """Whether an event is a row where native reasoning is shown: reasoning needs a text."""
    return not isinstance(event, ReasoningEvent) or bool(event.text)
