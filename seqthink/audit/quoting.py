"""Makes untrusted text safe to quote: on one line, without control characters and secrets, cut to a limit. Pure."""

from typing import Final

from seqthink.redaction import redact_text
from seqthink.text import one_line

MAX_NOTE_CHARS: Final = 300
_SCAN_FACTOR: Final = 4
"""How far beyond the limit text is searched for secrets, so that cutting does not hide the end of one."""


def quote_safely(text: str, max_chars: int = MAX_NOTE_CHARS) -> str:
    """Return the beginning of ``text`` on one line, without control characters; each secret is replaced by its kind."""
    clean = redact_text(one_line(text[: max_chars * _SCAN_FACTOR + 1000]))
    return clean if len(clean) <= max_chars else clean[: max_chars - 1] + "…"
