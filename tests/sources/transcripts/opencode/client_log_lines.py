"""Lines of the log that all processes of OpenCode share, as 1.18.33 writes them."""

from datetime import UTC, datetime
from pathlib import Path


def log_path(database: Path) -> Path:
    """Return where the log of a database is, in a folder that is there."""
    folder = database.parent / "log"
    folder.mkdir(exist_ok=True)
    return folder / "opencode.log"


def log_line(time: int, run: str, said: str) -> str:
    """Return a line of a run, at a time in microseconds since 1970."""
    written = datetime.fromtimestamp(time / 1_000_000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f"timestamp={written} level=INFO run={run} message={said}\n"


def first_line(time: int, run: str) -> str:
    """Return the line with which a process begins."""
    return log_line(time, run, '"creating instance" directory=/home/ada/work')


def work_line(time: int, run: str, session: str) -> str:
    """Return the line that says that a run works on a session."""
    return log_line(time, run, f"process session.id={session} messageID=msg_1")


def asking_line(time: int, run: str, permission: str) -> str:
    """Return the line that says that a run asks for a permission."""
    return log_line(time, run, f'asking id=per_1 permission={permission} patterns="[\\"home/ada/work/a.py\\"]"')
