"""Which calls the tap takes for thoughts, and their arguments under the journal's names. Pure."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink.arguments import AcceptedThought, InvalidArguments, accept
from seqthink.server.tools.thinking_tool import FIELD_NAMES, TOOL_NAMES

_SNAKE_CASE_FIELDS: Final = {
    "thought_number": "thoughtNumber",
    "total_thoughts": "totalThoughts",
    "next_thought_needed": "nextThoughtNeeded",
    "is_revision": "isRevision",
    "revises_thought": "revisesThought",
    "branch_from_thought": "branchFromThought",
    "branch_id": "branchId",
    "needs_more_thoughts": "needsMoreThoughts",
}
"""How servers in Python spell the fields."""
_CAMEL_CASE_FIELDS: Final = frozenset(_SNAKE_CASE_FIELDS.values())
_REQUIRED_FIELDS: Final = frozenset({"thought", "thoughtNumber", "totalThoughts", "nextThoughtNeeded"})
_MAX_TEXT_BYTES: Final = 16 << 20
"""More than a line that is read can hold."""


class WatchedTools(NamedTuple):
    """The names of the tools whose calls are thoughts, and how they spell the fields."""

    names: frozenset[str] = TOOL_NAMES
    fields: Mapping[str, str] = {}
    """Names of fields in the journal by the names that the tools give them."""

    def thought_in(self, arguments: object) -> AcceptedThought | InvalidArguments:
        """Return the thought that a server accepted with ``arguments``, or why no event can hold it.

        An optional field whose value no event can hold is left out, and counted among the repaired ones.
        """
        if not isinstance(arguments, Mapping):
            return InvalidArguments({"arguments": "must be an object"})
        named = self._renamed(arguments)  # pyright: ignore[reportUnknownArgumentType] - keys of JSON are strings
        thought = accept(named, _MAX_TEXT_BYTES)
        if isinstance(thought, AcceptedThought) or not _REQUIRED_FIELDS.isdisjoint(thought.problems):
            return thought
        kept = accept({name: value for name, value in named.items() if name not in thought.problems}, _MAX_TEXT_BYTES)
        return kept if isinstance(kept, InvalidArguments) else kept._replace(coerced=(*kept.coerced, *thought.problems))

    def _renamed(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a thought by their names in the journal.

        Names in snake case count where the arguments have none in camel case.
        """
        named = {name: value for name, value in arguments.items() if name in FIELD_NAMES}
        spelling = self.fields
        if _CAMEL_CASE_FIELDS.isdisjoint(named):
            spelling = _SNAKE_CASE_FIELDS | dict(self.fields)
        return named | {ours: arguments[theirs] for theirs, ours in spelling.items() if theirs in arguments}
