"""Names of exported files."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from seqthink.chain.session import Session
from seqthink.drawing.describe.session import session_name

MAX_NAME_CHARS = 60
_UNSAFE_CHARS = re.compile(r"[^\w.-]+")


def export_paths(folder: Path, session: Session, suffix: str) -> Iterator[Path]:
    """Yield paths for a session's export: named like the session, then numbered from 2 on."""
    name = _UNSAFE_CHARS.sub("-", session_name(session)).strip("-.")[:MAX_NAME_CHARS] or "session"
    return (folder / f"{name}{f'-{number}' if number > 1 else ''}{suffix}" for number in count(1))


def unused_paths(folder: Path, session: Session, suffix: str) -> Iterator[Path]:
    """Yield those of `export_paths` where nothing is yet."""
    return (path for path in export_paths(folder, session, suffix) if not path.exists())
