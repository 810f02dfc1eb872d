"""How long a chain may become before somebody has to say that it goes on (`--max-thoughts`). Pure, standard library."""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink.server.chain_counter import ChainCounter

_MOST_PAST: Final = 1024
"""So many thoughts may come between a question to the person and its answer."""


class ChainLimitCheckpoint(NamedTuple):
    """A moment to return to."""

    counter: ChainCounter
    allowed_thoughts: int
    is_refused: bool
    chain_number: int


class ChainLimit:
    """Counts the thoughts of an agent's chain against the ``most`` that it may have; 0: there is no limit."""

    def __init__(self, max_thoughts: int, agent_label: str = "The agent") -> None:
        self.max_thoughts = max_thoughts
        self.agent_label = agent_label
        self._chains = ChainCounter()
        self._allowed = max_thoughts
        self.is_refused = False
        self.chain_number = 0
        """How many chains there were: whoever waits for the person knows by it whether their chain goes on."""
        # Of the newest chain, when it was read from a journal: where the thoughts stand that may have been asked about.
        self._past: deque[int] = deque(maxlen=_MOST_PAST)

    def add(self, thought: Mapping[str, Any]) -> bool:
        """Take in an accepted thought, and return whether no other should follow it."""
        if not self.max_thoughts:
            return False
        if self._chains.add(thought) == 1:
            self._allowed, self.is_refused = self.max_thoughts, False
            self.chain_number += 1
            self._past.clear()
        is_over = bool(thought["nextThoughtNeeded"]) and self._chains.length > self._allowed
        if is_over and "seq" in thought:
            self._past.append(thought["seq"])
        return is_over

    def may_ask_user(self, more: int = 0) -> bool:
        """Return whether somebody can still be asked, should the chain be over its limit after ``more`` thoughts."""
        return bool(self.max_thoughts) and not self.is_refused and self._chains.length + more > self.max_thoughts

    def allow(self) -> None:
        """The person lets the chain go on for as many thoughts again."""
        self._allowed = self._chains.length + self.max_thoughts

    def refuse(self) -> None:
        """The person wants the chain to end: they are not asked again."""
        self.is_refused = True

    def restore(self, event: Mapping[str, Any]) -> None:
        """Take in what the person said of the newest chain, from the journal that is gone on in."""
        if event.get("purpose") == "limit" and event["of"] in self._past:
            if event.get("action") == "accept":
                self.allow()
            elif event.get("action") == "decline":
                self.refuse()

    def checkpoint(self) -> ChainLimitCheckpoint:
        """Return this moment."""
        # Without a limit nothing is counted, so there is nothing to copy at each call.
        return ChainLimitCheckpoint(
            self._chains.copy() if self.max_thoughts else self._chains,
            self._allowed,
            self.is_refused,
            self.chain_number,
        )

    def roll_back(self, mark: ChainLimitCheckpoint) -> None:
        """Forget what was taken in since ``mark``."""
        chains, self._allowed, self.is_refused, self.chain_number = mark
        self._chains = chains.copy() if self.max_thoughts else chains

    @property
    def limit_text(self) -> str:
        """How many thoughts a chain may have, in words."""
        return f"{self.max_thoughts} thought{'' if self.max_thoughts == 1 else 's'}"

    @property
    def reached_message(self) -> str:
        """What a model is told when nobody can be asked."""
        return f"Stop here and conclude with what you have: the limit of {self.limit_text} is reached."

    @property
    def refused_message(self) -> str:
        """What a model is told when the person said no."""
        return f"Stop here and conclude with what you have: the user does not want more than {self.limit_text}."
