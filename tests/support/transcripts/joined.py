"""A transcript's facts and our journals' lines of the same session, and the translation that joins them."""

from collections.abc import Sequence
from typing import Any

from seqthink.sources.transcripts.call_keys import JournalLine
from seqthink.sources.transcripts.facts import Fact, Prompt, Result, ToolCall
from seqthink.sources.transcripts.joining import MAX_WAIT_MICROSECONDS, JoinedTranslation
from seqthink.sources.transcripts.translation import Draft, SessionNames, Translator

NAMES = SessionNames("gemini-s1", "gemini", "s1", "Gemini CLI")
LATE = 10 * MAX_WAIT_MICROSECONDS
UNIQUE = "toolu_01T3xUniqueId9"


def thought(text: str = "x", number: object = 1) -> dict[str, Any]:
    return {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": 3}


def call(
    call_id: str, arguments: object, *, time: int, agent: str | None = None, client_id: str | None = None
) -> ToolCall:
    tool = "sequentialthinking"
    return ToolCall(id=call_id, client_id=client_id, time=time, agent=agent, tool=tool, arguments=arguments)


def result(call_id: str, *, time: int, agent: str | None = None, is_error: bool = False) -> Result:
    return Result(id=call_id, time=time, agent=agent, is_error=is_error, error="refused" if is_error else "")


def prompt(identifier: str, *, time: int, agent: str | None = None) -> Prompt:
    return Prompt(id=identifier, time=time, agent=agent, text="Why?")


class Journal:
    """One of our journals: its lines, in order."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.lines: list[JournalLine] = []

    def add(self, kind: str, time: int, /, **fields: object) -> int:
        """Add a line and return its ``seq``."""
        seq = len(self.lines) + 1
        self.lines.append(JournalLine(self.number, seq, time, kind, fields))
        return seq

    def think(self, arguments: dict[str, Any], time: int, **fields: object) -> int:
        return self.add("thought", time, **arguments, **fields)


class Joined:
    """A translation with some journals, and what it gave out."""

    def __init__(self, journals: int = 1) -> None:
        self.joined = JoinedTranslation(Translator(NAMES))
        for _ in range(journals):
            self.joined.add_journal()
        self.drafts: list[Draft] = []

    def take(
        self, facts: Sequence[Fact] = (), lines: Sequence[JournalLine] = (), *, now: int = 0, at_end: bool = True
    ) -> "Joined":
        self.drafts += self.joined.translate(facts, lines, now, at_end=at_end)
        return self

    def flush(self) -> "Joined":
        self.drafts += self.joined.flush()
        return self

    def fields(self, kind: str) -> list[dict[str, Any]]:
        return [draft.fields for draft in self.drafts if draft.kind == kind]

    @property
    def kinds(self) -> list[str]:
        return [draft.kind for draft in self.drafts]
