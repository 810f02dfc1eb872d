"""Names for the agents of one session: no two are alike, so that their lanes can be told apart."""

from collections.abc import Mapping


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
