"""The relay, with real processes: what passes is what passes without it."""

import os
import random
import signal
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.proc import process_file
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import refusal_line, seqthink
from tests.support.servers.tapped import all_of_stderr, run_bytes, script, start_tapped, tap_command
from tests.support.servers.wire import Wire

CAT = "import sys, shutil; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"
BUSY = """
import hashlib, os, random, sys, threading
seed, count = int(sys.argv[1]), int(sys.argv[2])
def speak():
    dice = random.Random(seed)
    for _ in range(count):
        sys.stdout.buffer.write(dice.randbytes(dice.randrange(1, 40_000)))
        sys.stdout.buffer.flush()
speaker = threading.Thread(target=speak)
speaker.start()
heard = hashlib.sha256(sys.stdin.buffer.read()).hexdigest()
speaker.join()
sys.stderr.write(heard + "\\n")
sys.exit(seed % 5)
"""
OBEDIENT = """
import os, signal, sys
def stop(number, frame):
    os.write(1, b"stopped by %d" % number)
    os._exit(7)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
    signal.signal(number, stop)
os.write(1, b"ready")
while True:
    signal.pause()
"""
FILLING = """
import os, select, sys
os.set_blocking(1, False)
sent = 0
while select.select([], [1], [], 0.5)[1]:
    try:
        sent += os.write(1, b"x" * 4096)
    except BlockingIOError:
        pass
os.set_blocking(1, True)
os.write(2, b"%d\\n" % sent)
sys.stdin.read()
os.write(1, b"end")
"""
HOLDING_BACK = (
    "import os, signal; going_on = {signal.SIGUSR1}; signal.pthread_sigmask(signal.SIG_BLOCK, going_on); "
    "os.write(1, b'ready'); signal.sigwait(going_on); " + CAT
)
MAX_BUFFERED_BYTES = 1 << 20
"""More than what pipes and one piece in each direction hold."""


def receive_all(wire: Wire) -> bytes:
    """Return all bytes until the server closes stdout."""
    return wire.receive_bytes(1 << 40)


# Bytes


@pytest.mark.parametrize("seed", first(1, range(3)))
def test_random_bytes_pass_in_both_directions_at_once_as_they_do_without_the_tap(seed: int) -> None:
    words, sent = script(BUSY, str(seed), "200"), random.Random(seed).randbytes(5_000_000)

    tapped, direct = run_bytes(tap_command(words), sent), run_bytes(words, sent)

    assert (tapped.stdout == direct.stdout, len(tapped.stdout) > 1_000_000) == (True, True)
    assert tapped.stderr.splitlines()[0] == direct.stderr.splitlines()[0]
    assert tapped.returncode == direct.returncode == seed


@pytest.mark.parametrize(
    "data",
    first(
        3,
        [
            b"",
            b"\n",
            b"\r\n\r\n",
            b"no line feed",
            b"\x00\xff\n\xe2\x80\xa8",
            b'{"method":"tools/call"\n',
            b'{"method":"tools/call"}\n',
            b'{"method":"tools/call","id":1,"params":' + b"[" * 99_999 + b"\n",
        ],
    ),
)
def test_what_is_no_message_passes_unchanged(data: bytes) -> None:
    done = run_bytes(tap_command(script(CAT)), data)

    assert (done.stdout, done.stderr, done.returncode) == (data, b"", 0)


def test_every_byte_passes_at_once_and_waits_for_no_line() -> None:
    echo = "import os\nwhile data := os.read(0, 9): os.write(1, data)"
    with start_tapped(script(echo)) as wire:
        for number in range(256):
            wire.send_bytes(bytes([number]))
            assert wire.receive_bytes(1) == bytes([number])
        wire.hang_up()

        assert wire.status() == 0


def test_a_line_that_is_too_long_to_be_read_passes_and_is_counted() -> None:
    data = b'"' + b"x" * (5 << 20) + b'"\n'

    done = run_bytes(tap_command(script(CAT)), data)

    assert done.stdout == data
    assert done.stderr == b"seqthink: tap: lines over 4 MiB were passed on, but not read: 2\n"


# Back pressure


