"""Where journals live and how sessions are named (docs/journal.md, "Where it lives").

The server and `seqthink status` start with it, so it loads next to nothing: `pathlib` where a path is asked for as one,
platformdirs where the platform's folder is not one of two well-known names.
"""

import os
import sys
from collections.abc import Mapping

TYPE_CHECKING = False  # `typing` takes long to load
if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

SUFFIX = ".jsonl"
"""Suffix of a journal's file name."""
NOTES_SUFFIX, REPAIRED_SUFFIX = f".notes{SUFFIX}", f".repaired{SUFFIX}"
"""Suffixes of the files beside a journal: notes to its agent, and a repaired copy made by `seqthink check`."""

ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
"""The base-32 alphabet of the six random letters that end a session id."""

_APP_NAME, _SESSIONS = "seqthink", "sessions"
_PRIVATE_MODE = 0o700


def seqthink_home(environ: Mapping[str, str]) -> "Path":
    """Return the folder of all of seqthink's data: ``SEQTHINK_HOME``, else the platform's state folder.

    Raises:
        RuntimeError: it begins with a user's home folder (``~``), and that one is not known.
    """
    from pathlib import Path  # noqa: PLC0415 - not where the name is enough

    return Path(home_name(environ))


def home_name(environ: Mapping[str, str]) -> str:
    """Return `seqthink_home` as a string. Raises as that does."""
    named = environ.get("SEQTHINK_HOME", "")
    return _expanded(named) if named else _state_folder()


def sessions_folder(home: "Path") -> "Path":
    """Return the folder of the journals in ``home``."""
    return home / _SESSIONS


def default_folder(environ: Mapping[str, str]) -> "Path":
    """Return the folder of the journals: ``SEQTHINK_JOURNAL_DIR``, else the one below `seqthink_home`.

    Raises:
        RuntimeError: it begins with a user's home folder (``~``), and that one is not known.
    """
    from pathlib import Path  # noqa: PLC0415 - not where the name is enough

    return Path(default_folder_name(environ))


def default_folder_name(environ: Mapping[str, str]) -> str:
    """Return `default_folder` as a string. Raises as that does."""
    named = environ.get("SEQTHINK_JOURNAL_DIR", "")
    return _expanded(named) if named else os.path.join(home_name(environ), _SESSIONS)  # noqa: PTH118 - pathlib takes longer to load than all else here


def _expanded(path: str) -> str:
    """Return a path with the home folder in place of ``~``, as `Path.expanduser` does."""
    if not path.startswith("~"):
        return path
    expanded = os.path.expanduser(path)  # noqa: PTH111 - as above
    if expanded.startswith("~"):
        raise RuntimeError("Could not determine home directory.")
    return expanded


def _state_folder() -> str:
    """Return the platform's state folder for seqthink, which platformdirs knows."""
    state, home = os.environ.get("XDG_STATE_HOME", ""), os.environ.get("HOME", "")
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        # What it says on nearly every machine, without loading it.
        if state.startswith("/"):
            return f"{state.rstrip('/')}/{_APP_NAME}"
        if not state and home.startswith("/"):
            return f"{home.rstrip('/')}/.local/state/{_APP_NAME}"
    import platformdirs  # noqa: PLC0415 - as said above

    return str(platformdirs.user_state_path(_APP_NAME, appauthor=False))


def missing_folders(folder: "Path") -> "list[Path]":
    """Return those of ``folder`` and its parents that do not exist, outermost first."""
    return [level for level in (*reversed(folder.parents), folder) if not level.is_dir()]


def make_private_folder(folder: "Path") -> None:
    """Create ``folder`` and its missing parents with mode 0700; existing folders keep their mode.

    Raises:
        OSError: a folder cannot be created.
    """
    # `mkdir(parents=True)` gives parents the default mode, so each level is created separately.
    for level in missing_folders(folder):
        level.mkdir(mode=_PRIVATE_MODE, exist_ok=True)
        try:
            level.chmod(_PRIVATE_MODE)  # independent of the umask
        except OSError:  # a file system without modes refuses
            continue


def new_session_id(now: "datetime", letters: str) -> str:
    """Return the id of a session that starts at ``now``; six random ``letters`` make it unique within a microsecond."""
    from datetime import UTC  # noqa: PLC0415 - only for a new session

    return f"{now.astimezone(UTC):%Y%m%dT%H%M%S.%f}Z-{letters}"


def is_journal(name: str) -> bool:
    """Whether a file name in the folder of the journals is that of a journal."""
    return name.endswith(SUFFIX) and name != SUFFIX and not name.endswith((NOTES_SUFFIX, REPAIRED_SUFFIX))


def journal_path(folder: "Path", session: str) -> "Path":
    """Return the path of the journal of ``session`` in ``folder``."""
    return folder / f"{session}{SUFFIX}"


def notes_path(journal: "Path") -> "Path":
    """Return the path of the notes file beside ``journal``."""
    return journal.with_name(journal.name.removesuffix(SUFFIX) + NOTES_SUFFIX)
