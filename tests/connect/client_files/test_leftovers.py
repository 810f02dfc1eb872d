"""What a run leaves that is killed at any moment: the old file or the new one, and no more copies than are promised."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from seqthink.connect.client_files.backups import backup_paths
from seqthink.connect.client_files.leftovers import leftovers_of, write_beside
from seqthink.connect.client_files.locking import exclusive_lock
from seqthink.connect.clients.registry import CLIENTS
from seqthink.connect.doctor.client_entries import read_entries
from tests.conftest import PROJECT
from tests.support.clients.machine import Machine, servers_in
from tests.support.depth import sized

OLD = json.dumps({"mcpServers": {"gh": {"command": "x", "env": {"TOKEN": "secret"}}}})
KILLED_RUNS = """
import os, signal, sys
from seqthink.__main__ import main
from seqthink.cli.connecting import config, writing
from seqthink.connect.client_files import applying
FILES = {"open", "os.link", "os.rename", "os.remove", "os.setxattr", "ctypes.dlsym"}
left, is_near = 0, False
def hook(event, arguments):
    global left, is_near
    is_near = is_near or any("clients.lock" in str(argument) for argument in arguments)
    if is_near and event in FILES:
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
for line in sys.stdin:
    child = os.fork()
    if not child:
        left = int(line)
        os.dup2(2, 1)
        sys.addaudithook(hook)
        os._exit(main(["config", "cursor", "--write", "--yes"]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Runs that are killed at the n-th thing they do to a file, from when they have the lock; each line is an n."""
MOST_STEPS = 60


@pytest.fixture
def killed_runs(machine: Machine) -> Iterator[Callable[[int], int]]:
    """Return what makes a run that is killed at a step, and returns its status: 0 if it has fewer steps."""
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED_RUNS],
        env={**machine.environ, "PYTHONPATH": str(PROJECT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )

    def run(step: int) -> int:
        assert process.stdin is not None
        assert process.stdout is not None
        print(step, file=process.stdin, flush=True)
        return int(process.stdout.readline())

    with process:
        yield run
        process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="it is killed by a signal")
def test_a_kill_at_any_moment_leaves_one_whole_file_and_one_private_copy(
    machine: Machine, killed_runs: Callable[[int], int]
) -> None:
    path = machine.write("cursor", OLD)
    path.chmod(0o640)
    statuses: list[int] = []
    os.utime(path, (0, 0))  # what was written just now is looked at twice
    for step in range(1, MOST_STEPS, sized(3, 1)):
        statuses.append(killed_runs(step))
        assert {"gh"} <= set(servers_in(path.read_bytes()))
        assert [copy.stat().st_mode & 0o077 & ~path.stat().st_mode for copy in leftovers_of(path)] in ([], [0])
        read_entries(CLIENTS["cursor"], sys.platform, machine.environ, lambda: None)  # as `doctor` does
        assert leftovers_of(path) == []
        copies = backup_paths(path)
        assert [(copy.read_text("utf-8"), stat.S_IMODE(copy.stat().st_mode)) for copy in copies] in (
            [],
            [(OLD, 0o600)],
        )
        if not statuses[-1]:
            break
        if "seqthink" in servers_in(path.read_bytes()):
            path.write_text(OLD, "utf-8")
            os.utime(path, (0, 0))

    assert statuses[-1] == 0
    assert len(statuses) > sized(3, 5)


@pytest.mark.parametrize("is_nameless", [True, False])
def test_a_file_is_written_beside_with_and_without_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_nameless: bool
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if not is_nameless:
        monkeypatch.setattr("seqthink.connect.client_files.leftovers._NAMELESS", 0)
    seen: list[list[Path]] = []

    write_beside(folder / "new", b"text", prepare=lambda _descriptor: seen.append(list(folder.iterdir())))

    assert (folder / "new").read_bytes() == b"text"
    assert stat.S_IMODE((folder / "new").stat().st_mode) == 0o600
    assert list(folder.iterdir()) == [folder / "new"]
    if is_nameless and _has_nameless_files(folder):
        assert seen == [[]]


def _has_nameless_files(folder: Path) -> bool:
    try:
        os.close(os.open(folder, os.O_WRONLY | os.O_TMPFILE))
    except (AttributeError, OSError):
        return False
    return True


def test_a_name_that_is_taken_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"mine")

    with pytest.raises(FileExistsError):
        write_beside(tmp_path / "there", b"text")
    assert (tmp_path / "there").read_bytes() == b"mine"


def test_looking_at_a_file_deletes_what_a_killed_run_left_but_never_while_a_run_writes(machine: Machine) -> None:
    path = machine.write("cursor", OLD)
    left, mine = path.with_name(".mcp.json.seqthink-0123abcd.tmp"), path.with_name(".mcp.json.tmp")
    for other in (left, mine):
        other.write_text("{}", "utf-8")
    with exclusive_lock(machine.environ):
        machine.plan("cursor")
        stays = left.exists()
    machine.plan("cursor")

    assert (stays, left.exists(), mine.exists()) == (True, False, True)


def test_looking_makes_no_folder_for_a_lock(machine: Machine) -> None:
    path = machine.write("cursor", OLD)
    left = path.with_name(".mcp.json.seqthink-0123abcd.tmp")
    left.write_text("{}", "utf-8")

    machine.plan("cursor")

    assert left.exists()
    assert list(Path(machine.environ["SEQTHINK_HOME"]).rglob("*")) == []
