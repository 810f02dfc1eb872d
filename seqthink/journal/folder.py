"""Where journals live and how a session is named (journal.md, "Where it lives"); standard library and platformdirs."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

SUFFIX = ".jsonl"
NOTES_SUFFIX, REPAIRED_SUFFIX = f".notes{SUFFIX}", f".repaired{SUFFIX}"
"""What files beside a journal end in: notes for its agent, and a copy that `seqthink check` made of it."""

ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""The base-32 alphabet of a session id's last six letters."""

_APP_NAME = "seqthink"
_PRIVATE_MODE = 0o700


def seqthink_home(environ: Mapping[str, str]) -> Path:
    """Return the folder that holds all that seqthink keeps: ``SEQTHINK_HOME``, else the platform's state folder."""
    named = environ.get("SEQTHINK_HOME", "")
    if named:
        return Path(named).expanduser()
    import platformdirs  # noqa: PLC0415 - only where nobody says where

    return platformdirs.user_state_path(_APP_NAME, appauthor=False)


def sessions_folder(home: Path) -> Path:
    """Return the folder of the journals below ``home``."""
    return home / "sessions"


def default_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of the journals: ``SEQTHINK_JOURNAL_DIR``, else the one below `seqthink_home`.

    Raises:
        RuntimeError: it begins with a user's home folder (``~``), and that one is not known.
    """
    named = environ.get("SEQTHINK_JOURNAL_DIR", "")
    return (Path(named) if named else sessions_folder(seqthink_home(environ))).expanduser()


def missing_folders(folder: Path) -> list[Path]:
    """Return ``folder`` and its parents as far as they are not there, outermost first."""
    return [level for level in (*reversed(folder.parents), folder) if not level.is_dir()]


def make_private_folder(folder: Path) -> None:
    """Make ``folder`` with mode 0700, its parents too; one that is there keeps its mode.

    Raises:
        OSError: it cannot be made.
    """
    # `mkdir(parents=True)` gives the parents the process's default mode, so each level is made on its own.
    for level in missing_folders(folder):
        level.mkdir(mode=_PRIVATE_MODE, exist_ok=True)
        with suppress(OSError):  # a file system without modes refuses, and has none to care for
            level.chmod(_PRIVATE_MODE)  # whatever the umask took away


def new_session_id(now: datetime, letters: str) -> str:
    """Return the id of a session that begins ``now``; six base-32 ``letters`` tell those of one microsecond apart."""
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%S.%f}Z-{letters}"


def is_journal(name: str) -> bool:
    """Whether a file of this name, in the folder of the journals, is a session's journal."""
    return name.endswith(SUFFIX) and name != SUFFIX and not name.endswith((NOTES_SUFFIX, REPAIRED_SUFFIX))


def journal_path(folder: Path, session: str) -> Path:
    """Return the file of ``session``, which lies directly in ``folder``."""
    return folder / f"{session}{SUFFIX}"


def notes_path(journal: Path) -> Path:
    """Return the file beside ``journal`` that holds the notes for its agent."""
    return journal.with_name(journal.name.removesuffix(SUFFIX) + NOTES_SUFFIX)
