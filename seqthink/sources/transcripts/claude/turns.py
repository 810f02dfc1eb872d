"""Where a turn of one agent ends, and what it said before, from records of every version.

A message that ends its turn says so (``stop_reason``). Older versions leave that empty: there a turn ends with the last
text before the next prompt, or where the client says how long the turn took. What was said before is a remark; where
nothing says which of both a text is, it waits for what follows.
"""

from typing import NamedTuple

from seqthink.sources.transcripts.facts import Remark, TurnEnded

_ENDING_REASONS = frozenset(("end_turn", "stop_sequence", "refusal"))
_CALLING_REASON = "tool_use"


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
        # The message of the last text, and what distinguishes its texts, in order.
        self._message: str | None = None
        self._texts: dict[tuple[int | None, str], None] = {}
        # The last text, while no call followed it, and those of its message that are the answer with it, or remarks.
        self._answer: _Answer | None = None
        self._waiting: list[Remark] = []
        # The texts of that message's last answer, and how many answers it gave: what it says after one is another.
        self._answered: list[Remark] = []
        self._answers = 0
        # A message that ends its turn, with only its reasoning so far.
        self._silent: _Answer | None = None

    def begun(self) -> list[Remark | TurnEnded]:
        """A prompt begins a turn; return the end of the one before, if it was not emitted yet."""
        ended, self._answer = self.settle(), None
        self.number += not self._is_open
        self._is_open = True
        return ended

    def next_record(self, message: str | None) -> list[Remark | TurnEnded]:
        """A record follows, of this message if of any; return the end that is certain now."""
        if self._silent is None or self._silent.id == message:
            return []
        return self._end(self._silent)

    def reasoned(self, message: str, time: int, stop_reason: str | None, *, is_repeated: bool) -> list[Remark]:
        """The agent reasoned in this message: return what it said before, which was not an answer.

        ``is_repeated`` says that an earlier record of the message has the same reasoning.
        """
        self._is_open = True
        if stop_reason in _ENDING_REASONS:
            self._silent = _Answer(message, time, "", None)
        if is_repeated:
            return []
        self._answer = None
        return self._remarks()

    def called(self) -> list[Remark]:
        """The agent called a tool: return what it said before, which was not an answer."""
        self._is_open = True
        self._answer = self._silent = None
        return self._remarks()

    def said(
        self, message: str, time: int, text: str, uuid: str | None, stop_reason: str | None, place: int | None = None
    ) -> list[Remark | TurnEnded]:
        """The agent said something, in this place of its message if that is known.

        Return what is certain now: the end of its turn, or remarks.
        """
        remarks = self._remarks() if message != self._message else []
        if message != self._message:
            self._message, self._texts, self._answered, self._answers = message, {}, [], 0
        if self._answer is None or self._answer.id != message:
            self._is_open = True
        self._note_text(Remark(id=f"{message}:{len(self._texts)}", time=time, agent=self._agent, text=text), place)
        if stop_reason == _CALLING_REASON:
            self._answer = None
            return [*remarks, *self._remarks()]
        self._answer = _Answer(message, time, "", uuid)
        if stop_reason not in _ENDING_REASONS:
            return [*remarks]
        return [*remarks, *self._end(self._answer, is_aborted=stop_reason == "refusal")]

    def timed(self, record: str, time: int) -> list[Remark | TurnEnded]:
        """The client says that the turn took so long."""
        return self._end(self._answer or _Answer(record, time, "", None))

    def left_at(self, uuid: str) -> list[Remark | TurnEnded]:
        """The client says that this record is the last one; return the end of the turn if it is an answer."""
        if self._answer is None or self._answer.uuid != uuid:
            return []
        return self._end(self._answer)

    def settle(self) -> list[Remark | TurnEnded]:
        """Nothing more comes; return the end of the turn if it ends with an answer."""
        last = self._silent or self._answer
        return self._end(last) if last else []

    def broken(self, record: str, time: int, text: str) -> list[Remark | TurnEnded]:
        """The user interrupted the turn, or an error ended it."""
        return self._end(_Answer(record, time, text, None), is_aborted=True)

    def _note_text(self, remark: Remark, place: int | None) -> None:
        """Keep what was said until it is certain what it is, unless another record of the message said it before."""
        key = (place, remark.text)
        if key in self._texts or _end_with(self._waiting or self._answered, remark.text):
            return
        self._texts[key] = None
        self._is_open = True
        self._waiting.append(remark)

    def _remarks(self) -> list[Remark]:
        remarks, self._waiting = self._waiting, []
        return remarks

    def _end(self, answer: _Answer, *, is_aborted: bool = False) -> list[Remark | TurnEnded]:
        was_open, silent = self._is_open, self._silent
        self._is_open = False
        self._silent = None
        remarks = self._remarks()
        if not was_open:
            return [*remarks]
        text, ended = answer.text, answer.id
        before: list[Remark | TurnEnded] = [*remarks]
        if answer is self._answer:
            text, before, self._answered = "\n\n".join(remark.text for remark in remarks), [], remarks
            ended, self._answers = (f"{ended}+{self._answers}" if self._answers else ended), self._answers + 1
        elif answer is silent:
            ended = f"{ended}:silent"  # it may still say something
        return [*before, TurnEnded(id=ended, time=answer.time, agent=self._agent, text=text, is_aborted=is_aborted)]


def _end_with(remarks: list[Remark], text: str) -> bool:
    """Return whether texts, put together, end with one; only as many of them are looked at as are as long."""
    last: list[str] = []
    chars = -2
    for each in reversed(remarks):
        last.append(each.text)
        chars += len(each.text) + 2
        if chars >= len(text):
            break
    return "\n\n".join(reversed(last)).endswith(text)
