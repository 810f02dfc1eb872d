"""Where journals live and how sessions are named (docs/journal.md, "Where it lives").

Standard library and platformdirs only, because the server imports it.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

SUFFIX = ".jsonl"
"""Suffix of a journal's file name."""
NOTES_SUFFIX, REPAIRED_SUFFIX = f".notes{SUFFIX}", f".repaired{SUFFIX}"
"""Suffixes of the files beside a journal: notes to its agent, and a repaired copy made by `seqthink check`."""

ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""The base-32 alphabet of the six random letters that end a session id."""

_APP_NAME = "seqthink"
_PRIVATE_MODE = 0o700


def seqthink_home(environ: Mapping[str, str]) -> Path:
    """Return the folder of all of seqthink's data: ``SEQTHINK_HOME``, else the platform's state folder."""
    named = environ.get("SEQTHINK_HOME", "")
    if named:
        return Path(named).expanduser()
    import platformdirs  # noqa: PLC0415 - only without SEQTHINK_HOME

    return platformdirs.user_state_path(_APP_NAME, appauthor=False)


def sessions_folder(home: Path) -> Path:
    """Return the folder of the journals in ``home``."""
    return home / "sessions"


def default_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of the journals: ``SEQTHINK_JOURNAL_DIR``, else the one below `seqthink_home`.

    Raises:
        RuntimeError: it begins with a user's home folder (``~``), and that one is not known.
    """
    named = environ.get("SEQTHINK_JOURNAL_DIR", "")
    return (Path(named) if named else sessions_folder(seqthink_home(environ))).expanduser()


def missing_folders(folder: Path) -> list[Path]:
    """Return those of ``folder`` and its parents that do not exist, outermost first."""
    return [level for level in (*reversed(folder.parents), folder) if not level.is_dir()]


def make_private_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents with mode 0700; existing folders keep their mode.

    Raises:
        OSError: a folder cannot be created.
    """
    # `mkdir(parents=True)` gives parents the default mode, so each level is created separately.
    for level in missing_folders(folder):
        level.mkdir(mode=_PRIVATE_MODE, exist_ok=True)
        with suppress(OSError):  # file systems without modes refuse
            level.chmod(_PRIVATE_MODE)  # independent of the umask


def new_session_id(now: datetime, letters: str) -> str:
    """Return the id of a session that starts at ``now``; six random ``letters`` make it unique within a microsecond."""
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%S.%f}Z-{letters}"


def is_journal(name: str) -> bool:
    """Whether a file name in the folder of the journals is that of a journal."""
    return name.endswith(SUFFIX) and name != SUFFIX and not name.endswith((NOTES_SUFFIX, REPAIRED_SUFFIX))


def journal_path(folder: Path, session: str) -> Path:
    """Return the path of the journal of ``session`` in ``folder``."""
    return folder / f"{session}{SUFFIX}"


def notes_path(journal: Path) -> Path:
    """Return the path of the notes file beside ``journal``."""
    return journal.with_name(journal.name.removesuffix(SUFFIX) + NOTES_SUFFIX)
