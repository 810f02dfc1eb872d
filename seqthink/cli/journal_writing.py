"""What a command that writes a journal needs of its process: clock, random letters, sleep, working folder.

Standard library only: `serve` starts with it.
"""

import os
import time
from datetime import UTC, datetime

from seqthink.core import system
from seqthink.journal.folder import ID_ALPHABET
from seqthink.journal.writer import WriterEnvironment

pause = time.sleep  # noqa: TID251 - the edge provides the sleep: a lock that a viewer probes is free again at once


def writer_environment() -> WriterEnvironment:
    """Return the clock, random letters and sleep of this process."""
    return WriterEnvironment(clock=_now, letters=_letters, sleep=pause)


def working_folder() -> str:
    """Return the working folder, as text for the journal; empty if it was deleted."""
    try:
        return os.getcwd()  # noqa: PTH109 - as text
    except OSError:
        return ""


def process_fields() -> dict[str, object]:
    """Return what a `session` event says about the process that writes."""
    from seqthink.library.repositories.git_folder import git_folder_above  # after the first answer

    folder = working_folder()
    git = git_folder_above(folder)
    return {
        "pid": os.getpid(),
        "host": system.host_name(),
        "cwd": folder,
        "branch": (git.branch or None) if git is not None else None,
        "remote": (git.remote or None) if git is not None else None,
    }


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the edge reads the clock


def _letters() -> str:
    return "".join(ID_ALPHABET[byte % len(ID_ALPHABET)] for byte in os.urandom(6))
