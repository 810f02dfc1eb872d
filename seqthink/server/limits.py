"""How long a chain may become before somebody has to say that it goes on (`--max-thoughts`). Pure, standard library."""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink.server.chains import Chains

_MOST_PAST: Final = 1024
"""So many thoughts may come between a question to the person and its answer."""


class LimitsMark(NamedTuple):
    """A moment to return to."""

    chains: Chains
    allowed: int
    is_refused: bool
    chain: int


class Limits:
    """Counts the thoughts of an agent's chain against the ``most`` that it may have; 0: there is no limit."""

    def __init__(self, most: int, who: str = "The agent") -> None:
        self.most = most
        self.who = who
        self._chains = Chains()
        self._allowed = most
        self.is_refused = False
        self.chain = 0
        """How many chains there were: whoever waits for the person knows by it whether their chain goes on."""
        # Of the newest chain, when it was read from a journal: where the thoughts stand that may have been asked about.
        self._past: deque[int] = deque(maxlen=_MOST_PAST)

    def is_over(self, thought: Mapping[str, Any]) -> bool:
        """Take in an accepted thought, and return whether no other should follow it."""
        if not self.most:
            return False
        if self._chains.add(thought) == 1:
            self._allowed, self.is_refused = self.most, False
            self.chain += 1
            self._past.clear()
        is_over = bool(thought["nextThoughtNeeded"]) and self._chains.length > self._allowed
        if is_over and "seq" in thought:
            self._past.append(thought["seq"])
        return is_over

    def may_ask(self, more: int = 0) -> bool:
        """Return whether somebody can still be asked, should the chain be over its limit after ``more`` thoughts."""
        return bool(self.most) and not self.is_refused and self._chains.length + more > self.most

    def allow(self) -> None:
        """The person lets the chain go on for as many thoughts again."""
        self._allowed = self._chains.length + self.most

    def refuse(self) -> None:
        """The person wants the chain to end: they are not asked again."""
        self.is_refused = True

    def recall(self, event: Mapping[str, Any]) -> None:
        """Take in what the person said of the newest chain, from the journal that is gone on in."""
        if event.get("purpose") == "limit" and event["of"] in self._past:
            if event.get("action") == "accept":
                self.allow()
            elif event.get("action") == "decline":
                self.refuse()

    def mark(self) -> LimitsMark:
        """Return this moment."""
        # Without a limit nothing is counted, so there is nothing to copy at each call.
        return LimitsMark(
            self._chains.copy() if self.most else self._chains, self._allowed, self.is_refused, self.chain
        )

    def return_to(self, mark: LimitsMark) -> None:
        """Forget what was taken in since ``mark``."""
        chains, self._allowed, self.is_refused, self.chain = mark
        self._chains = chains.copy() if self.most else chains

    @property
    def thoughts(self) -> str:
        """How many thoughts a chain may have, in words."""
        return f"{self.most} thought{'' if self.most == 1 else 's'}"

    @property
    def reached(self) -> str:
        """What a model is told when nobody can be asked."""
        return f"Stop here and conclude with what you have: the limit of {self.thoughts} is reached."

    @property
    def refused(self) -> str:
        """What a model is told when the person said no."""
        return f"Stop here and conclude with what you have: the user does not want more than {self.thoughts}."
