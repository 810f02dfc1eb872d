"""Which calls the tap takes for thoughts, and their arguments under the journal's names. Pure."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink.core.arguments import CAMEL_CASE_NAMES, AcceptedThought, InvalidArguments, accept, read_arguments
from seqthink.server.tools.thinking_tool import FIELD_NAMES, TOOL_NAMES

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
        given = read_arguments(arguments)
        if isinstance(given, InvalidArguments):
            return given
        named = self._named(given.fields)
        thought = accept(named, _MAX_TEXT_BYTES)
        if isinstance(thought, InvalidArguments) and _REQUIRED_FIELDS.isdisjoint(thought.problems):
            left_out = thought.problems
            kept = {name: value for name, value in named.items() if CAMEL_CASE_NAMES.get(name, name) not in left_out}
            thought = accept(kept, _MAX_TEXT_BYTES)
            if isinstance(thought, AcceptedThought):
                thought = thought._replace(coerced=(*thought.coerced, *left_out))
        if isinstance(thought, AcceptedThought) and given.is_from_text:
            return thought._replace(coerced=("arguments", *thought.coerced))
        return thought

    def _named(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a thought by the names that `accept` reads.

        Where none is named in camel case, the server spells them in snake case, so that nothing has to be repaired.
        """
        named = {name: arguments[name] for name in arguments if name in FIELD_NAMES or name in CAMEL_CASE_NAMES}
        if named.keys().isdisjoint(CAMEL_CASE_NAMES.values()):
            named = {CAMEL_CASE_NAMES.get(name, name): value for name, value in named.items()}
        return named | {ours: arguments[theirs] for theirs, ours in self.fields.items() if theirs in arguments}
