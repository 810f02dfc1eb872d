"""A folder like Linux's ``/proc`` in which a test says what runs, and a session of Gemini CLI beside it."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from seqthink.sources.transcripts.files import local_machine
from seqthink.sources.transcripts.gemini import clients
from tests.sources.transcripts.gemini.test_records import HEADER, SESSION, at

BEGAN: Final = 1795369380_000_000
"""When the session began whose records are of ``at(0)``, in microseconds since 1970."""
SECOND: Final = 1_000_000
NAME: Final = "session-2026-11-22T17-43-0a970a83.jsonl"
OPTIONS: Final = "shopt -u promptvars nullglob; "


def wrapped(command: str) -> list[str]:
    """Return how Gemini CLI 0.61.0 runs a command for its model."""
    script = f"""{OPTIONS}_bgpids_file=/tmp/gemini-shell-Rg6Njm/bgpids.tmp
(
  trap 'jobs -p > "$_bgpids_file"' EXIT
{command}
)
__code=$?
exit $__code"""
    return ["/usr/bin/bash", "-c", script]


def look_each_time(patch: pytest.MonkeyPatch) -> None:
    """Let no look at the processes count for longer than it takes."""
    patch.setattr(clients, "MAX_KNOWN_SECONDS", 0.0)
    patch.setattr(clients, "MIN_PAUSES", 0)


class ProcessTable:
    """What runs."""

    def __init__(self, folder: Path, home: Path, patch: pytest.MonkeyPatch) -> None:
        self._proc, self.home, self.work = folder / "proc", home, home / "work"
        self.work.mkdir(parents=True)
        self._starts: dict[int, int] = {}
        self._write("self", [], 0)
        device = folder.stat().st_dev
        mounted = f"25 1 {os.major(device)}:{os.minor(device)} / / rw - ext4 /dev/vda rw\n"
        (self._proc / "self" / "mountinfo").write_text(mounted, "ascii")
        patch.setattr(local_machine, "PROC", self._proc)
        look_each_time(patch)
        patch.setattr(clients, "started_at", self._starts.get)

    def client(
        self,
        process: int,
        *,
        second: float = 0,
        work: Path | None = None,
        environ: Mapping[str, str] | None = None,
        line: Sequence[str] = ("node", "--max-old-space-size=12052", "/usr/bin/gemini", "--yolo"),
        parent: int = 1,
    ) -> None:
        """Start a client that works in a folder."""
        self.start(process, line, parent, second)
        one = self._proc / str(process)
        (one / "cwd").symlink_to(work or self.work)
        variables = environ if environ is not None else {"HOME": str(self.home)}
        (one / "environ").write_text("\0".join(f"{name}={value}" for name, value in variables.items()), "utf-8")

    def start(self, process: int, line: Sequence[str], parent: int, second: float) -> None:
        """Start any program, that many seconds after the session began."""
        self._starts[process] = BEGAN + int(second * SECOND)
        self._write(str(process), line, parent)

    def end(self, process: int) -> None:
        """A program ends."""
        (self._proc / str(process)).rename(self._proc / f"ended-{process}")

    def _write(self, name: str, line: Sequence[str], parent: int) -> None:
        one = self._proc / name
        (one / "ns").mkdir(parents=True)
        (one / "ns" / "pid").symlink_to("pid:[4026531836]")
        (one / "ns" / "mnt").symlink_to("mnt:[1]")
        (one / "cmdline").write_text("".join(f"{part}\0" for part in line), "utf-8")
        (one / "stat").write_text(f"{name} (a) b) S {parent} 0 0", "ascii")


def write_session(
    home: Path, records: Sequence[Any], *, name: str = NAME, session: str = SESSION, began: int = 0, second: int = 50
) -> Path:
    """Write a session of the project in ``home/work``, which began and changed that many seconds after the first."""
    project = home / ".gemini" / "tmp" / "work"
    path = project / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (project / ".project_root").write_text(str(home / "work"), "utf-8")
    header = HEADER | {"sessionId": session, "startTime": at(began)}
    path.write_text("".join(json.dumps(record) + "\n" for record in (header, *records)), "utf-8")
    os.utime(path, (BEGAN / SECOND + second, BEGAN / SECOND + second))
    return path
