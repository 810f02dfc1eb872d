"""Names for the agents of one session: no two are alike, so their lanes can be distinguished."""

from collections.abc import Mapping
from typing import Final

from seqthink.core.text import first_line

_MAX_TASK_CHARS: Final = 200
_MAX_PROMPT_CHARS: Final = 80


class LaneNames:
    """Gives a number to each agent whose name another one has already: ``explorer``, ``explorer 2``.

    Args:
        known: the names that agents have already, by the agents' ids.
    """

    def __init__(self, known: Mapping[str, str | None]) -> None:
        self._owners: dict[str, str] = {}
        self._given: dict[tuple[str, str], str] = {}
        self._last_numbers: dict[str, int] = {}
        for agent, name in known.items():
            if name is not None:
                own, _, number = name.rpartition(" ")
                self._owners[name] = agent
                self._given[agent, name] = name
                if number.isdecimal():
                    self._given[agent, own] = name

    def of(self, agent: str, name: str) -> str:
        """Return the name of an agent that calls itself ``name``: the same whenever it is asked for."""
        known = self._given.get((agent, name))
        if known is not None:
            return known
        number = self._last_numbers.get(name, 0) + 1
        given = name if number == 1 else f"{name} {number}"
        while self._owners.setdefault(given, agent) != agent:
            number += 1
            given = f"{name} {number}"
        self._last_numbers[name] = number
        self._given[agent, name] = given
        return given


def task_name(kind: str, task: str = "", prompt: str = "") -> str | None:
    """Return what a subagent is called: its task in its caller's words, else how its prompt begins, else its type.

    The type ("general-purpose") is left out where a task is known: it is the same for most, and takes the room.
    """
    named = " ".join(task.split())[:_MAX_TASK_CHARS]
    return named or _cut_at_word(first_line(prompt)) or " ".join(kind.split())[:_MAX_TASK_CHARS] or None


def _cut_at_word(line: str) -> str:
    if len(line) <= _MAX_PROMPT_CHARS:
        return line
    head = line[: _MAX_PROMPT_CHARS - 1]
    return (head.rpartition(" ")[0] or head).rstrip(" ,;:.-") + "…"
