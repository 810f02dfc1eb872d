"""Several processes that write one rollout: each is a line of turns, which its records name or their ordinals show.

Each process counts its own records. A turn that begins with a number which was there before is another process's; one
that begins while another turn is at work turns out to be, when that one goes on (`files/processes.py`).
"""

from collections.abc import Iterator
from typing import Final

from seqthink.sources.transcripts.codex.thread_state import ThreadState
from seqthink.sources.transcripts.files.processes import MAX_LINES, Processes
from seqthink.sources.transcripts.json_fields import Fields, digest, id_in, object_in, text_in, texts_in

_BEGINNINGS: Final = frozenset({"task_started", "turn_started"})
_ENDS: Final = frozenset({"task_complete", "turn_complete", "turn_aborted"})
_SHOWS_WORK: Final = frozenset({"item_completed", "response_item"})
_PASSED_THROUGH: Final = "internal_chat_message_metadata_passthrough"


class TurnLine:
    """What one process wrote."""

    def __init__(self, turn: str) -> None:
        self.turn = turn
        """The turn with which it began; empty for the rollout's own line."""
        self.state = ThreadState()
        """What is known between two of its records."""
        self.newest_ordinal = -1
        self.counted = 0
        """How many of its records have the number that follows the one before; -1 if one had an earlier number."""
        self.open_turn = ""
        self.interrupted: dict[str, str] = {}
        """The turns that were not over when another one began, and which did."""

    def count(self, ordinal: int) -> None:
        """Take in the number of a record."""
        if ordinal <= self.newest_ordinal:
            self.counted = -1
        elif self.counted >= 0:
            self.counted += 1
        self.newest_ordinal = max(self.newest_ordinal, ordinal)


class TurnLines:
    """The lines of one rollout."""

    def __init__(self, processes: Processes) -> None:
        """Follow the lines as far as ``processes`` knows them from earlier readings."""
        self._processes = processes
        self._lines = [TurnLine("")]
        self._of_turn: dict[str, TurnLine] = {}
        # Where the records are that do not name their turn, while there are several lines.
        self._placed: dict[str, TurnLine] = {}
        # The lines of those that do, by what they are about.
        self._named: dict[str, TurnLine] = {}
        self.now = self._lines[0]
        """The line of the current record."""
        self._newest_ordinal = -1
        self._has_repeated_ordinals = False
        """Whether a number was there twice: then each process counts its own records."""

    def __iter__(self) -> Iterator[TurnLine]:
        """Yield all lines, the rollout's own first."""
        return iter(self._lines)

    def place_of(self, line: TurnLine) -> int:
        """Return how many lines began before this one."""
        return self._lines.index(line)

    def enter(self, kind: str, payload: Fields, ordinal: int | None, *, is_copy: bool) -> bool:
        """Choose the line of the next record; return whether it begins one. Copied records are all of one."""
        time = self.now.state.time
        before = len(self._lines)
        self.now = self._lines[0] if is_copy else self._line_of(kind, payload, ordinal)
        self.now.state.time = time
        if ordinal is not None:
            self._has_repeated_ordinals |= ordinal <= self._newest_ordinal
            self._newest_ordinal = max(self._newest_ordinal, ordinal)
            self.now.count(ordinal)
        return len(self._lines) > before

    def _line_of(self, kind: str, payload: Fields, ordinal: int | None) -> TurnLine:
        event = text_in(payload, "type") if kind == "event_msg" else kind
        turn = id_in(payload, "turn_id") or id_in(object_in(payload, _PASSED_THROUGH), "turn_id")
        if turn and turn not in self._of_turn and (event in _BEGINNINGS or event == "turn_context"):
            return self._begun(turn, ordinal)
        line = self._of_turn.get(turn)
        if line is None:
            return self._line_without_turn(kind, payload, ordinal)
        self._notice_work(line, turn, event)
        if len(self._lines) > 1:
            self._compare(line, turn, kind, payload)
        return line

    def _notice_work(self, line: TurnLine, turn: str, event: str) -> None:
        if turn in line.interrupted and event in _SHOWS_WORK:
            self._processes.note([line.interrupted[turn]])
        if event in _ENDS:
            line.interrupted.pop(turn, None)
            line.open_turn = "" if line.open_turn == turn else line.open_turn

    def _begun(self, turn: str, ordinal: int | None) -> TurnLine:
        line = self._line_of_new_turn(turn, ordinal)
        if line.open_turn:
            line.interrupted[line.open_turn] = turn
        self._of_turn[turn], line.open_turn = line, turn
        return line

    def _line_of_new_turn(self, turn: str, ordinal: int | None) -> TurnLine:
        if (turn in self._processes or self._was_there(ordinal)) and len(self._lines) <= MAX_LINES:
            self._lines.append(TurnLine(turn))
            return self._lines[-1]
        if len(self._lines) == 1:
            return self.now
        idle = [line for line in self._lines if not line.open_turn]
        follows = self._followed_by(ordinal)
        if len(follows) == 1:
            return follows[0]
        likely = [line for line in follows if line in idle] or follows or idle or [self.now]
        return self.now if self.now in likely else likely[0]

    def _was_there(self, ordinal: int | None) -> bool:
        """Return whether each line, as far as it counts its records, has gone on behind this number."""
        return ordinal is not None and all(line.counted > 1 and ordinal <= line.newest_ordinal for line in self._lines)

    def _followed_by(self, ordinal: int | None) -> list[TurnLine]:
        """Return the lines whose next record has this number, as far as each process counts its own."""
        if ordinal is None or not self._has_repeated_ordinals:
            return []
        return [line for line in self._lines if ordinal == line.newest_ordinal + 1]

    def _line_without_turn(self, kind: str, payload: Fields, ordinal: int | None) -> TurnLine:
        if len(self._lines) == 1:
            return self.now
        name = _name_of(kind, payload)
        known = self._named.get(name) or self._of_turn.get(self._processes.turn_of(name) or "")
        line = known or self._guess(payload, ordinal)
        if name:
            self._placed[name] = line
        return line

    def _guess(self, payload: Fields, ordinal: int | None) -> TurnLine:
        call = id_in(payload, "call_id")
        of_call = [line for line in self._lines if call and line.state.calls.tool(call)]
        follows = self._followed_by(ordinal)
        at_work = [line for line in self._lines if line.open_turn]
        return next((some[0] for some in (of_call, follows, at_work) if len(some) == 1), self.now)

    def _compare(self, line: TurnLine, turn: str, kind: str, payload: Fields) -> None:
        """A record names its turn: note it, if another one about the same was taken for that of another process."""
        name = _name_of(kind, payload)
        if not name:
            return
        if self._placed.get(name, line) is not line:
            self._processes.place(name, turn)
        self._named[name] = line


def _name_of(kind: str, payload: Fields) -> str:
    """Return what a record has in common with the others about the same; empty if nothing is known."""
    item = object_in(payload, "item") if kind == "event_msg" else payload
    text = "".join(texts_in(item, "content")) or text_in(payload, "last_agent_message", "message")
    return id_in(item, "call_id", "id") if not text else digest("".join(text.split()))
