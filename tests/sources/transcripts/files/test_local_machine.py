"""What Linux says about this machine's processes and file systems."""

import os
import sys
from pathlib import Path

import pytest

from seqthink.sources.transcripts.files.local_machine import (
    is_of_this_machine,
    open_files,
    processes_named,
    written_files,
)

DEVICE = 0xFE01


@pytest.mark.parametrize(
    ("mount", "has"),
    [
        ("25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda rw", True),
        ("25 1 254:2 / / rw,relatime shared:1 - ext4 /dev/vda rw", False),
        ("25 1 254:1 / /home rw - nfs4 server:/home rw", False),
        ("25 1 254:1 / /home rw - fuse.sshfs x rw", False),
    ],
)
def test_a_file_system_of_this_machine_has_one_number_and_no_other_writers(mount: str, has: bool) -> None:
    assert is_of_this_machine([mount], DEVICE) is has


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say")
def test_a_process_is_found_by_the_name_of_its_program_with_the_files_that_it_has_open(tmp_path: Path) -> None:
    program = Path("/proc/self/comm").read_text("utf-8").strip()
    with (tmp_path / "rollout-1.jsonl").open("wb") as file, (tmp_path / "other").open("wb"):
        status = os.fstat(file.fileno())

        assert os.getpid() in processes_named(program)
        assert os.getpid() not in processes_named(f"{program}x")
        assert open_files(os.getpid(), "rollout-") == {(status.st_dev, status.st_ino)}
        assert (status.st_dev, status.st_ino) in written_files("rollout-")
    assert open_files(os.getpid(), "rollout-") == set()
    assert (status.st_dev, status.st_ino) not in written_files("rollout-")
    assert open_files(1 << 30, "rollout-") is None
