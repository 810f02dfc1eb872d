"""What the command line says of audits. Standard library only: the fast front need know no more of them."""

from pathlib import Path
from typing import Final, NamedTuple

DEFAULT_AUDIT_SECONDS: Final = 60.0
"""So long an audit may take, unless `--audit-timeout` says otherwise."""


class AuditOptions(NamedTuple):
    """That thoughts are audited: where, unless the client says, and for how many seconds at most."""

    workspace: Path | None
    cwd: Path
    seconds: float = DEFAULT_AUDIT_SECONDS
