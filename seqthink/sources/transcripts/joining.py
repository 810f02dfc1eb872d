"""One session, one row: joins our own journals with the transcript that holds the same calls.

A journal holds what the transcript lacks (why a call was refused, notes, audits, what the user was asked), so its line
of a call leads. The transcript adds whose call it was, and everything that never came to our server. A call is the same
by the client's id of it, else by its arguments: equal ones in the order in which they came (`call_keys.py`). Pure.

Every call of a journal and every call of the transcript appears once, and each journal's lines keep their order,
whatever comes first. What was given out cannot be moved: `JoinedTranslation.is_misplaced` says that a translation from
the beginning would be better.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from seqthink.sources.transcripts.call_keys import CallKey, JournalLine, keys_of_call, keys_of_line
from seqthink.sources.transcripts.facts import Fact, Prompt, Result, ToolCall, TurnEnded
from seqthink.sources.transcripts.tool_names import is_thinking_tool
from seqthink.sources.transcripts.translation import Draft, Translator

MAX_WAIT_MICROSECONDS: Final = 400_000
"""How long a line of a journal waits for its call to show up in the transcript: clients write with a delay."""


class _Waiting(NamedTuple):
    line: JournalLine
    keys: Sequence[CallKey]
    """By which its call is found; none if it is about no call."""


class _Early(NamedTuple):
    """A line that was given out before its call showed up."""

    seq: int
    agent: str | None
    keys: Sequence[CallKey]


class _Journal:
    """What is kept of one of the session's journals."""

    def __init__(self) -> None:
        self.waiting: deque[_Waiting] = deque()
        self.new_seqs: dict[int, int] = {}
        self.is_agents_server = False
        """It is the journal of a server that serves one subagent only, as Codex starts them."""


