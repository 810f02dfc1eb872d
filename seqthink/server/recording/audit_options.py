"""The command line's options for audits. Standard library only: the fast path needs them too."""

from pathlib import Path
from typing import Final, NamedTuple

DEFAULT_AUDIT_SECONDS: Final = 60.0
"""The default of `--audit-timeout`."""


class AuditOptions(NamedTuple):
    """Where audits work, and for how long."""

    workspace: Path | None
    """The folder that the code belongs to, unless the client names one."""
    cwd: Path
    """The server's working folder, used when neither is given."""
    seconds: float = DEFAULT_AUDIT_SECONDS
    """The time limit of one audit, in seconds."""
