"""What lists show of a session without reading its lines: a hash in the engine.

It comes from another machine: every field is bounded, and all text is made safe where it is shown.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, fields

from seqthink.core.labels import MAX_LABELS_BYTES

MAX_FIELD_BYTES = 4 << 10
"""A longer field is cut when it is written, and left out when it is read."""
MAX_HEAD_BYTES = 16 << 10
"""The same for the field ``head``, which is a line of a journal."""
_LIMITS = {"head": MAX_HEAD_BYTES, "labels": MAX_LABELS_BYTES}
"""Those of the fields that are worth nothing when they are cut."""
_MAX_NUMBER = 2**53


class Card(Struct, frozen=True, kw_only=True):
    """What lists show of one session. Times are microseconds since 1970 by the clock of its machine; 0 for unknown."""

    cwd: str = ""
    place: str = ""
    """Where its repository is and which branch it works on: `CardPlace`, as JSON."""
    client: str = ""
    name: str = ""
    """Title, else folder, else client, else id."""
    title: str = ""
    """First line of the newest chain."""
    progress: str = ""
    """``6 of ~8``."""
    model: str = ""
    state: str = "unknown"
    """State of the newest chain, a value of `seqthink.chain.state.State`."""
    attention: str = "open"
    """A value of `seqthink.chain.attention.Attention`, as it was when the card was written."""
    doing: str = ""
    reason: str = ""
    question: str = ""
    newest: str = ""
    """Beginning of the newest thought."""
    newest_number: str = ""
    newest_time: int = 0
    head: str = ""
    """The journal's first line, so that a session whose beginning is no longer kept still has a name."""
    started: int = 0
    last: int = 0
    """Time of the last event."""
    lines: int = 0
    """Lines in the journal."""
    bytes: int = 0
    """Size of the journal."""
    chains: int = 0
    thoughts: int = 0
    turns: int = 0
    branches: int = 0
    revisions: int = 0
    context: str = ""
    """Tokens of the main agent's context and of its window, as ``118400/258400``; empty if they are not recorded."""
    ended: int = 0
    """1 if the journal says that its server ended."""
    notes: int = 0
    """1 if the machine takes notes to its agents."""
    signed: int = 0
    """1 if notes must be signed."""
    labels: str = ""
    """What people on its machine say about it, as JSON (`seqthink.core.labels`)."""


class CardPlace(Struct, frozen=True, omit_defaults=True):
    """The repository of a session; of older shippers nothing is known."""

    address: str = ""
    """Where its origin is, else its folder on the machine."""
    branch: str = ""
    """The git branch."""


_decode_place = msgspec.json.Decoder(CardPlace).decode


def encoded_place(place: CardPlace) -> str:
    """Return the field ``place`` of a card."""
    return msgspec.json.encode(place).decode()


def place_of(card: Card) -> CardPlace:
    """Return the place that a card names; an empty one if it names none, or no valid one."""
    try:
        return _decode_place(card.place.encode("utf-8", "replace")) if card.place else CardPlace()
    except msgspec.DecodeError:
        return CardPlace()


_FIELDS = tuple((field.name, field.type is int) for field in fields(Card))


def fields_of(card: Card) -> dict[str, str | int]:
    """Return the card as the fields of a hash: all of them, since a hash keeps what is not written again."""
    return {name: _cut(name, value) if isinstance(value, str) else value for name, value in asdict(card).items()}


def card_of(found: Mapping[bytes, bytes]) -> Card | None:
    """Return the card in a hash; None if it is empty. Fields that are unknown, too long or no numbers are left out."""
    if not found:
        return None
    values: dict[str, str | int] = {}
    for name, is_number in _FIELDS:
        raw = found.get(name.encode())
        if raw is None:
            continue
        if is_number:
            if raw.isdigit() and len(raw) <= 16 and int(raw) <= _MAX_NUMBER:
                values[name] = int(raw)
        elif len(raw) <= _limit(name):
            values[name] = raw.decode(errors="replace")
    return Card(**values)  # pyright: ignore[reportArgumentType] - each field was read by its own type


def _limit(name: str) -> int:
    return _LIMITS.get(name, MAX_FIELD_BYTES)


def _cut(name: str, text: str) -> str:
    encoded = text.encode(errors="replace")
    if len(encoded) <= _limit(name):
        return text
    return "" if name in _LIMITS else encoded[: _limit(name)].decode(errors="ignore")