def test_a_client_that_does_not_read_makes_the_server_wait() -> None:
    with start_tapped(script(FILLING)) as wire:
        assert wire.stderr is not None
        sent = int(os.read(wire.stderr, 100))
        wire.hang_up()

        assert 0 < sent < MAX_BUFFERED_BYTES
        assert receive_all(wire) == b"x" * sent + b"end"


def test_a_server_that_does_not_read_makes_the_client_wait() -> None:
    data = random.Random(1).randbytes(8 << 20)
    with start_tapped(script(HOLDING_BACK)) as wire:
        assert wire.receive_bytes(5) == b"ready"
        rest = wire.send_while_it_reads(data)
        os.kill(wire.pid, signal.SIGUSR1)
        wire.send_bytes(rest)
        wire.hang_up()
        received = receive_all(wire)

        assert len(data) - len(rest) < MAX_BUFFERED_BYTES
        assert received == data


# The end


def test_all_output_of_a_server_that_has_ended_passes_before_the_tap_ends() -> None:
    with start_tapped(script("import os; os.write(1, b'x' * 60_000); os._exit(3)")) as wire:
        assert wire.status() == 3  # a pipe holds that much: it was passed before anybody read
        assert receive_all(wire) == b"x" * 60_000


def test_the_end_of_the_server_ends_the_tap_though_the_client_stays_and_a_child_holds_its_stdout() -> None:
    leaving = (
        "import os, signal\n"
        "if os.fork() == 0:\n    os.write(2, b'%d\\n' % os.getpid()); signal.pause()\n"
        "os.write(1, b'gone'); os._exit(4)"
    )
    with start_tapped(script(leaving)) as wire:
        assert wire.stderr is not None
        child = int(os.read(wire.stderr, 100))
        try:
            assert wire.status() == 4
            assert wire.receive_bytes(4) == b"gone"
        finally:
            os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_signal_that_ends_the_server_is_reported_as_a_shell_does(number: int) -> None:
    done = run_bytes(tap_command(script(f"import os; os.kill(os.getpid(), {int(number)})")))

    assert done.returncode == 128 + number


def test_the_end_of_stdin_passes_and_the_answer_to_it() -> None:
    with start_tapped(script("import sys; sys.stdin.read(); print('bye'); sys.exit(5)")) as wire:
        wire.hang_up()

        assert receive_all(wire) == b"bye\n"
        assert wire.status() == 5


def test_a_server_that_closes_its_stdin_is_noticed_by_the_client() -> None:
    with start_tapped(
        script("import os, signal; signal.alarm(600); os.close(0); os.write(1, b'x'); signal.pause()")
    ) as wire:
        assert wire.receive_bytes(1) == b"x"
        with pytest.raises(BrokenPipeError):
            wire.send_unread(b"y" * MAX_BUFFERED_BYTES)


def test_a_server_that_closes_its_stdout_is_noticed_by_the_client() -> None:
    with start_tapped(script("import os, sys; os.write(1, b'x'); os.close(1); sys.stdin.read(); os._exit(6)")) as wire:
        assert receive_all(wire) == b"x"
        wire.hang_up()

        assert wire.status() == 6


def test_a_client_that_closes_its_end_is_noticed_by_the_server() -> None:
    endless = "import os\ntry:\n    while True: os.write(1, b'x' * 4096)\nexcept BrokenPipeError:\n    os._exit(9)"
    with start_tapped(script(endless)) as wire:
        wire.receive_bytes(1)
        wire.close_stdout()

        assert wire.status() == 9


# Signals


@pytest.mark.parametrize("number", first(2, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1]))
def test_a_signal_passes_to_the_server_which_decides(number: int) -> None:
    with start_tapped(script(OBEDIENT)) as wire:
        assert wire.receive_bytes(5) == b"ready"
        os.kill(wire.pid, number)

        assert receive_all(wire) == b"stopped by %d" % number
        assert wire.status() == 7


@pytest.mark.skipif(not hasattr(signal, "sigwaitinfo"), reason="the system does not say who sent a signal")
def test_a_key_of_the_terminal_is_not_passed_on_as_it_reaches_the_server_by_itself() -> None:
    # This server has left the terminal's foreground, so what it gets comes from the tap.
    listening = (
        "import os, signal\n"
        "os.setpgid(0, 0)\n"
        "signal.signal(signal.SIGINT, lambda *_: os.write(1, b'interrupted'))\n"
        "signal.signal(signal.SIGUSR1, lambda *_: os._exit(8))\n"
        "os.write(1, b'ready')\n"
        "while True: signal.pause()"
    )
    with Terminal(tap_command(script(listening)), is_controlling=True) as terminal:
        terminal.until("ready")
        terminal.type("\x03")
        terminal.until("^C")
        os.kill(terminal.process.pid, signal.SIGUSR1)  # comes behind what the key has caused

        assert terminal.end() == 8
    assert "interrupted" not in terminal.text


