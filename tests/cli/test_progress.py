"""Progress on stderr, and what happens when a reader goes away, a person interrupts, or a disk is full."""

import io
import signal
import subprocess
from pathlib import Path
from threading import Event

import pytest
from typing_extensions import override

from seqthink.cli.progress import WritingProgress
from tests.bench import journals
from tests.support.depth import first
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment, seqthink

LONG = 3000
OUTPUTS = (["show"], ["replay"], ["export", "--format", "html"], ["export", "--format", "md"])


class Screen(io.StringIO):
    """A terminal that says when something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = Event()

    @override
    def isatty(self) -> bool:
        return True

    @override
    def flush(self) -> None:
        self.written.set()


@pytest.fixture(scope="module")
def long_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return journals.write(tmp_path_factory.mktemp("long") / "a.jsonl", LONG)


def test_progress_is_shown_and_erased() -> None:
    screen = Screen()
    with WritingProgress(screen, first_seconds=0) as shown:
        assert screen.written.wait(TIMEOUT_SECONDS)
        assert "".join(shown.writing(["a", "b"])) == "ab"

    assert screen.getvalue().startswith("\rseqthink: reading ...")
    assert screen.getvalue().endswith("\r\x1b[K")


def test_a_quick_command_shows_none() -> None:
    screen = Screen()
    with WritingProgress(screen, first_seconds=TIMEOUT_SECONDS) as shown:
        list(shown.writing(["a"]))

    assert screen.getvalue() == ""


def test_it_goes_away_before_the_same_screen_is_written_to() -> None:
    screen = Screen()
    with WritingProgress(screen, shares_screen=True, first_seconds=0) as shown:
        assert screen.written.wait(TIMEOUT_SECONDS)
        pieces = shown.writing(["a"])
        next(pieces)
        erased = screen.getvalue()

    assert erased.endswith("\r\x1b[K")
    assert screen.getvalue() == erased


def test_a_pipe_gets_none() -> None:
    screen = io.StringIO()
    with WritingProgress(screen, first_seconds=0) as shown:
        list(shown.writing(["a"]))

    assert screen.getvalue() == ""


@pytest.mark.deep  # test_main.py holds it for every command
@pytest.mark.parametrize("arguments", first(1, OUTPUTS), ids=" ".join)
def test_a_reader_that_goes_away_ends_it_quietly(arguments: list[str], long_journal: Path) -> None:
    with subprocess.Popen(
        command(*arguments, long_journal), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait(TIMEOUT_SECONDS) == 0


@pytest.mark.parametrize("arguments", first(1, OUTPUTS), ids=" ".join)
def test_an_interrupt_ends_it_without_a_traceback(arguments: list[str], long_journal: Path) -> None:
    with subprocess.Popen(
        command(*arguments, long_journal), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()  # the rest does not fit into the pipe
        process.send_signal(signal.SIGINT)

        assert process.wait(TIMEOUT_SECONDS) == 130
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("arguments", first(1, OUTPUTS), ids=" ".join)
def test_a_full_disk_is_one_line(arguments: list[str], long_journal: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command(*arguments, long_journal), env=environment(), stdout=full, stderr=subprocess.PIPE, check=False,
            text=True, encoding="utf-8", timeout=TIMEOUT_SECONDS,
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr == "seqthink: cannot write to stdout: no space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_below_an_exported_file_is_one_line(long_journal: Path) -> None:
    done = seqthink("export", long_journal, "--format", "html", "-o", "/dev/full")

    assert done.returncode == 2
    assert done.stderr == "seqthink: cannot write /dev/full: no space left on device\n"
