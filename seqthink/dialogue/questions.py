"""Sends questions to the client, each with a time limit, and journals when each was sent and how it ended."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Literal

import anyio
import mcp_types as types

from seqthink.dialogue.channel import Channel, Outcome, Question
from seqthink.dialogue.errors import NoAnswerError
from seqthink.events import CALL_CANCELLED

EventSink = Callable[[str, Mapping[str, Any]], object]
"""Takes an event for the record: its type and its fields, of which those that are ``None`` are absent."""

Kind = Literal["sample", "elicit"]
"""Whom a question goes to: the client's model, or its user."""


class QuestionSender:
    """Sends the questions of one tool call.

    Args:
        channel: the way to the client.
        journal: takes the `asking`, `sample` and `elicit` events.
        of: the seq of the call's own event in the journal, to which those events refer.
        clock: gives seconds, for the durations in the journal.
    """

    def __init__(self, channel: Channel, journal: EventSink, of: int, clock: Callable[[], float]) -> None:
        self.channel = channel
        self.clock = clock
        self._journal = journal
        self._of = of
        self._used = count(1)

    def use_id(self, purpose: str) -> str:
        """Return an id for a tool use that is unique in the session: histories of several calls may be joined."""
        return f"{purpose}-{self._of}-{next(self._used)}"

    async def send(self, questions: Mapping[str, Question], kind: Kind, seconds: float) -> Mapping[str, Outcome]:
        """Send ``questions``, whose keys are their purposes, and return how each ended within ``seconds``."""
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
        """Journal that the call waits for an answer, to a question of its own or of another call."""
        self._journal("asking", {"of": self._of, "purpose": purpose, "kind": kind, "message": message})

    def write(self, kind: Kind, purpose: str, *, began: float | None = None, **fields: Any) -> None:  # noqa: ANN401 - any field of an event
        """Journal how a question ended that was sent when the clock showed ``began`` (seconds)."""
        duration = None if began is None else max(0, round((self.clock() - began) * 1000))
        self._journal(kind, {"of": self._of, "purpose": purpose, **fields, "durationMs": duration})
