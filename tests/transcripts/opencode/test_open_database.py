"""Whether any program may still write a database, by the locks that Linux lists."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.events import WriterState
from seqthink.transcripts.opencode.open_database import has_listed_locks, holders_in, is_abandoned
from seqthink.transcripts.opencode.private_copy import FileState, own_file
from seqthink.transcripts.opencode.source import OpenCodeSource
from seqthink.transcripts.spool import Spool
from tests.transcripts.opencode.client_database import BEGIN, ClientDatabase

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems list no locks")
FILE = FileState(0xFE01, 77, 1, 1)
"""A file of the device fe:01."""
CLIENT = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("INSERT INTO part VALUES ('p', 'm', 'root', 1, 1, '{}')")
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("line", "holders"),
    [
        ("1: POSIX  ADVISORY  READ 24982 fe:01:77 128 128", [24982]),
        ("1: POSIX  ADVISORY  WRITE 12 fe:01:77 120 EOF", [12]),
        ("1: OFDLCK ADVISORY  READ -1 fe:01:77 128 128", [-1]),
        ("1: POSIX  ADVISORY  READ 24982 fe:01:77 123 124", []),
        ("1: POSIX  ADVISORY  READ 24982 fe:01:78 128 128", []),
        ("1: POSIX  ADVISORY  READ 24982 fe:02:77 128 128", []),
        ("1: -> POSIX ADVISORY WRITE 24982 fe:01:77 128 128", []),
        ("nonsense", []),
        ("", []),
    ],
)
def test_whoever_holds_the_lock_of_an_open_database_has_it_open(line: str, holders: list[int]) -> None:
    assert list(holders_in([line], FILE)) == holders


@pytest.mark.parametrize(
    ("mount", "has"),
    [
        ("25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda rw", True),
        ("25 1 254:2 / / rw,relatime shared:1 - ext4 /dev/vda rw", False),
        ("25 1 254:1 / /home rw - nfs4 server:/home rw", False),
        ("25 1 254:1 / /home rw - fuse.sshfs x rw", False),
    ],
)
def test_locks_are_listed_for_file_systems_of_this_machine_that_have_one_number(mount: str, has: bool) -> None:
    assert has_listed_locks([mount], FILE.device) is has


def test_a_database_without_shared_memory_is_not_known_to_be_abandoned(tmp_path: Path) -> None:
    assert is_abandoned(tmp_path / "opencode.db-shm") is None


def _is_told(path: Path) -> bool:
    """Return whether this system tells of the locks on a file."""
    file = own_file(path)
    try:
        is_whole = Path("/proc/self/ns/pid").readlink().name == "pid:[4026531836]"
        mounts = Path("/proc/self/mountinfo").read_text("utf-8").splitlines()
    except OSError:
        return False
    return is_whole and file is not None and has_listed_locks(mounts, file.device)


@pytest.fixture
def client(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    database = ClientDatabase(tmp_path / "opencode.db")
    database.session("root", "a title")
    database.message("root", "m1", "user")
    database.part("root", "m1", "p1", type="text", text="go")
    command = [sys.executable, "-c", CLIENT, str(database.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        database.close()
        yield process
        process.kill()


def test_a_session_whose_client_was_killed_is_lost_though_no_server_of_ours_says_so(
    tmp_path: Path, client: "subprocess.Popen[str]"
) -> None:
    if not _is_told(tmp_path / "opencode.db-shm"):
        pytest.skip("locks on this file system are not listed")
    source, now = OpenCodeSource(), (BEGIN + 60_000) * 1000
    (found,) = source.find(tmp_path, 5)
    spool = Spool(source, found, tmp_path / "spool.jsonl")
    spool.advance_to_end(now, 1 << 20)
    during = spool.writer(now)
    client.kill()
    client.wait(60)

    assert (during, spool.writer(now)) == (WriterState.ALIVE, WriterState.GONE)
    spool.close()
