"""The core of the Gemini source: the lines of one file in, facts out.

A message is appended again in full whenever it changes, so what it says is emitted as it becomes known. Control lines
set metadata, replace all messages (``$set.messages``), change, remove or reorder some (``$patch``, since 0.64), or take
back a message and all after it (``$rewindTo``). Messages are replaced, removed or shortened to make room in the model's
context: what they said did happen, and stays.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

from msgspec import structs

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Resumed,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.files.damaged_lines import places_of_records
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.gemini.grown_texts import GrownTexts
from seqthink.sources.transcripts.gemini.message_ids import MessageNames
from seqthink.sources.transcripts.gemini.messages import facts_of, is_summary, may_have_calls
from seqthink.sources.transcripts.json_fields import (
    Fields,
    id_in,
    number_in,
    object_in,
    objects_in,
    text_in,
    texts_in,
    time_in,
)

_ONLY_UPDATED: Final = re.compile(rb'\s*\{"\$set":\{"lastUpdated":"[^"]{0,64}"\}\}\s*')
_EMITTED_TYPES: Final = (Prompt, Reasoning, Remark, ToolCall, Result, TurnEnded, Compacted, AgentStarted, Resumed)
_KNOWN_TYPES: Final = frozenset({"user", "gemini", "model", "assistant", "info", "error", "warning"})

_NEAR: Final = 64
"""How many characters beside a record in a damaged line say whether it is one of a list."""


def _is_record(value: dict[str, Any]) -> bool:
    return (
        "$set" in value
        or "$patch" in value
        or "$rewindTo" in value
        or "projectHash" in value
        or {"id", "type"} <= value.keys()
    )


class ChatReader:
    """Reads one file: a session's, or a subagent's."""

    def __init__(
        self,
        counts: ReadCounts,
        agent: str | None = None,
        parent: str | None = None,
        cwd: str | None = None,
        grown: GrownTexts | None = None,
    ) -> None:
        """Read the file of a session, or of the subagent ``agent`` that ``parent`` started; None is the main agent.

        Args:
            counts: Counts what cannot be read.
            agent: The source's id of the subagent; None in the session's own file.
            parent: The agent that started it.
            cwd: The working folder, which no file of a session names.
            grown: The texts that turned out to be longer than they were written first, also in earlier readings.
        """
        self._counts = counts
        self.agent = agent
        """The agent whose file it reads; None for the main one."""
        self._parent = parent
        self._cwd = cwd
        self._session = ""
        self._time = 0
        self._call_ids = CallIds(agent)
        self._ids = MessageNames(agent)
        self._unknown: set[str] = set()
        """The ids of messages of an unknown type: the client may write all messages again."""
        self._emitted: dict[str, dict[str, None]] = {}
        """The ids of the facts that each message has given, by the message's id, in order."""
        self._known: set[tuple[type[Fact], str]] = set()
        self._grown = grown or GrownTexts()
        self._is_news = False
        """Whether a fact was emitted since the session was opened."""
        self._is_resumed = False
        self._resumes = 0
        self._model: str | None = None
        self._newest = 0
        self.waiting: int | None = None
        """The time of the newest message, if it is the model's and has no calls so far; else None."""
        self.continued: set[str] = set()
        """The messages whose text was taken for the answer that ended a turn, until calls were added to it."""

    def wants(self, line: bytes) -> bool:
        """Return False for the line that only says when the file was changed, which follows every message."""
        return len(line) > 128 or _ONLY_UPDATED.fullmatch(line) is None

    def read(self, line: bytes) -> list[Fact]:
        """Return what the next line says. Never raises."""
        record = decode_object(line)
        if record is None:
            self._counts.corrupt += 1
            return self._read_damaged(line.decode("utf-8", "surrogateescape"))
        return self.read_record(record)

    def _read_damaged(self, text: str) -> list[Fact]:
        """Return what the whole records in a damaged line say.

        Those in a list that was cut short are messages that were written again, as all are at times: not appended ones.
        """
        listed: list[Fields] = []
        others: list[Fields] = []
        for at, end in places_of_records(text, _is_record):
            record = decode_object(text[at:end].encode("utf-8", "surrogateescape"))
            is_listed = text[max(0, at - _NEAR) : at].rstrip().endswith(("[", ",")) and text[end : end + _NEAR].strip()
            if record is not None:
                (listed if is_listed else others).append(record)
        emitted = self._replace({"messages": listed})
        return [*emitted, *(fact for record in others for fact in self.read_record(record))]

    def settle(self) -> list[Fact]:
        """Return nothing: the last message says by itself whether it is an answer."""
        return []

    def read_record(self, record: Fields) -> list[Fact]:
        """Return what a decoded record says: a line, or a whole document of before April 2026."""
        if "$set" in record:
            return self._set(object_in(record, "$set"))
        if isinstance(record.get("$patch"), dict):
            return self._patch(object_in(record, "$patch"))
        if "$rewindTo" in record:
            return self._rewind(self._ids.newest(id_in(record, "$rewindTo")))
        if text_in(record, "sessionId"):
            return [*self._begin(record), *self._replace(record)]
        if "type" in record and ("content" in record or "id" in record):
            return self._message(self._ids.identified(record))
        self._counts.unknown += 1
        return []

    def _begin(self, record: Fields) -> list[Fact]:
        """Take in the first line; another one says that the session was opened again."""
        time = time_in(record, "startTime")
        if self._session:
            self._is_resumed = self._is_resumed or self._is_news
            return self._at(time)
        self._session = id_in(record, "sessionId")
        self._time = time or self._time
        if self.agent is not None:
            return [AgentStarted(id=self.agent, time=self._time, agent=self._parent)]
        cwd = self._cwd or next(iter(texts_in(record, "directories")), None)
        title = text_in(record, "summary") or None
        return [SessionDescribed(id=self._session, time=self._time, cwd=cwd, title=title)]

    def _set(self, fields: Fields) -> list[Fact]:
        if "sessionId" in fields:
            self._is_resumed = self._is_resumed or self._is_news
        return [*self._replace(fields), *self._titled(fields)]

    def _titled(self, fields: Fields) -> list[Fact]:
        title = text_in(fields, "summary")
        if not title or not self._session or self.agent is not None:
            return []
        return [SessionDescribed(id=self._session, time=self._time, title=title)]

    def _patch(self, patch: Fields) -> list[Fact]:
        """Take in changed messages: those that are whole may say more, parts of one only shorten what it said."""
        updates = objects_in(patch, "updates") if "updates" in patch else [patch]
        whole = [update for update in updates if text_in(update, "id") and "type" in update]
        return [*self._again([self._ids.patched(message) for message in whole]), *self._titled(patch)]

    def _replace(self, fields: Fields) -> list[Fact]:
        return self._again(self._ids.all_identified(objects_in(fields, "messages")))

    def _again(self, messages: Iterable[Fields]) -> list[Fact]:
        """Take in messages again; what is known already is not emitted again."""
        facts: list[Fact] = []
        for message in messages:
            if is_summary(message) and id_in(message, "id") not in self._emitted:
                facts += self._compacted(message)
            else:
                facts += self._message(message)
        return facts

    def _message(self, message: Fields) -> list[Fact]:
        identifier = id_in(message, "id")
        if not identifier or text_in(message, "type") not in _KNOWN_TYPES:
            self._counts.unknown += identifier not in self._unknown
            self._unknown.add(identifier)
            return []
        time = time_in(message, "timestamp")
        self._note_waiting(message, time or self._time)
        resumed = self._at(time) if identifier not in self._emitted and not identifier.endswith("_response") else []
        return [
            *resumed,
            *self._used(identifier, message, time or self._time),
            *self._news(
                identifier, self._with_model(message, facts_of(message, self.agent, self._time, self._call_ids))
            ),
        ]

    def _used(self, identifier: str, message: Fields, time: int) -> list[Fact]:
        """Return how much of the context an answer of the model took, once; the client records no window."""
        tokens = number_in(object_in(message, "tokens"), "total")
        if not tokens or (ContextUsed, identifier) in self._known:
            return []
        self._known.add((ContextUsed, identifier))
        model = text_in(message, "model") or None
        return [ContextUsed(id=identifier, time=time, agent=self.agent, tokens=tokens, model=model)]

    def _note_waiting(self, message: Fields, time: int) -> None:
        if time >= self._newest:
            self._newest = time
            self.waiting = time if may_have_calls(message) else None

    def _with_model(self, message: Fields, facts: list[Fact]) -> list[Fact]:
        """Add the model of a subagent, once it is known."""
        model = text_in(message, "model")
        if self.agent is None or not model or model == self._model:
            return facts
        self._model = model
        return [AgentStarted(id=self.agent, time=self._time, agent=self._parent, model=model), *facts]

    def _compacted(self, message: Fields) -> list[Fact]:
        identifier = id_in(message, "id")
        if not identifier:
            return []
        resumed = self._at(time_in(message, "timestamp"))
        return [*resumed, *self._news(identifier, [Compacted(id=identifier, time=self._time, agent=self.agent)])]

    def _news(self, message: str, facts: list[Fact]) -> list[Fact]:
        """Return those facts of a message that have not been emitted."""
        emitted = self._emitted.setdefault(message, {})
        if (TurnEnded, message) in self._known and any(isinstance(fact, ToolCall) for fact in facts):
            self.continued.add(message)
        news: list[Fact] = []
        for fact in map(self._whole, facts):
            key = (type(fact), fact.id)
            if key not in self._known:
                self._known.add(key)
                self._is_news = True
                news.append(fact)
                if fact.id != self.agent:
                    emitted[fact.id] = None
        return news

    def _whole(self, fact: Fact) -> Fact:
        """Return a fact with its text as far as it is known to have grown."""
        if not isinstance(fact, Prompt | Reasoning | Remark | TurnEnded):
            return fact
        identifier, text = self._grown.show(fact.id, fact.text)
        return structs.replace(fact, id=identifier, text=text)

    def _at(self, time: int | None) -> list[Fact]:
        """Take in the time of a new record; the first one after the session was opened again emits that."""
        if time is None:
            return []
        is_later = time > self._time
        self._time = time
        if not (self._is_resumed and is_later):
            return []
        self._is_resumed = self._is_news = False
        self._resumes += 1
        return [Resumed(id=f"{self._session}/resume-{self._resumes}", time=time, agent=self.agent)]

    def _rewind(self, target: str) -> list[Fact]:
        """Take back a message and all after it; the client takes back all if it does not know the message."""
        left: list[Iterable[str]] = []
        message = None
        while self._emitted and message != target:
            message, emitted = self._emitted.popitem()
            left.append(emitted)
            self._ids.take_back(message)
        dropped = tuple(dict.fromkeys(one for emitted in reversed(left) for one in emitted))
        if not dropped:
            return []
        self._known.difference_update((kind, one) for one in dropped for kind in _EMITTED_TYPES)
        self._grown.forget(dropped)
        identifier = f"rewind-{dropped[0]}"
        return [Rewound(id=identifier, time=self._time, agent=self.agent, dropped=dropped)]
