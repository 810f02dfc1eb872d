"""Which question to the client is open while a journal is folded."""

from typing import Literal

from seqthink.events import AskingEvent, ElicitEvent, SampleEvent

Kind = Literal["elicit", "sample"]


class OpenQuestions:
    """Appends to ``changes`` after which line which question is the one to tell of, if any.

    That is the newest to the person, or else the newest to the model: only a person may not know that they are asked.
    """

    def __init__(self, changes: list[tuple[int, AskingEvent | None]]) -> None:
        self._changes = changes
        self._open: dict[Kind, dict[tuple[int, str], AskingEvent]] = {"elicit": {}, "sample": {}}

    def open(self, event: AskingEvent, entry: int) -> None:
        """Note that a question is put; one that is put once more is one question."""
        asked = self._open[event.kind]
        asked.pop((event.of, event.purpose), None)
        asked[event.of, event.purpose] = event
        self._note(entry)

    def close(self, event: SampleEvent | ElicitEvent, entry: int) -> None:
        """Note what came of a question."""
        kind = "elicit" if isinstance(event, ElicitEvent) else "sample"
        self._open[kind].pop((event.of, event.purpose), None)
        self._note(entry)

    def drop(self, entry: int) -> None:
        """Note that a server begins or ends: whoever asked does not wait any more."""
        for asked in self._open.values():
            asked.clear()
        self._note(entry)

    def _note(self, entry: int) -> None:
        newest = next((asked[next(reversed(asked))] for asked in self._open.values() if asked), None)
        if newest is not (self._changes[-1][1] if self._changes else None):
            self._changes.append((entry, newest))
