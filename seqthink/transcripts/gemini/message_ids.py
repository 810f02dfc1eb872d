"""An id for each message of Gemini CLI: the client repeats a message in full, and its ids may be missing or repeat.

A message that is appended again has the id, the type and the time that it had before. Where the client writes all
messages again, their times may be new: there those with one id and type are the same in their order. Pure.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from seqthink.transcripts.call_ids import first_call_id
from seqthink.transcripts.json_fields import Fields, digest, id_in, objects_in, text_in


class _Message(NamedTuple):
    kind: str
    name: str
    """What tells it apart from others with its id."""
    content: str = ""
    calls: tuple[str, ...] = ()

    def is_grown(self, before: "_Message") -> bool:
        """Return whether this is an earlier message to which text or calls were added."""
        is_longer = len(self.calls) > len(before.calls) or (self.content != before.content == _EMPTY)
        has_all = self.calls[: len(before.calls)] == before.calls and before.content in {self.content, _EMPTY}
        return self.kind == before.kind != "user" and is_longer and has_all


_EMPTY: Final = digest('""')
_TAKEN_BACK: Final = _Message("", "")


class MessageNames:
    """The ids of the messages of one file, whose agent is ``agent``; None is the main agent."""

    def __init__(self, agent: str | None) -> None:
        """Begin with a file of which nothing was read."""
        self._agent = agent
        # The messages with each id of the client, in order.
        self._messages: dict[str, list[_Message]] = {}
        self._newest: dict[str, str] = {}

    def identified(self, message: Fields) -> Fields:
        """Return an appended message with an id that no other one of the session has."""
        given, new = _given(message), _known_as(message)
        known = self._messages.setdefault(given, [])
        names = [(one.kind, one.name) for one in known]
        if (new.kind, new.name) in names:
            place = names.index((new.kind, new.name))
        else:
            place = len(known) - 1 if known and new.is_grown(known[-1]) else len(known)
        known[place:] = [new, *known[place + 1 :]]
        return self._with_id(message, given, place)

    def all_identified(self, messages: Iterable[Fields]) -> Iterator[Fields]:
        """Yield messages that were written again, each with such an id."""
        taken: dict[str, set[int]] = {}
        for message in messages:
            given, new = _given(message), _known_as(message)
            known, used = self._messages.setdefault(given, []), taken.setdefault(given, set())
            alike = [place for place, one in enumerate(known) if one.kind == new.kind and place not in used]
            same = (place for place in alike if known[place].name == new.name)
            place = next(same, alike[0] if alike else len(known))
            if place == len(known):
                known.append(new)
            elif new.is_grown(known[place]):
                known[place] = new._replace(name=known[place].name)
            used.add(place)
            yield self._with_id(message, given, place)

    def _with_id(self, message: Fields, given: str, place: int) -> Fields:
        own = first_call_id(given, self._agent) if self._agent else given
        identifier = self._newest[given] = f"{own}@{place + 1}" if place else own
        return {**message, "id": identifier}

    def newest(self, given: str) -> str:
        """Return the id of the newest message that has an id of the client."""
        return self._newest.get(given, given)

    def take_back(self, identifier: str) -> None:
        """A message was taken back: one that comes with its id is another one."""
        given = next((name for name, newest in self._newest.items() if newest == identifier), None)
        if given is not None:
            self._messages[given] = [_TAKEN_BACK] * len(self._messages[given])


def _given(message: Fields) -> str:
    """Return the client's id of a message; of one that has none, what is in it."""
    about = (text_in(message, "type"), text_in(message, "timestamp"), _content(message))
    return id_in(message, "id") or f"message-{digest(' '.join(about))}"


def _known_as(message: Fields) -> _Message:
    kind, time = text_in(message, "type"), text_in(message, "timestamp")
    content = _content(message)
    calls = tuple(digest(f"{call.get('id')} {call.get('args')}") for call in objects_in(message, "toolCalls"))
    return _Message(kind, time or (content if kind == "user" else ""), digest(content), calls)


def _content(message: Fields) -> str:
    return json.dumps(message.get("content"), sort_keys=True)
