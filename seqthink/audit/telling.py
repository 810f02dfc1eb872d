"""How words of others get into an answer: in one line, without secrets, and no longer than there is room. Pure."""

from typing import Final

from seqthink.redaction import redact_text
from seqthink.text import one_line

A_NOTE: Final = 300
_LOOKED_AT: Final = 4
"""How many times as many characters are looked through for secrets as are told: what is cut off hides none in part."""


def told(text: str, most: int = A_NOTE) -> str:
    """Return how ``text`` begins, in one line without controls and with each secret replaced by what kind it was of."""
    clean = redact_text(one_line(text[: most * _LOOKED_AT + 1000]))
    return clean if len(clean) <= most else clean[: most - 1] + "…"
