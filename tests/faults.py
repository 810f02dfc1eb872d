"""Faults that no machine can be asked for: a server whose calls on its journal fail as told, and are noted in order.

The server's side is put in by `tests.warm_server` where the environment names a folder; the test's side writes there
what shall fail from now on, and reads what was called.
"""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = "SEQTHINK_TEST_FAULTS"

_real_write = os.write


class Faults:
    """The test's side."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self.environ = {FOLDER: str(folder)}
        self.set()

    def set(self, **outcomes: str | int) -> None:
        """Let each named call on the journal end so from now on: a name of `errno`, or the bytes that are written."""
        fresh = self._folder / "fresh"
        fresh.write_text(json.dumps(outcomes), encoding="utf-8")
        fresh.replace(self._folder / "outcomes")

    @property
    def calls(self) -> list[str]:
        """What was called in order: its name and on what; answers to the client are writes, too."""
        return (self._folder / "calls").read_text(encoding="utf-8").splitlines()


def install(folder: Path) -> None:
    """Make this process a server with faults; the server's side."""
    notes = os.open(folder / "calls", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def wrapped(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(target: Any, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as the call has it
            about = f"folder {Path(target).name}" if name == "mkdir" else _about(target)
            outcome = json.loads((folder / "outcomes").read_bytes()).get(name) if about == "journal" else None
            if about:
                _real_write(notes, f"{name} {about}{' fails' * (outcome is not None)}\n".encode())
            if isinstance(outcome, str):
                number = getattr(errno, outcome)
                raise OSError(number, os.strerror(number), None)
            if isinstance(outcome, int):
                return real(target, rest[0][:outcome])
            return real(target, *rest, **more)

        return call

    for name in ("open", "write", "fsync", "ftruncate", "mkdir"):
        setattr(os, name, wrapped(name, getattr(os, name)))


def _about(target: Any) -> str:  # noqa: ANN401 - a descriptor or a path
    """Return what a call is about: the journal, a folder by its name, the client; nothing for all else."""
    path = Path(f"/proc/self/fd/{target}").readlink() if isinstance(target, int) else Path(target)
    if path.suffix == ".jsonl":
        return "journal"
    if path.name.startswith("pipe:"):
        return "client"
    return f"folder {path.name}" if path.is_dir() else ""
