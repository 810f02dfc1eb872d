"""An id for each message of Gemini CLI: the client repeats a message in full, and its ids may be missing or repeat.

A message that is appended again has the id, the type and the time that it had before. Where the client writes all
messages again, their times may be new: there those with one id and type are the same in their order. Their ids may be
new, too: then those that say the same are. Pure.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from seqthink.sources.transcripts.call_ids import first_call_id
from seqthink.sources.transcripts.gemini.messages import words_of
from seqthink.sources.transcripts.json_fields import Fields, digest, id_in, objects_in, text_in


class _Message(NamedTuple):
    id: str
    """Its id, which no other message of the session has."""
    kind: str
    name: str
    """What distinguishes it from others with its id."""
    content: str = ""
    calls: tuple[str, ...] = ()
    words: str = ""
    """What it says; empty if that is nothing which is shown."""
    thoughts: str = ""
    """What it thought; empty if that is not kept, as where all messages are written again."""

    def is_grown(self, before: "_Message") -> bool:
        """Return whether this is an earlier message to which text or calls were added."""
        is_longer = len(self.calls) > len(before.calls) or (self.content != before.content == _EMPTY)
        has_all = self.calls[: len(before.calls)] == before.calls and before.content in {self.content, _EMPTY}
        return self.kind == before.kind != "user" and is_longer and has_all


_EMPTY: Final = digest('""')
_ANY: Final = "*"
_TAKEN_BACK: Final = _Message("", "", "")


class MessageNames:
    """The ids of the messages of one file, whose agent is ``agent``; None is the main agent."""

    def __init__(self, agent: str | None) -> None:
        """Begin with an unread file."""
        self._agent = agent
        # The messages with each id of the client, in order.
        self._messages: dict[str, list[_Message]] = {}
        self._newest: dict[str, str] = {}
        # The ids of those that say the same, in order.
        self._alike: dict[tuple[str, ...], dict[str, None]] = {}
        self._keys: dict[str, dict[tuple[str, ...], None]] = {}

    def identified(self, message: Fields) -> Fields:
        """Return an appended message with an id that no other one of the session has."""
        given, new = _given(message), _known_as(message)
        known = self._messages.setdefault(given, [])
        names = [(one.kind, one.name) for one in known]
        if (new.kind, new.name) in names:
            place = names.index((new.kind, new.name))
        else:
            place = len(known) - 1 if known and new.is_grown(known[-1]) else len(known)
        new = new._replace(id=known[place].id if place < len(known) else self._own(given, place))
        self._note(new)
        known[place:] = [new, *known[place + 1 :]]
        return self._with_id(message, given, new)

    def patched(self, message: Fields) -> Fields:
        """Return a message that was changed with such an id; its time says which one it is."""
        if text_in(message, "timestamp"):
            return self.identified(message)
        return self.all_identified([message], are_all=False)[0]

    def all_identified(self, messages: Sequence[Fields], *, are_all: bool = True) -> list[Fields]:
        """Return messages that were written again, each with such an id; ``are_all`` says that these are all."""
        taken: dict[str, set[int]] = {}
        written: list[_Message] = []
        renamed = self._renamed(messages) if are_all else {}
        identified: list[Fields] = []
        for number, message in enumerate(messages):
            given, new = _given(message), _known_as(message)
            known, used = self._messages.setdefault(given, []), taken.setdefault(given, set())
            if number in renamed:
                known.append(new._replace(id=renamed[number]))
            alike = [place for place, one in enumerate(known) if one.kind == new.kind and place not in used]
            same = (place for place in alike if known[place].name == new.name)
            place = next(same, alike[0] if alike else len(known))
            if place == len(known):
                known.append(new._replace(id=self._own(given, place)))
            elif new.is_grown(known[place]):
                known[place] = new._replace(id=known[place].id, name=known[place].name)
            written.append(new._replace(id=known[place].id))
            used.add(place)
            identified.append(self._with_id(message, given, known[place]))
        # Not before: two of these that say the same are two.
        for one in written:
            self._note(one)
        return identified

    def _renamed(self, messages: Sequence[Fields]) -> dict[int, str]:
        """Return which messages are known under another id of the client, by their places, and their ids.

        A message that says the same at the same time is the same. At another time it is if no id is known, as the
        client then wrote all of them again; each is the next one that says so.
        """
        are_all_new = not any(_given(message) in self._messages for message in messages)
        alike: dict[tuple[str, ...], Iterator[str]] = {}
        found: dict[int, str] = {}
        taken: set[str] = set()
        for number, message in enumerate(messages):
            new = _known_as(message)
            if _given(message) in self._messages or not new.words:
                continue
            for key in _sought(new, are_all_new=are_all_new):
                same = alike.setdefault(key, iter(self._alike.get(key, {})))
                known = next((one for one in same if one not in taken), None)
                if known is not None:
                    found[number] = known
                    taken.add(known)
                    break
        return found

    def _note(self, message: _Message) -> None:
        """Take in what a message says now, besides what it said before."""
        for key in _alike(message):
            self._alike.setdefault(key, {})[message.id] = None
            self._keys.setdefault(message.id, {})[key] = None

    def _own(self, given: str, place: int) -> str:
        own = first_call_id(given, self._agent) if self._agent else given
        return f"{own}@{place + 1}" if place else own

    def _with_id(self, message: Fields, given: str, known: _Message) -> Fields:
        self._newest[given] = known.id
        return {**message, "id": known.id}

    def newest(self, given: str) -> str:
        """Return the id of the newest message that has an id of the client."""
        return self._newest.get(given, given)

    def take_back(self, identifier: str) -> None:
        """A message was taken back: one that comes with its id is another one."""
        for given in [name for name, newest in self._newest.items() if newest == identifier]:
            known = self._messages[given]
            for key in self._keys.pop(identifier, ()):
                self._alike[key].pop(identifier, None)
            self._messages[given] = [_TAKEN_BACK] * len(known)


def _given(message: Fields) -> str:
    """Return the client's id of a message; of one that has none, what is in it."""
    about = (text_in(message, "type"), text_in(message, "timestamp"), _content(message))
    return id_in(message, "id") or f"message-{digest(' '.join(about))}"


def _alike(message: _Message) -> list[tuple[str, ...]]:
    """Return by what a message is found: with its time and thoughts, or with any; nothing if none of it is shown."""
    times, thoughts = (message.name, _ANY), dict.fromkeys((message.thoughts, _ANY))
    return [(message.kind, message.words, time, thought) for time in times for thought in thoughts if message.words]


def _sought(message: _Message, *, are_all_new: bool) -> list[tuple[str, ...]]:
    """Return by what a message with a new id is looked for, the likeliest first."""
    times = (message.name, _ANY) if are_all_new else (message.name,)
    thoughts = (message.thoughts, "") if message.thoughts else (_ANY,)
    return [(message.kind, message.words, time, thought) for time in times for thought in thoughts]


def _known_as(message: Fields) -> _Message:
    kind, time = text_in(message, "type"), text_in(message, "timestamp")
    content = _content(message)
    calls = tuple(digest(f"{call.get('id')} {call.get('args')}") for call in objects_in(message, "toolCalls"))
    name = time or (content if kind == "user" else "")
    words, thoughts = (digest(text) if text else "" for text in words_of(message))
    return _Message("", kind, name, digest(content), calls, words, thoughts)


def _content(message: Fields) -> str:
    return json.dumps(message.get("content"), sort_keys=True)
