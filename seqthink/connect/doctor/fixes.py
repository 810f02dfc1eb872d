"""Commands that put something right, and words for them from texts that are not to be trusted. Pure."""

import shlex
from typing import Final

from seqthink.core.text import one_line

INSTALL: Final = "uv tool install seqthink"
REINSTALL: Final = "uv tool install --reinstall seqthink"


def shell_word(text: object) -> str:
    """Return a path or another text as one word of a POSIX shell.

    One that no terminal can show as it is becomes `…`: a command that only looks right must not be copied.
    """
    word = str(text)
    return shlex.quote(word) if word == one_line(word) else "…"


def write_command(client: str, scope: str = "user") -> str:
    """Return the command that writes the entry of ``client`` again.

    In the ``local`` scope, which we do not write, it removes the entry, so that the user's counts.
    """
    if scope == "local":
        return "claude mcp remove seqthink -s local"
    return f"seqthink config {client} --write" + (" --scope project" if scope == "project" else "")
