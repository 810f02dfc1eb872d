"""What a journal says about an earlier import of a transcript, so that the next one adds only what is new.

Pure: the events of a journal in, the state in which their translation ended out. docs/sources.md, "Import".
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from seqthink.core.events import CALL_UNANSWERED, Program
from seqthink.core.times import microseconds_of
from seqthink.sources.transcripts.facts import AgentStarted, ContextUsed, ToolCall

FactKey = tuple[str, str]
"""The type and the id of a fact: what it is known by."""

_FACT_OF_EVENT = {
    "prompt": "Prompt",
    "reasoning": "Reasoning",
    "remark": "Remark",
    "turn": "TurnEnded",
    "compacted": "Compacted",
    "rewound": "Rewound",
}
_TURNS = frozenset({"prompt", "turn"})
_ROWS = frozenset({"thought", "prompt", "reasoning", "remark", "turn"})


MAX_GIVEN_UP_CALLS = 1000
"""How many calls are remembered that were given up, the newest."""


def remember_given_up(calls: dict[str, ToolCall], call: ToolCall) -> None:
    """Add a call to those that were given up, whose answers may come yet."""
    calls[call.id] = call
    if len(calls) > MAX_GIVEN_UP_CALLS:
        del calls[next(iter(calls))]


class EarlierTranslation:
    """The state in which the translation ended that a journal holds. Give it the journal's events in order."""

    def __init__(self) -> None:
        self.seqs: dict[FactKey, int] = {}
        """The facts that the journal holds, each with the ``seq`` of its event."""
        self.is_begun = False
        """Whether there is a `session` event."""
        self.title: str | None = None
        self.cwd: str | None = None
        self.repository: str | None = None
        self.worktree: str | None = None
        self.branch: str | None = None
        self.remote: str | None = None
        self.client_version: str | None = None
        self.source_ids: list[str] = []
        """The client's ids of the session and its forks, as far as they were known."""
        self.resumed_times: set[int] = set()
        """When the session was resumed, in microseconds since 1970."""
        self.agents: dict[str, AgentStarted] = {}
        self.agent_rows: dict[str, int] = {}
        """The ``seq`` of the row that each agent leaves from."""
        self.newest_rows: dict[str | None, int] = {}
        """The ``seq`` of each agent's newest row."""
        self.caller_rows: dict[str, int] = {}
        """The ``seq`` of the newest row before each call of a tool."""
        self.open_calls: dict[str, ToolCall] = {}
        """The calls of other tools that have not ended, in the turns that have not."""
        self.given_up: dict[str, ToolCall] = {}
        """The calls of other tools that were given up, whose answers may come yet: the newest."""
        self.skipped: dict[str, dict[str, int]] = {}
        """How many records of each transcript were left out, as `ReadCounts.skipped` has them."""
        self._newest_time: datetime | None = None
        self.reached: dict[str | None, int] = {}
        """By agent: the words that were said before this time are in the journal, or it is of an older version."""
        self.context: dict[str | None, ContextUsed | None] = {}
        """By agent: the newest use of its context; None after a compaction or a rewind."""
        self.context_reached: dict[str | None, int] = {}
        """By agent: the time of that use, in microseconds since 1970; what was used until then is in the journal."""
        self._takers: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "session": self._take_session,
            "agent": self._take_agent,
            "thought": self._take_call,
            "rejected": self._take_call,
            "action": self._take_action,
            "asking": self._take_asking,
            "skipped": self._take_skipped,
            "usage": self._take_usage,
        }

    @property
    def newest_time(self) -> int:
        """The time of the newest event, in microseconds since 1970."""
        return microseconds_of(self._newest_time) if self._newest_time else 0

    def take(self, event: Mapping[str, Any]) -> None:
        """Take in the fields of the journal's next event, its ``type`` among them."""
        kind = str(event["type"])
        self._newest_time = event["time"]
        if kind in _FACT_OF_EVENT:
            self._note_seq((_FACT_OF_EVENT[kind], event.get("id")), event)
        elif kind in self._takers:
            self._takers[kind](event)
        if kind in _ROWS or kind == "action":
            # Words of the time of an answer are the answer.
            self.reached[event.get("agent")] = microseconds_of(event["time"]) + (kind == "turn")
        if kind in {"compacted", "rewound"}:
            self.context[event.get("agent")] = None
        if kind in _ROWS:
            self.newest_rows[event.get("agent")] = event["seq"]
        if kind in _TURNS:
            # Older journals name no ends of calls: those of an earlier turn are not open for ever.
            self.open_calls = {key: call for key, call in self.open_calls.items() if call.agent != event.get("agent")}

    def _take_session(self, event: Mapping[str, Any]) -> None:
        self.is_begun = True
        self.title = event.get("title") or self.title
        self.cwd = event.get("cwd") or self.cwd
        self.repository = event.get("repository") or self.repository
        self.worktree = (event.get("worktree") or "") if self.repository else None
        self.branch = event.get("branch") or ("" if self.branch else None)
        self.remote = event.get("remote") or self.remote
        client = event.get("client")
        if isinstance(client, Program):
            self.client_version = client.version or self.client_version
        self.source_ids += [one for one in event.get("sourceIds") or () if one not in self.source_ids]
        if event.get("resumed"):
            self.resumed_times.add(microseconds_of(event["time"]))

    def _take_agent(self, event: Mapping[str, Any]) -> None:
        agent = event["id"]
        self.agents[agent] = AgentStarted(
            id=agent,
            time=microseconds_of(event["time"]),
            agent=event.get("parent"),
            name=None if event.get("fork") else event.get("name"),
            call=event.get("call"),
            model=event.get("model"),
        )
        if event.get("of"):
            self.agent_rows[agent] = event["of"]

    def _take_call(self, event: Mapping[str, Any]) -> None:
        self._note_seq(("ToolCall", event.get("call")), event)

    def _take_action(self, event: Mapping[str, Any]) -> None:
        call, agent = event.get("call"), event.get("agent")
        if not call:
            return
        begun = ToolCall(id=call, time=microseconds_of(event["time"]), agent=agent, tool=event["tool"])
        if event.get("failed") or event.get("ended"):
            self.open_calls.pop(call, None)
            self.given_up.pop(call, None)
            if event.get("ended") == CALL_UNANSWERED:
                remember_given_up(self.given_up, begun)
            return
        self._take_call(event)
        self.open_calls[call] = begun
        if agent in self.newest_rows:
            self.caller_rows[call] = self.newest_rows[agent]

    def _take_asking(self, event: Mapping[str, Any]) -> None:
        asking = self.open_calls.get(event.get("call") or "")
        if asking is not None:
            self.open_calls[asking.id] = replace(asking, question=event.get("message") or asking.tool)

    def _take_skipped(self, event: Mapping[str, Any]) -> None:
        numbers = {name: event.get(name) or 0 for name in ("unknown", "corrupt", "tooLong")}
        self.skipped[event.get("id") or ""] = {name: number for name, number in numbers.items() if number}

    def _take_usage(self, event: Mapping[str, Any]) -> None:
        agent, time = event.get("agent"), microseconds_of(event["time"])
        self.context_reached[agent] = time
        self.context[agent] = ContextUsed(
            id="",
            time=time,
            agent=agent,
            tokens=event["tokens"],
            window=event.get("window"),
            model=event.get("model"),
        )

    def _note_seq(self, key: tuple[str, str | None], event: Mapping[str, Any]) -> None:
        kind, identifier = key
        if identifier:
            self.seqs.setdefault((kind, identifier), event["seq"])
