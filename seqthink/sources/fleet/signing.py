"""Signatures of notes: the operator of the engine cannot speak to the agents, only people with the key can.

A note is signed over its session, id, time and text, and the agent if it is for one, each with its length before it, so
that no two notes are signed over the same bytes. Who sent it is shown as data and believed by nobody: it is not signed.
"""

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from seqthink.core.errors import UsageError
from seqthink.sources.fleet.credentials import secret
from seqthink.sources.fleet.engine import SentNote

KEY_VARIABLE: Final = "SEQTHINK_NOTE_KEY_FILE"
MAX_AGE: Final = timedelta(hours=24)
"""An older note is not taken, so that a kept one cannot be sent again later."""
_EARLIEST: Final = timedelta(hours=1)
"""How far the sender's clock may be before the receiver's."""
_MIN_KEY_BYTES: Final = 16


def note_key(environ: Mapping[str, str]) -> bytes | None:
    """Return the key that notes are signed with; None if none is set.

    Raises:
        UsageError: The file cannot be used, or its key is short.
    """
    path = environ.get(KEY_VARIABLE, "")
    if not path:
        return None
    key = secret(path, KEY_VARIABLE).strip()
    if len(key) < _MIN_KEY_BYTES:
        raise UsageError(f"the key in the file of {KEY_VARIABLE} is shorter than {_MIN_KEY_BYTES} bytes")
    return key


def sign(note: SentNote, key: bytes) -> str:
    """Return the signature of a note."""
    texts = (note.session, note.id, note.time, note.text, *((note.agent,) if note.agent else ()))
    fields = [text.encode(errors="surrogatepass") for text in texts]
    message = b"".join(b"%d:%s" % (len(field), field) for field in fields)
    version = b"2" if note.agent else b"1"
    return hmac.new(key, b"seqthink note " + version + b"\n" + message, "sha256").hexdigest()


def verify(note: SentNote, key: bytes, now: datetime) -> str | None:
    """Return why a note is not taken; None if it is.

    Args:
        note: The note, as it came.
        key: What it must be signed with.
        now: The time by the receiver's clock, with its zone.
    """
    if not note.mac:
        return "it is not signed"
    if not hmac.compare_digest(note.mac.encode(errors="surrogatepass"), sign(note, key).encode("ascii")):
        return "its signature is wrong"
    sent = _time(note.time)
    if sent is None or sent - now > _EARLIEST:
        return "its time is none, or lies ahead"
    return "it is older than a day" if now - sent > MAX_AGE else None


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
