"""Puts questions to the client: each has a time limit, and is journaled when it is put and when it has ended."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Literal

import anyio
import mcp_types as types

from seqthink.dialogue.channel import Channel, Outcome, Question
from seqthink.dialogue.errors import NoAnswerError
from seqthink.events import CALL_CANCELLED

Journal = Callable[[str, Mapping[str, Any]], None]
"""Appends an event: its type and its fields; one that is ``None`` is left out."""

Kind = Literal["sample", "elicit"]


class Asker:
    """Asks on behalf of the call whose event is ``of``; ``clock`` gives seconds."""

    def __init__(self, channel: Channel, journal: Journal, of: int, clock: Callable[[], float]) -> None:
        self.channel = channel
        self.clock = clock
        self._journal = journal
        self._of = of
        self._used = count(1)

    def use_id(self, purpose: str) -> str:
        """Return an id that no other use of a tool has: histories of several calls may be joined."""
        return f"{purpose}-{self._of}-{next(self._used)}"

    async def put(self, questions: Mapping[str, Question], kind: Kind, seconds: float) -> Mapping[str, Outcome]:
        """Put ``questions``, whose keys are their purposes, and return what came of each within ``seconds``."""
        for purpose, question in questions.items():
            told = question.params.message if isinstance(question, types.ElicitRequest) else None
            self.write_asking(kind, purpose, told)
        outcomes: dict[str, Outcome] = {}
        try:
            with anyio.move_on_after(seconds):
                await self.channel.ask(questions, outcomes)
        except anyio.get_cancelled_exc_class():
            for purpose in questions:
                self.write(kind, purpose, error=CALL_CANCELLED)
            raise
        return {purpose: outcomes.get(purpose, NoAnswerError(seconds)) for purpose in questions}

    def write_asking(self, kind: Kind, purpose: str, message: str | None) -> None:
        """Journal that a question is open on which the call waits, its own or another call's."""
        self._journal("asking", {"of": self._of, "purpose": purpose, "kind": kind, "message": message})

    def write(self, kind: Kind, purpose: str, *, began: float | None = None, **fields: Any) -> None:  # noqa: ANN401 - any field of an event
        """Journal what came of a question that was put when the clock showed ``began``."""
        took = None if began is None else max(0, round((self.clock() - began) * 1000))
        self._journal(kind, {"of": self._of, "purpose": purpose, **fields, "durationMs": took})