class JoinedTranslation:
    """Translates a transcript together with the journals that hold the same calls.

    Args:
        translator: translates what only the transcript holds.
    """

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._journals: list[_Journal] = []
        self._waiting_keys: Counter[CallKey] = Counter()
        self._calls: dict[str, ToolCall] = {}
        # The ids of the calls whose line was given out, and those calls by their keys.
        self._paired: set[str] = set()
        self._paired_keys: dict[CallKey, ToolCall] = {}
        self._unpaired: dict[CallKey, deque[ToolCall]] = {}
        self._early: dict[CallKey, deque[_Early]] = {}
        self._has_session = False
        self.is_misplaced = False
        """Whether a line of a journal was given out in the wrong place, or not at all because the transcript was ahead:
        translate again to mend it."""

    @property
    def call_count(self) -> int:
        """How many calls of the thinking tool the transcript has named so far."""
        return len(self._calls)

    def add_journal(self) -> int:
        """Add a journal and return its number."""
        self._journals.append(_Journal())
        return len(self._journals) - 1

    def is_agents_server(self, journal: int) -> bool:
        """Return whether a journal is that of a server that serves one subagent only."""
        return any(one.is_agents_server for one in self._journals[journal : journal + 1])

    def translate(
        self, facts: Sequence[Fact], lines: Iterable[JournalLine], now: int, *, at_end: bool = True
    ) -> list[Draft]:
        """Return the events of the next facts and of the next lines of journals.

        Args:
            facts: the next facts.
            lines: the next lines of the journals; they were read after the facts.
            now: the time in microseconds since 1970 (UTC); a line that waited for too long is given out.
            at_end: whether these are all facts that there are now; until then, every line waits for its call.
        """
        if not self._journals:
            return self._translator.translate(facts)
        for line in lines:
            keys = keys_of_line(line)
            self._journals[line.journal].waiting.append(_Waiting(line, keys))
            self._waiting_keys.update(keys)
        for fact in facts:
            if isinstance(fact, ToolCall) and is_thinking_tool(fact.tool):
                self._note_call(fact)
        drafts: list[Draft] = []
        for fact in facts:
            drafts += self._give_out(until=fact.time, latest=None)
            for call_id in self._ended_calls(fact):
                drafts += self._give_out_call(call_id)
            drafts += self._translator.translate([fact])
        return drafts + self._give_out(until=None, latest=now - MAX_WAIT_MICROSECONDS if at_end else None)

    def flush(self) -> list[Draft]:
        """Return all that still waits: nothing will be added any more."""
        drafts: list[Draft] = []
        while waiting := [journal for journal in self._journals if journal.waiting]:
            drafts += self._adopt_next(min(waiting, key=lambda journal: journal.waiting[0].line.time))
        return drafts + self._translator.flush()

    # Calls of the transcript

    def _ended_calls(self, fact: Fact) -> list[str]:
        """Return the ids of the calls that will not be answered after a fact."""
        if isinstance(fact, Result):
            return [fact.id]
        return self._translator.open_calls(fact.agent) if isinstance(fact, Prompt | TurnEnded) else []

    def _note_call(self, call: ToolCall) -> None:
        if call.id in self._calls:
            return
        self._calls[call.id] = call
        keys = keys_of_call(call)
        early = next((waiting for key in keys if (waiting := self._early.get(key))), None)
        if early:
            line = early[0]
            for key in line.keys:
                self._early[key].remove(line)
            self._pair(call)
            self._translator.mark_known(call, line.seq)
            self.is_misplaced = self.is_misplaced or call.agent != line.agent
            return
        for key in keys:
            self._unpaired.setdefault(key, deque()).append(call)

    def _pair(self, call: ToolCall) -> None:
        """The line of a call was found: an equal call is another."""
        self._paired.add(call.id)
        for key in keys_of_call(call):
            self._paired_keys[key] = call
            same = self._unpaired.get(key)
            if same and call in same:
                same.remove(call)
                if not same:
                    del self._unpaired[key]

    # Lines of journals

    def _give_out(self, *, until: int | None, latest: int | None) -> list[Draft]:
        """Give out what waits at the head of each journal, as far as it need not wait for the transcript.

        Args:
            until: give out lines up to this time; None for all.
            latest: lines up to this time do not wait any more, though their calls are not known; None: all wait.
        """
        drafts: list[Draft] = []
        while ready := [journal for journal in self._journals if self._may_go(journal.waiting, until, latest)]:
            drafts += self._adopt_next(min(ready, key=lambda journal: journal.waiting[0].line.time))
        return drafts

    def _may_go(self, waiting: deque[_Waiting], until: int | None, latest: int | None) -> bool:
        if not waiting or (until is not None and waiting[0].line.time > until):
            return False
        # What follows a `session` line says whose server it is, and was written together with it.
        if waiting[0].line.kind == "session":
            return len(waiting) > 1 and self._is_known(waiting[1], latest)
        return self._is_known(waiting[0], latest)

    def _is_known(self, waiting: _Waiting, latest: int | None) -> bool:
        """Whether a line need not wait for its call to show up."""
        line, keys = waiting
        is_found = not keys or any(key in self._unpaired for key in keys) or self._is_second(waiting)
        return is_found or (latest is not None and line.time < latest)

    def _is_second(self, waiting: _Waiting) -> bool:
        """Whether a line is a second one of a call whose line was given out: its client repeated it."""
        return waiting.line.call_id is not None and any(key in self._paired_keys for key in waiting.keys)

    def _give_out_call(self, call_id: str) -> list[Draft]:
        """Give out what waits up to the line of a call that has ended: its line was there before its answer."""
        call = self._calls.get(call_id)
        if call is None or call_id in self._paired:
            return []
        key = next((key for key in keys_of_call(call) if self._waiting_keys[key]), None)
        if key is None:
            return []
        # Of equal calls, the first in the transcript has the first line, but one that has ended has a line in any case.
        places = sorted(
            (waiting.line.time, number, place)
            for number, journal in enumerate(self._journals)
            for place, waiting in enumerate(journal.waiting)
            if key in waiting.keys
        )
        _, number, place = places[min(self._unpaired[key].index(call), len(places) - 1)]
        journal = self._journals[number]
        drafts = [draft for _ in range(place) for draft in self._adopt_next(journal)]
        return drafts + self._adopt_next(journal, call)

    def _adopt_next(self, journal: _Journal, call: ToolCall | None = None) -> list[Draft]:
        """Give out the line at the head of a journal; ``call`` is the call that it is about, if that is known."""
        waiting = journal.waiting.popleft()
        line = waiting.line
        if waiting.keys:
            self._waiting_keys.subtract(waiting.keys)
            return self._adopt_call(journal, waiting, call or self._call_of(waiting))
        if line.kind == "session":
            return self._adopt_session(journal, line)
        if line.kind == "agent" or (line.kind == "end" and journal.is_agents_server):
            return []  # the transcript says more of them
        fields = dict(line.fields)
        of = fields.get("of")
        if isinstance(of, int):
            if of not in journal.new_seqs:
                return []
            fields["of"] = journal.new_seqs[of]
        return self._adopt(journal, line, fields, None)

    def _call_of(self, waiting: _Waiting) -> ToolCall | None:
        """Return the first call of the transcript that a line may be about, if it has shown up."""
        return next((self._unpaired[key][0] for key in waiting.keys if key in self._unpaired), None)

    def _adopt_call(self, journal: _Journal, waiting: _Waiting, call: ToolCall | None) -> list[Draft]:
        line = waiting.line
        fields = dict(line.fields)
        if call is not None:
            self._pair(call)
            seq = self._translator.seq_of_call(call.id)
            if seq is not None:  # the transcript was ahead
                journal.new_seqs[line.seq] = seq
                self.is_misplaced = True
                return []
            return self._adopt(journal, line, fields, call)
        if self._is_second(waiting):
            fields["agent"] = next(self._paired_keys[key].agent for key in waiting.keys if key in self._paired_keys)
        drafts = self._adopt(journal, line, fields, None)
        early = _Early(journal.new_seqs[line.seq], fields.get("agent"), waiting.keys)
        for key in waiting.keys:
            self._early.setdefault(key, deque()).append(early)
        return drafts

    def _adopt(
        self, journal: _Journal, line: JournalLine, fields: dict[str, Any], call: ToolCall | None
    ) -> list[Draft]:
        drafts, seq = self._translator.adopt(line.kind, line.time, fields, call)
        journal.new_seqs[line.seq] = seq
        return drafts

    def _is_agents(self, waiting: _Waiting) -> bool:
        """Whether the first line behind a `session` line says that the server is a subagent's, or a fork's."""
        line, call = waiting.line, self._call_of(waiting)
        return line.kind == "agent" or bool(line.fields.get("agent")) or (call is not None and call.agent is not None)

    def _adopt_session(self, journal: _Journal, line: JournalLine) -> list[Draft]:
        """The first server of the session describes it; each later one of the main agent resumed it."""
        if journal.waiting and self._is_agents(journal.waiting[0]):
            journal.is_agents_server = True
            return []
        is_resumed, self._has_session = self._has_session or bool(line.fields.get("resumed")), True
        return self._translator.adopt_session(line.time, line.fields, is_resumed=is_resumed)
