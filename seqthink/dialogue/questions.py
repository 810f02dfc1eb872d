"""Sends questions to the client, each with a time limit, and journals when each was sent and how it ended."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Literal

import anyio
import mcp_types as types

from seqthink.core.events import CALL_CANCELLED
from seqthink.dialogue.channel import Channel, Outcome, Question
from seqthink.dialogue.errors import NoAnswerError

EventSink = Callable[[str, Mapping[str, Any]], object]
"""Receives an event: its type and its fields; a field that is ``None`` counts as absent."""

Kind = Literal["sample", "elicit"]
"""Whom a question goes to: the client's model, or its user."""


class QuestionSender:
    """Sends the questions of one tool call.

    Args:
        channel: the connection to the client.
        journal: receives the `asking`, `sample` and `elicit` events.
        of: the seq of the call's own event in the journal, to which those events refer.
        clock: returns seconds, for the durations in the journal.
    """

    def __init__(self, channel: Channel, journal: EventSink, of: int, clock: Callable[[], float]) -> None:
        self.channel = channel
        self.clock = clock
        self._journal = journal
        self._of = of
        self._use_numbers = count(1)

    def make_use_id(self, purpose: str) -> str:
        """Return an id for a tool use, unique in the session: histories of several calls may be joined."""
        return f"{purpose}-{self._of}-{next(self._use_numbers)}"

    async def send(self, questions: Mapping[str, Question], kind: Kind, seconds: float) -> Mapping[str, Outcome]:
        """Send ``questions`` (by purpose), and return the outcome of each after at most ``seconds``."""
        for purpose, question in questions.items():
            message = question.params.message if isinstance(question, types.ElicitRequest) else None
            self.write_asking(kind, purpose, message)
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
        """Journal that the call waits for an answer, to its own question or to that of another call."""
        self._journal("asking", {"of": self._of, "purpose": purpose, "kind": kind, "message": message})

    def write(self, kind: Kind, purpose: str, *, began: float | None = None, **fields: Any) -> None:  # noqa: ANN401 - any field of an event
        """Journal how a question ended; ``began`` is when it was sent, in seconds of the clock."""
        duration = None if began is None else max(0, round((self.clock() - began) * 1000))
        self._journal(kind, {"of": self._of, "purpose": purpose, **fields, "durationMs": duration})
