"""By what a call in a transcript and its line in one of our journals are known to be the same. Pure.

The client's id of the call decides, where the journal has it; of several calls with one id, the arguments. Without an
id, the arguments alone do: those of an accepted call after repair, so that ``"3"`` equals 3, and those of a refused one
as they were given.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from seqthink.core.arguments import InvalidArguments, accept
from seqthink.sources.transcripts.call_ids import is_unique
from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.tool_names import is_thinking_tool

MAX_REFUSED_BYTES: Final = 4096
"""How much of a refused call's arguments a journal keeps."""
_MAX_TEXT_BYTES: Final = 1 << 30
_FIELDS: Final = (
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
"""Equal for equal calls."""


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

    @property
    def is_call(self) -> bool:
        """Whether it is about a call of the thinking tool."""
        return self.kind == "thought" or (self.kind == "rejected" and not self.fields.get("tool"))

    @property
    def call_id(self) -> str | None:
        """The client's id of the call, if the journal has it."""
        call_id = self.fields.get("call") or self.fields.get("toolUseId")
        return call_id if isinstance(call_id, str) else None

    @property
    def has_unique_id(self) -> bool:
        """Whether its call is known by the client's id."""
        return self.call_id is not None and is_unique(self.call_id)


def keys_of_call(call: ToolCall) -> list[CallKey]:
    """Return the keys that the line of a call may have: by id and arguments, by arguments alone, by id alone."""
    accepted = _key_of_arguments(call.arguments)
    by_arguments = [*([] if accepted is None else [accepted]), _key_of_refused(call.arguments)]
    client_id = call.client_id or call.id
    return [*((client_id, *key) for key in by_arguments), *by_arguments, _key_of_id(client_id)]


def keys_of_line(line: JournalLine) -> list[CallKey]:
    """Return the keys of the call that a line is about, the best first; none for a line that is about no call."""
    if not line.is_call:
        return []
    key = _key_of_line_arguments(line)
    if line.call_id is None:
        return [key]
    # By its id alone, since a client may change the arguments before it sends them.
    by_id = [_key_of_id(line.call_id)] if is_unique(line.call_id) else []
    return [(line.call_id, *key), *by_id]


def _key_of_id(call_id: str) -> CallKey:
    return ("id", call_id)


def _key_of_line_arguments(line: JournalLine) -> CallKey:
    if line.kind == "thought":
        asked = line.fields.get("requestedTotal")
        return _key_of_fields(line.fields if asked is None else line.fields | {"totalThoughts": asked})
    arguments = line.fields.get("arguments")
    if line.fields.get("truncated") and isinstance(arguments, str):
        return ("cut", arguments)
    return _key_of_refused(arguments)


def _key_of_arguments(arguments: object) -> CallKey | None:
    accepted = accept(arguments, _MAX_TEXT_BYTES)
    return None if isinstance(accepted, InvalidArguments) else _key_of_fields(accepted.fields)


def _key_of_fields(fields: Mapping[str, Any]) -> CallKey:
    return ("accepted", *(fields.get(name) for name in _FIELDS))


def _key_of_refused(arguments: object) -> CallKey:
    try:
        text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > MAX_REFUSED_BYTES:
            return ("cut", data[:MAX_REFUSED_BYTES].decode("utf-8", "ignore"))
        return ("refused", json.dumps(arguments, sort_keys=True))
    except (TypeError, ValueError, RecursionError):
        return ("refused",)


class CallKeys:
    """By which calls a journal is known to belong to a transcript. Holds no text."""

    def __init__(self) -> None:
        self._times: dict[int, tuple[int, ...]] = {}
        self._ids: set[int] = set()

    def add(self, facts: Iterable[Fact]) -> None:
        """Add the calls of the thinking tool among these facts; one that is there already stays as it is."""
        for fact in facts:
            if isinstance(fact, ToolCall) and is_thinking_tool(fact.tool) and hash(fact.id) not in self._ids:
                self._ids.add(hash(fact.id))
                time = (fact.time,)
                for key in map(hash, keys_of_call(fact)):
                    self._times[key] = (*known, *time) if (known := self._times.get(key)) else time

    def holds(self, line: JournalLine) -> bool:
        """Return whether the transcript holds the call of a line."""
        return bool(self.times_of(keys_of_line(line)))

    def times_of(self, keys: Iterable[CallKey]) -> tuple[int, ...]:
        """Return when the calls were made that a line with these keys may be about; none if there is no such call."""
        return next((times for key in keys if (times := self._times.get(hash(key)))), ())
