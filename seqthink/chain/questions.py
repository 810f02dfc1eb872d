"""Which question to the client is open while a journal is folded, and which thoughts wait for what comes of one."""

from array import array
from collections import defaultdict
from typing import Literal

from seqthink.events import CALL_CANCELLED, CLIENT_LEFT, AskingEvent, ElicitEvent, SampleEvent

QuestionKind = Literal["elicit", "sample"]
LIMIT_PURPOSE = "limit"
"""The purpose of the question whether another thought may follow."""


class OpenQuestions:
    """Appends to ``changes`` after which line which question is the one to tell of, if any.

    That is the newest to the person, or else the newest to the model: only a person may not know that they are asked.
    ``undecided`` gets, for each thought, the lines from which on, and up to which, nobody has said if another may
    follow: it was journaled with the answer that stands if nobody does.
    """

    def __init__(
        self, changes: list[tuple[int, AskingEvent | None]], undecided: "defaultdict[int, array[int]]"
    ) -> None:
        self._changes = changes
        self._undecided = undecided
        self._open: dict[QuestionKind, dict[tuple[int, str], AskingEvent]] = {"elicit": {}, "sample": {}}

    def open(self, event: AskingEvent, entry: int) -> None:
        """Note that a question is put; one that is put once more is one question."""
        asked = self._open[event.kind]
        asked.pop((event.of, event.purpose), None)
        asked[event.of, event.purpose] = event
        if event.kind == "elicit" and event.purpose == LIMIT_PURPOSE and event.of < event.seq:
            self._toggle_undecided(event.of, entry, is_decided=False)
        self._record_change(entry)

    def close(self, event: SampleEvent | ElicitEvent, entry: int) -> None:
        """Note what came of a question."""
        kind = "elicit" if isinstance(event, ElicitEvent) else "sample"
        self._open[kind].pop((event.of, event.purpose), None)
        if isinstance(event, ElicitEvent) and event.purpose == LIMIT_PURPOSE and was_answered(event):
            self._toggle_undecided(event.of, entry, is_decided=True)
        self._record_change(entry)

    def clear(self, entry: int) -> None:
        """Note that a server begins or ends: whoever asked does not wait any more."""
        for asked in self._open.values():
            asked.clear()
        self._record_change(entry)

    def _toggle_undecided(self, seq: int, entry: int, *, is_decided: bool) -> None:
        turns = self._undecided[seq]
        if len(turns) % 2 == is_decided:
            turns.append(entry)

    def _record_change(self, entry: int) -> None:
        newest = next((asked[next(reversed(asked))] for asked in self._open.values() if asked), None)
        if newest is not (self._changes[-1][1] if self._changes else None):
            self._changes.append((entry, newest))


def was_answered(event: ElicitEvent) -> bool:
    """Return whether the call that asked was answered after this: not when its client had left it."""
    return event.action is not None or event.error not in {CLIENT_LEFT, CALL_CANCELLED}
