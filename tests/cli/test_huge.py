"""One huge text on its way to a pipe: it is never in memory many times over."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.servers.commands import command

MEGABYTE = 1 << 20
_MEASURED = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL);"
    "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


@pytest.mark.parametrize("arguments", first(1, [("show", "--full"), ("export", "--format", "md")]))
@pytest.mark.parametrize("line", first(1, ["# *a* `b` [c](d)\n", "a line of a thought\n"]))
def test_a_huge_text_is_written_without_being_held_many_times(
    arguments: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    text = line * (8 * MEGABYTE // len(line))
    path = JournalBuilder().session().thought(text, next=False).write(tmp_path / "a.jsonl")
    child = [sys.executable, "-c", _MEASURED, *command(*arguments, path)]
    status, kilobytes = subprocess.run(child, check=True, capture_output=True, timeout=120).stdout.split()

    assert int(status) == 0
    assert int(kilobytes) * 1024 < 48 * MEGABYTE + 4 * len(text)