def test_a_signal_ends_a_tap_whose_server_has_ended_and_whose_client_does_not_read() -> None:
    flood = "import os; os.write(2, b'%d' % os.getpid()); os.write(1, b'x' * 180_000); os._exit(0)"
    with start_tapped(script(flood)) as wire:
        assert wire.stderr is not None
        server = int(os.read(wire.stderr, 100))
        while process_file(server, "stat").exists():
            os.kill(wire.pid, 0)
        os.kill(wire.pid, signal.SIGTERM)

        assert wire.status() == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system shows nobody's signals")
def test_the_server_starts_with_the_signals_of_the_client() -> None:
    # Neither what the tap blocks nor what Python ignores is handed on. Signals above 31 are the C library's own.
    show_masks = r"""sed -n 's/^Sig\(Blk\|Ign\).*\(.\{8\}\)$/\1 \2/p' /proc/self/status"""

    shown = run_bytes(tap_command(["sh", "-c", show_masks])).stdout.decode().split()

    assert shown[::2] == ["Blk", "Ign"]
    assert [int(mask, 16) & 0x7FFFFFFF for mask in shown[1::2]] == [0, 0]


# Starting


def test_stderr_environment_and_working_folder_are_the_server_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_CLIENT", "seen")
    words = script(
        "import os, sys; sys.stderr.buffer.write(b'\\xff\\n' + os.environb[b'OF_THE_CLIENT'] + os.getcwdb())"
    )

    assert run_bytes(tap_command(words)).stderr == run_bytes(words).stderr


@pytest.mark.parametrize(("kind", "status", "words"), [
    ("missing", 127, "no such file or directory"),
    ("plain", 126, "permission denied"),
    ("folder", 126, "permission denied"),
])  # fmt: skip
def test_a_command_that_cannot_be_started_is_one_line_and_a_shell_s_status(
    kind: str, status: int, words: str, tmp_path: Path
) -> None:
    (tmp_path / "plain").touch(mode=0o600)
    (tmp_path / "folder").mkdir()

    done = run_bytes(tap_command([str(tmp_path / kind)]))

    assert done.returncode == status
    assert done.stderr.decode() == f"seqthink: tap: {tmp_path / kind} cannot be started: {words}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    first(
        3,
        [
            ([], "tap: which server? write its command after --"),
            (["--"], "tap: which server? write its command after --"),
            (["npx"], "unexpected argument 'npx'"),
            (["--tools", "x", "--", "true"], "unknown option --tools; did you mean --tool?"),
            (["--tool", "", "--", "true"], "must be the name of a tool"),
            (["--tool"], "expected one argument"),
            (["--field", "step", "--", "true"], "must be THEIRS=OURS"),
            (["--field", "step=number", "--", "true"], "with one of ours: branchFromThought"),
            (["--journal-dir", "", "--", "true"], "must name a folder"),
        ],
        is_unpacked=True,
    ),
)
def test_bad_arguments_are_refused_in_one_line(arguments: list[str], words: str) -> None:
    assert words in refusal_line(seqthink("tap", *arguments))


def test_words_of_the_command_are_its_own_though_they_look_like_options() -> None:
    done = run_bytes(tap_command(script("import sys; print(sys.argv[1:])", "--tool", "--", "-h")))

    assert done.stdout == b"['--tool', '--', '-h']\n"


@pytest.mark.parametrize("redirection", ["<&-", ">&-"])
def test_a_closed_stream_is_refused(redirection: str) -> None:
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *tap_command(["true"])]

    done = run_bytes(shell)

    assert done.returncode == 2
    assert b"stdin and stdout must be open" in done.stderr


def test_neither_side_can_notice_the_tap() -> None:
    with start_tapped(script(CAT)) as wire:
        wire.hang_up()
        assert wire.status() == 0

        assert all_of_stderr(wire) == ""
