"""Secrets replaced in lines of a journal before they leave the machine. A line without any goes unchanged.

A line is looked at as JSON, value by value, so that a secret is found however it was escaped; fields that this version
does not know are looked at, too. A line that is not JSON is looked at as text.
"""

import json
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, cast

from seqthink.core.redaction import redact_fields, redact_text

Outgoing = Callable[[bytes], bytes]
"""Returns what is shipped for a line."""


def as_it_stands(line: bytes) -> bytes:
    """Return the line."""
    return line


class LineRedaction:
    """Replaces secrets in lines, the same in each process of this machine.

    Args:
        salt: what marks of replaced ids are made with (see `Origin.salt`).
    """

    def __init__(self, salt: bytes) -> None:
        self._salt = salt

    def __call__(self, line: bytes) -> bytes:
        """Return the line without secrets; the same object if it has none."""
        fields = _fields_of(line)
        if fields is None:
            return _redacted_text(line)
        clean = redact_fields(fields, self._mark)
        if clean is fields:
            return line
        return _encoded(clean)

    def _mark(self, secret: str) -> str:
        """Return what distinguishes one replaced id from another."""
        return blake2b(secret.encode("utf-8", "surrogatepass"), key=self._salt, digest_size=4).hexdigest()


def _encoded(fields: dict[str, Any]) -> bytes:
    try:
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half of a pair, which only an escape can spell
        return json.dumps(fields, separators=(",", ":")).encode()


def _fields_of(line: bytes) -> dict[str, Any] | None:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _redacted_text(line: bytes) -> bytes:
    text = line.decode("utf-8", "surrogateescape")
    clean = redact_text(text)
    return line if clean == text else clean.encode("utf-8", "surrogateescape")
