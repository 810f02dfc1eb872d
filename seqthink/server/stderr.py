"""stderr as a courtesy: what its pipe won't take at once is dropped, and no call ever waits for it.

The cleaning of texts loads with the first text: it has no part in a server's first answer.
"""

import os
from collections.abc import Mapping
from typing import Any

from seqthink.server.stdio import PIPE_CHUNK_BYTES, is_writable

_SHOWN = 10_000


class Stderr:
    """Writes whole texts to a descriptor for as long as it takes them, and forgets the rest."""

    def __init__(self, descriptor: int = 2) -> None:
        self._descriptor = descriptor
        self._is_cut = False

    def write(self, text: str) -> None:
        """Write ``text``, or as much of it as goes without waiting."""
        # After a cut the next text begins on a line of its own.
        data = (b"\n" if self._is_cut else b"") + text.encode("utf-8", "replace")
        try:
            while data and is_writable(self._descriptor):
                data = data[os.write(self._descriptor, data[:PIPE_CHUNK_BYTES]) :]
        except OSError:
            return  # closed by the client: nobody reads
        self._is_cut = bool(data)

    def print_line(self, message: str) -> None:
        """Write one line of the program's own."""
        from seqthink.text import one_line

        self.write(f"seqthink: {one_line(message)}\n")


def format_thought(thought: Mapping[str, Any]) -> str:
    """Return a thought as a readable block: a heading, then its lines behind a rule; no control characters.

    It has no right edge, so the width of no character matters.
    """
    from seqthink.text import sanitize

    text = thought["thought"]
    lines = sanitize(text[:_SHOWN]).split("\n")
    if len(text) > _SHOWN:
        lines.append(f"… {len(text) - _SHOWN} more characters")
    body = "".join(f"│ {line}\n" for line in lines)
    return f"╭ {_heading(thought)}\n{body}╰\n"


def _heading(thought: Mapping[str, Any]) -> str:
    from seqthink.text import one_line

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
