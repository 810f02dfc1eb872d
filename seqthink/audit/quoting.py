"""How words of others get into an answer: in one line, without secrets, and no longer than there is room. Pure."""

from typing import Final

from seqthink.redaction import redact_text
from seqthink.text import one_line

MAX_NOTE_CHARS: Final = 300
_SCAN_FACTOR: Final = 4
"""How many times as many characters are looked through for secrets as are told: what is cut off hides none in part."""


def quote_safely(text: str, max_chars: int = MAX_NOTE_CHARS) -> str:
    """Return how ``text`` begins, in one line without controls and with each secret replaced by what kind it was of."""
    clean = redact_text(one_line(text[: max_chars * _SCAN_FACTOR + 1000]))
    return clean if len(clean) <= max_chars else clean[: max_chars - 1] + "…"
