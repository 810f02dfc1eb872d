"""The result of trying a server. Pure."""

from typing import Literal

from msgspec import Struct

from seqthink.connect.doctor.probe_messages import ServerName

Outcome = Literal[
    "answered", "cannot start", "exited", "silent", "no protocol", "flooded", "not initialized", "no tool", "refused"
]


class ProbeResult(Struct, frozen=True):
    """The result of trying a server. Its texts are untrusted."""

    outcome: Outcome
    server: ServerName | None = None
    """Who answered, if anything did."""
    last_words: str = ""
    """Why it failed: the last line of stderr, the system's reason, a line of stdout, the refusal."""
    exit_status: int | None = None
    """The program's exit status, if it ended by itself before it had answered."""
    stray_lines: int = 0
    """Lines on stdout that were not messages, before the last answer."""
    has_journal: bool = False
    """Whether the test's folder held a journal with the call."""
    seconds: float = 0.0
    """Seconds from the start to the first answer."""
