"""One session, one row: joins our own journals with the transcript that holds the same calls.

A journal holds what the transcript lacks (why a call was refused, notes, audits, what the user was asked), so its line
of a call leads. The transcript adds whose call it was, and everything that never came to our server. A call is the same
by the client's id of it, else by its arguments: equal ones in the order in which they came. Pure.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from seqthink.arguments import InvalidArguments, accept
from seqthink.transcripts.facts import Call, Fact, Result
from seqthink.transcripts.tool_names import is_thinking_tool
from seqthink.transcripts.translation import Draft, Translator

MAX_WAIT_MICROSECONDS: Final = 400_000
"""How long a line of a journal waits for its call to show up in the transcript: clients write with a delay."""
_MAX_KEY_BYTES: Final = 1 << 30
_KEY_FIELDS: Final = (
    "thought",
    "nextThoughtNeeded",
    "thoughtNumber",
    "totalThoughts",
    "isRevision",
    "revisesThought",
    "branchFromThought",
    "branchId",
    "needsMoreThoughts",
)

CallKey = tuple[object, ...]
"""Equal for equal arguments."""


class JournalLine(NamedTuple):
    """One event of one of our journals."""

    journal: int
    """Which of the session's journals, counted from 0."""
    seq: int
    """Its ``seq`` there."""
    time: int
    """When it was written, in microseconds since 1970 (UTC)."""
    kind: str
    """Its type."""
    fields: dict[str, Any]
    """Its other fields."""


def key_of_arguments(arguments: object) -> CallKey | None:
    """Return the key of a call by the arguments that a model gave, or None for a call that every server refuses."""
    accepted = accept(cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}, _MAX_KEY_BYTES)
    return None if isinstance(accepted, InvalidArguments) else _key(accepted.fields)


def key_of_line(line: JournalLine) -> CallKey | None:
    """Return the key of a call by its line in a journal; None for one whose arguments are no thought."""
    if line.kind == "thought":
        asked = line.fields.get("requestedTotal")
        return _key(line.fields if asked is None else line.fields | {"totalThoughts": asked})
    return None


def _key(fields: Mapping[str, Any]) -> CallKey:
    return tuple(fields.get(name) for name in _KEY_FIELDS)


