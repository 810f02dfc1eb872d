"""Where a turn of one agent ends, from records of every version.

A message that ends its turn says so (``stop_reason``). Older versions leave that empty: there a turn ends with the last
text before the next prompt, or where the client says how long the turn took.
"""

from typing import NamedTuple

from seqthink.transcripts.facts import TurnEnded

_ENDING_REASONS = frozenset(("end_turn", "stop_sequence", "refusal"))


class _Answer(NamedTuple):
    id: str
    time: int
    text: str
    """What was said; of the last text empty, as it is put together at the end."""
    uuid: str | None


class Turns:
    """Follows the turns of one agent."""

    def __init__(self, agent: str | None) -> None:
        self._agent = agent
        self.number = 0
        """How many turns have begun; a prompt in the middle of one begins none."""
        self._is_open = False
        # The last text, while no call followed it, and the texts of its message.
        self._answer: _Answer | None = None
        self._texts: list[str] = []
        # How many answers of that message were told: what it says after that is another one.
        self._told = 0
        # A message that ends its turn, and of which only reasoning has come so far.
        self._silent: _Answer | None = None

    def begun(self) -> list[TurnEnded]:
        """A prompt begins a turn; return the end of the one before, if it was not told yet."""
        ended, self._answer = self.settle(), None
        self.number += not self._is_open
        self._is_open = True
        return ended

    def next_record(self, message: str | None) -> list[TurnEnded]:
        """A record follows, of this message if of any; return the end that is certain now."""
        if self._silent is None or self._silent.id == message:
            return []
        return self._end(self._silent)

    def reasoned(self, message: str, time: int, stop_reason: str | None) -> None:
        """The agent reasoned in this message."""
        self._is_open = True
        self._answer = None
        if stop_reason in _ENDING_REASONS:
            self._silent = _Answer(message, time, "", None)

    def called(self) -> None:
        """The agent called a tool: what it said before was no answer."""
        self._is_open = True
        self._answer = self._silent = None

    def said(self, message: str, time: int, text: str, uuid: str | None, stop_reason: str | None) -> list[TurnEnded]:
        """The agent said something; return the end of its turn if this is the end."""
        self._take(message, text)
        self._answer = _Answer(message, time, "", uuid)
        if stop_reason not in _ENDING_REASONS:
            return []
        return self._end(self._answer, is_aborted=stop_reason == "refusal")

    def _take(self, message: str, text: str) -> None:
        if self._answer is None or self._answer.id != message:
            self._is_open, self._texts, self._told = True, [text], 0
        elif _end_with(self._texts, text):
            return
        elif self._is_open:
            self._texts.append(text)
        else:
            self._is_open, self._texts = True, [text]

    def timed(self, record: str, time: int) -> list[TurnEnded]:
        """The client says that the turn took so long."""
        return self._end(self._answer or _Answer(record, time, "", None))

    def left_at(self, uuid: str) -> list[TurnEnded]:
        """The client says that this record is the last one; return the end of the turn if it is an answer."""
        if self._answer is None or self._answer.uuid != uuid:
            return []
        return self._end(self._answer)

    def settle(self) -> list[TurnEnded]:
        """Nothing more comes; return the end of the turn if it ends with an answer."""
        last = self._silent or self._answer
        return self._end(last) if last else []

    def broken(self, record: str, time: int, text: str) -> list[TurnEnded]:
        """The user interrupted the turn, or an error ended it."""
        return self._end(_Answer(record, time, text, None), is_aborted=True)

    def _end(self, answer: _Answer, *, is_aborted: bool = False) -> list[TurnEnded]:
        was_open, silent = self._is_open, self._silent
        self._is_open = False
        self._silent = None
        if not was_open:
            return []
        text, ended = answer.text, answer.id
        if answer is self._answer:
            text = "\n\n".join(self._texts)
            ended, self._told = (f"{ended}+{self._told}" if self._told else ended), self._told + 1
        elif answer is silent:
            ended = f"{ended}:silent"  # it may still say something
        return [TurnEnded(id=ended, time=answer.time, agent=self._agent, text=text, is_aborted=is_aborted)]


def _end_with(texts: list[str], text: str) -> bool:
    """Return whether texts, put together, end with one; only so many of them are looked at as are as long."""
    last: list[str] = []
    chars = -2
    for each in reversed(texts):
        last.append(each)
        chars += len(each) + 2
        if chars >= len(text):
            break
    return "\n\n".join(reversed(last)).endswith(text)
