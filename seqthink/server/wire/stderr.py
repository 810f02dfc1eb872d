"""Best-effort stderr: output that would block is dropped.

The code that sanitises texts is imported with the first text, to keep the server's first answer fast.
"""

import os
from collections.abc import Mapping
from typing import Any

from seqthink.core import system
from seqthink.server.wire.output import make_writer
from seqthink.server.wire.stdio import PIPE_CHUNK_BYTES, is_writable

_MAX_SHOWN_CHARS = 10_000
_MAX_UNSENT_BYTES = 1 << 16
"""What may wait for a reader where the system cannot say whether a write blocks."""


class Stderr:
    """Writes texts to a descriptor as long as that does not block, and drops the rest."""

    def __init__(self, descriptor: int = 2) -> None:
        self._descriptor = descriptor
        self._is_cut = False
        self._thread = None if system.HAS_POLL else make_writer(descriptor)

    def write(self, text: str) -> None:
        """Write ``text``, or as much of it as fits without blocking."""
        # After a text that was cut, the next one starts on a new line.
        data = (b"\n" if self._is_cut else b"") + text.encode("utf-8", "replace")
        if self._thread is not None:
            if self._thread.unsent_bytes < _MAX_UNSENT_BYTES:
                self._thread.send(data)
            return
        try:
            while data and is_writable(self._descriptor):
                data = data[os.write(self._descriptor, data[:PIPE_CHUNK_BYTES]) :]
        except OSError:
            return  # closed by the client
        self._is_cut = bool(data)

    def print_line(self, message: str) -> None:
        """Print one line about the server itself."""
        from seqthink.core.text import one_line  # noqa: PLC0415 - with the first text, see above

        self.write(f"seqthink: {one_line(message)}\n")


def format_thought(thought: Mapping[str, Any]) -> str:
    """Return a thought as a readable block without control characters: a heading, then its lines behind a rule.

    It has no right edge, so the width of characters does not matter.
    """
    from seqthink.core.text import sanitize  # noqa: PLC0415 - with the first text, see above

    text = thought["thought"]
    lines = sanitize(text[:_MAX_SHOWN_CHARS]).split("\n")
    if len(text) > _MAX_SHOWN_CHARS:
        lines.append(f"… {len(text) - _MAX_SHOWN_CHARS} more characters")
    body = "".join(f"│ {line}\n" for line in lines)
    return f"╭ {_heading(thought)}\n{body}╰\n"


def _heading(thought: Mapping[str, Any]) -> str:
    from seqthink.core.text import one_line  # noqa: PLC0415 - with the first text, see above

    parts = [f"thought {thought['thoughtNumber']}/{thought['totalThoughts']}"]
    if thought.get("revisesThought"):
        parts.append(f"revises {thought['revisesThought']}")
    elif thought.get("isRevision"):
        parts.append("revision")
    if thought.get("branchId"):
        parts.append(f"branch {one_line(thought['branchId'][:80])}")
    if thought.get("branchFromThought"):
        parts.append(f"from {thought['branchFromThought']}")
    return ", ".join(parts)