class JoinedTranslation:
    """Translates a transcript together with the journals that hold the same calls.

    Args:
        translator: translates what only the transcript holds.
    """

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._waiting: list[deque[JournalLine]] = []
        self._new_seqs: list[dict[int, int]] = []
        self._is_agents_server: list[bool] = []
        self._calls: dict[str, Call] = {}
        self._calls_by_key: dict[CallKey, deque[Call]] = {}
        self._refusable: deque[Call] = deque()
        # Lines that were given out before their call showed up, by call id or key.
        self._early_lines: dict[object, deque[int]] = {}
        self._has_session = False
        self.is_misplaced = False
        """Whether a line was given out to the main agent though another agent called: translate anew to mend it."""

    @property
    def call_count(self) -> int:
        """How many calls of the thinking tool the transcript has named so far."""
        return len(self._calls)

    def add_journal(self) -> int:
        """Add a journal and return its number."""
        self._waiting.append(deque())
        self._new_seqs.append({})
        self._is_agents_server.append(False)
        return len(self._waiting) - 1

    def translate(
        self, facts: Sequence[Fact], lines: Iterable[JournalLine], now: int, *, at_end: bool = True
    ) -> list[Draft]:
        """Return the events of the next facts and of the next lines of journals.

        Args:
            facts: the next facts.
            lines: the next lines of the journals; they were read after the facts.
            now: the time in microseconds since 1970 (UTC); a line that waited for too long is given out.
            at_end: whether these are all facts that there are now; until then, every line waits for its call.
        """
        for line in lines:
            self._waiting[line.journal].append(line)
        for fact in facts:
            if isinstance(fact, Call) and is_thinking_tool(fact.tool):
                self._note_call(fact)
        latest = now - MAX_WAIT_MICROSECONDS if at_end else None
        drafts: list[Draft] = []
        for fact in facts:
            drafts += self._give_out(until=fact.time, latest=None)
            if isinstance(fact, Result):
                drafts += self._give_out_call(fact.id)
            drafts += self._translator.translate([fact])
        return drafts + self._give_out(until=None, latest=latest)

    def flush(self) -> list[Draft]:
        """Return all that still waits: nothing will be added any more."""
        drafts: list[Draft] = []
        for number, waiting in enumerate(self._waiting):
            while waiting:
                drafts += self._adopt(waiting.popleft(), number)
        return drafts + self._translator.flush()

    def _note_call(self, call: Call) -> None:
        if call.id in self._calls:
            return
        self._calls[call.id] = call
        key = key_of_arguments(call.arguments)
        early = self._early_lines.get(call.id) or self._early_lines.get(key)
        if early:
            self._translator.mark_known(call, early.popleft())
            self.is_misplaced = self.is_misplaced or call.agent is not None
            return
        if key is not None:
            self._calls_by_key.setdefault(key, deque()).append(call)
        else:
            self._refusable.append(call)

    # Lines of journals

    def _give_out(self, *, until: int | None, latest: int | None) -> list[Draft]:
        """Give out what waits at the head of each journal, as far as it need not wait for the transcript.

        Args:
            until: give out lines up to this time; None for all.
            latest: lines up to this time do not wait any more, though their calls are not known; None: all wait.
        """
        drafts: list[Draft] = []
        for number, waiting in enumerate(self._waiting):
            while waiting and (until is None or waiting[0].time <= until) and self._may_go(waiting[0], latest):
                drafts += self._adopt(waiting.popleft(), number)
        return drafts

    def _give_out_call(self, call_id: str) -> list[Draft]:
        """Give out what waits up to the line of a call that has ended: its line was there before its answer."""
        call = self._calls.get(call_id)
        if call is None:
            return []
        for number, waiting in enumerate(self._waiting):
            position = next((place for place, line in enumerate(waiting) if self._find(line) is call), None)
            if position is not None:
                return [draft for _ in range(position + 1) for draft in self._adopt(waiting.popleft(), number)]
        return []

    def _may_go(self, line: JournalLine, latest: int | None) -> bool:
        is_call = line.kind in {"thought", "rejected"}
        return not is_call or self._find(line) is not None or (latest is not None and line.time < latest)

    def _find(self, line: JournalLine) -> Call | None:
        """Return the call of the transcript that a line is about; None if there is none yet."""
        if line.kind not in {"thought", "rejected"}:
            return None
        call_id = line.fields.get("call") or line.fields.get("toolUseId")
        if isinstance(call_id, str):
            return self._calls.get(call_id)
        key = key_of_line(line)
        if key is not None:
            same = self._calls_by_key.get(key)
            return same[0] if same else None
        arguments = line.fields.get("arguments")
        return next((call for call in self._refusable if call.arguments == arguments), None)

    def _adopt(self, line: JournalLine, number: int) -> list[Draft]:
        fields = dict(line.fields)
        if line.kind == "session":
            return self._adopt_session(line, number)
        if line.kind == "agent":
            self._is_agents_server[number] = True
            return []  # the transcript says more of them
        if line.kind == "end" and self._is_agents_server[number]:
            return []
        of = fields.get("of")
        if isinstance(of, int):
            fields["of"] = self._new_seqs[number].get(of)
            if fields["of"] is None:
                return []
        call = self._find(line)
        if call is not None:
            self._forget(call)
        drafts, seq = self._translator.adopt(line.kind, line.time, fields, call)
        self._new_seqs[number][line.seq] = seq
        if call is None and line.kind in {"thought", "rejected"} and not fields.get("agent"):
            self._early_lines.setdefault(fields.get("call") or key_of_line(line), deque()).append(seq)
        return drafts

    def _adopt_session(self, line: JournalLine, number: int) -> list[Draft]:
        """The first server of the session describes it; each later one of the main agent resumed it."""
        following = self._waiting[number][0] if self._waiting[number] else None
        if following is not None and (following.kind == "agent" or following.fields.get("agent")):
            self._is_agents_server[number] = True
            return []
        is_resumed, self._has_session = self._has_session or bool(line.fields.get("resumed")), True
        return self._translator.adopt_session(line.time, line.fields, is_resumed=is_resumed)

    def _forget(self, call: Call) -> None:
        """A call was found: an equal one is another."""
        for calls in (self._calls_by_key.get(key_of_arguments(call.arguments) or (), deque[Call]()), self._refusable):
            if call in calls:
                calls.remove(call)


class CallKeys:
    """By which calls a journal is known to belong to a transcript."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._keys: set[CallKey] = set()

    def add(self, facts: Iterable[Fact]) -> None:
        """Add the calls of the thinking tool among these facts."""
        for fact in facts:
            if isinstance(fact, Call) and is_thinking_tool(fact.tool):
                self._ids.add(fact.id)
                key = key_of_arguments(fact.arguments)
                if key is not None:
                    self._keys.add(key)

    def holds(self, line: JournalLine) -> bool:
        """Return whether the transcript holds the call of a line."""
        call_id = line.fields.get("call") or line.fields.get("toolUseId")
        if isinstance(call_id, str):
            return call_id in self._ids
        return key_of_line(line) in self._keys
