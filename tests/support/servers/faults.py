"""Fault injection: a server whose system calls on its journal fail as planned, and are recorded in order.

`tests.support.servers.warm_server` installs the server's side where the environment names a folder. The test's side
writes into that folder which calls fail from now on, and reads the calls made.
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
    """The test's side of the faults."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self.environ = {FOLDER: str(folder)}
        self.set()

    def set(self, **outcomes: str | int) -> None:
        """Set the outcome of named calls on the journal: a name of `errno`, or the number of bytes written."""
        fresh = self._folder / "fresh"
        fresh.write_text(json.dumps(outcomes), encoding="utf-8")
        fresh.replace(self._folder / "outcomes")

    @property
    def calls(self) -> list[str]:
        """The calls in order, each with its target; answers to the client are writes, too."""
        return (self._folder / "calls").read_text(encoding="utf-8").splitlines()


def install(folder: Path) -> None:
    """Install the faults in this process; the server's side."""
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
    """Return the target of a call: the journal, a folder by name, or the client; empty for anything else."""
    path = Path(f"/proc/self/fd/{target}").readlink() if isinstance(target, int) else Path(target)
    if path.suffix == ".jsonl":
        return "journal"
    if path.name.startswith("pipe:"):
        return "client"
    return f"folder {path.name}" if path.is_dir() else ""
