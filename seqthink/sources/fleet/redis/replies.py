"""Replies, looked at before they are believed: each function returns what is right in one, and leaves out the rest."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from redis.exceptions import ResponseError

from seqthink.sources.fleet.engine import Line, ListedName, SentNote, StreamState
from seqthink.sources.fleet.failures import NonsenseReplyError
from seqthink.sources.fleet.layout import name_of_member
from seqthink.sources.fleet.redis.translation import code_of, failure_of, is_list

MAX_LINE_BYTES: Final = (256 << 20) + (1 << 10)
"""A line is shipped up to 256 MiB; a longer one is not a line of ours."""
_MAX_NUMBER: Final = 2**53
FOREIGN_LAST: Final = _MAX_NUMBER
"""The count for a key with something else than lines: more than any journal has, so that a shipper leaves it alone."""
_ENTRY: Final = re.compile(rb"([0-9]{1,20})-([0-9]{1,20})")
_NOTE_BYTES: Final = {b"s": 128, b"id": 64, b"time": 64, b"text": 16 << 10, b"by": 256, b"mac": 128, b"agent": 1200}
"""How long the fields of a note may be; one with a longer field is left out."""
AGENT_TEXT: Final = b"agentText"
"""The field with the text of a note to one agent: a shipper that knows no such notes finds no text, and drops it."""


class StreamEntry(NamedTuple):
    """An entry of a stream."""

    id: bytes
    major: int
    minor: int
    fields: list[object]
    """Names and values, one after the other."""


def checked(reply: object) -> object:
    """Return the reply; raise if it is an error, but for the one that a key holds something else, which is None."""
    if isinstance(reply, ResponseError):
        if code_of(reply) == "WRONGTYPE":
            return None
        raise failure_of(reply)
    return reply


def number(reply: object) -> int:
    """Return a number that is not below 0.

    Raises:
        NonsenseReplyError: It is none.
    """
    if isinstance(reply, int) and 0 <= reply <= _MAX_NUMBER:
        return reply
    raise NonsenseReplyError("the engine answered no number where one was asked for")


def entries(reply: object) -> Iterator[StreamEntry]:
    """Return the entries of a stream in a reply; what is none is left out."""
    for item in reply if is_list(reply) else ():
        if not is_list(item) or len(item) != 2 or not isinstance(item[0], bytes) or not is_list(item[1]):
            continue
        found = _ENTRY.fullmatch(item[0])
        if found:
            yield StreamEntry(item[0], int(found[1]), int(found[2]), item[1])


def line_of(entry: StreamEntry) -> Line | None:
    """Return the line in an entry; None for an entry that is not ours."""
    fields = entry.fields
    if entry.minor or not 0 < entry.major <= _MAX_NUMBER or len(fields) != 2 or fields[0] != b"l":
        return None
    text = fields[1]
    return Line(entry.major, text) if isinstance(text, bytes) and b"\n" not in text else None


def streams(reply: object) -> Iterator[tuple[str, object]]:
    """Return the keys and entries in the reply of a read of several streams."""
    pairs: list[object] = []
    if is_list(reply):
        pairs = reply
    elif isinstance(reply, dict):
        pairs = [list(pair) for pair in reply.items()]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - an engine's reply has no types
    for pair in pairs:
        if is_list(pair) and len(pair) == 2 and isinstance(pair[0], bytes):
            yield pair[0].decode(errors="replace"), pair[1]


def state_of(reply: object) -> StreamState:
    """Return what a description of a stream says; an engine without the stream answers with an error."""
    if isinstance(reply, ResponseError):
        if code_of(reply) == "WRONGTYPE" or "no such key" in str(reply):
            return StreamState(0, 0)
        raise failure_of(reply)
    if not is_list(reply):
        return StreamState(0, 0)
    facts = {name: value for name, value in zip(reply[::2], reply[1::2], strict=False) if isinstance(name, bytes)}
    found = _ENTRY.fullmatch(_bytes(facts.get(b"last-generated-id")))
    first = next(entries([facts.get(b"first-entry")]), None)
    return StreamState(first.major if first else 0, int(found[1]) if found else 0)


def pair_of(reply: object) -> StreamState:
    """Return what the script says about a stream."""
    found = checked(reply)
    if found is None:
        return StreamState(0, FOREIGN_LAST)
    if not is_list(found) or len(found) != 2:
        raise NonsenseReplyError("the engine answered with something else than the state of a session")
    return StreamState(number(found[0]), number(found[1]))


def listed_of(member: bytes, score: float) -> ListedName | None:
    """Return a session of the index; None for a member that names none."""
    name = name_of_member(member) if len(member) <= 300 else None
    return ListedName(name, int(score)) if name else None


def scored(reply: object) -> Iterator[tuple[bytes, float]]:
    """Return members of a sorted set and their scores; those that are none are left out."""
    found = checked(reply)
    items = found if is_list(found) else []
    for member, score in zip(items[::2], items[1::2], strict=False):
        if isinstance(member, bytes) and isinstance(score, bytes):
            value = _score(score)
            if value is not None:
                yield member, value


def note_of(entry: StreamEntry) -> SentNote | None:
    """Return the note in an entry; None if it has no session and text, or a field that is too long or no text."""
    fields = dict(zip(map(_bytes, entry.fields[::2]), map(_bytes, entry.fields[1::2]), strict=False))
    fields[b"text"] = fields.get(AGENT_TEXT if fields.get(b"agent") else b"text", b"")
    texts: list[str] = []
    for name, limit in _NOTE_BYTES.items():
        raw = fields.get(name, b"")
        if len(raw) > limit:
            return None
        try:
            texts.append(raw.decode())
        except UnicodeDecodeError:
            return None
    note = SentNote(entry.id.decode("ascii"), *texts)
    return note if note.session and note.id and note.text else None


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _score(text: bytes) -> float | None:
    try:
        value = float(text[:32])
    except ValueError:
        return None
    return min(max(value, 0.0), float(_MAX_NUMBER)) if value == value else None  # noqa: PLR0124 - no number equals itself not
