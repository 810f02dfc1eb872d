"""A signal ends the viewer as a key does: the terminal is as it was before, and says nothing."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.depth import first, sized
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import straight
from tests.support.screens.terminal import Terminal, visible
from tests.support.servers.commands import SHOP_API, TIMEOUT_SECONDS, command
from tests.tui.session_view.test_note_entry import Living, thinking

ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
ENDING = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
SIZE = (80, 24)


def is_given_back(terminal: Terminal, modes: list[object]) -> bool:
    """Return whether the terminal has its modes again, in the end, and nothing else was written on its own screen."""
    _, entered, ours = terminal.written.rpartition(ENTERED)
    drawn, left, after = ours.partition(LEFT)
    switched_off = [f"\x1b[?{mode}l".encode() in ours for mode in (1000, 1003, 1015, 1006, 1004, 2004)]
    is_restored = all(switched_off) and after.rfind(b"\x1b[?25h") >= 0 and drawn.rfind(b"\x1b[?7h") >= 0
    return bool(entered and left) and is_restored and not visible(after.decode()) and terminal.modes == modes


def test_is_given_back_is_not_said_of_a_terminal_that_still_has_the_mouse() -> None:
    with Terminal(["sh", "-c", r"printf '\033[?1049h\033[?7h\033[?1049l\033[?25h'"], SIZE) as terminal:
        modes = terminal.first_modes
        terminal.end()

        assert not is_given_back(terminal, modes)


COMMANDS: dict[str, tuple[tuple[str | Path, ...], str]] = {
    "watch": (("watch", SHOP_API), "Symptoms"),
    "replay": (("replay", SHOP_API, "--speed", "16"), "Symptoms"),
    "demo": (("demo", "--loop"), "thinking"),
    "waiting": (("watch",), "No thoughts yet"),
}


@pytest.mark.parametrize("number", first(1, ENDING))
@pytest.mark.parametrize("name", first(2, COMMANDS))
def test_a_signal_gives_the_terminal_back(name: str, number: signal.Signals) -> None:
    arguments, word = COMMANDS[name]
    with Terminal(command(*arguments), SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until(word)
        terminal.process.send_signal(number)

        assert terminal.end() == 128 + number
        assert is_given_back(terminal, modes)


@pytest.mark.parametrize(
    ("keys", "word"),
    first(
        2,
        [("/pool", "pool"), ("s", "copy id"), ("x", "mermaid"), ("?", "Signs"), (":", "Enter "), ("\r", "raw")],
        is_unpacked=True,
    ),
)
def test_a_signal_gives_the_terminal_back_whatever_is_open(keys: str, word: str) -> None:
    ended_by_a_signal(command("replay", SHOP_API, "--at", "end"), keys, word, size=(120, 30))


def ended_by_a_signal(arguments: list[str], keys: str, word: str, size: tuple[int, int] = SIZE) -> None:
    with Terminal(arguments, size) as terminal:
        modes = terminal.first_modes
        terminal.until("Symptoms")
        since = len(terminal.written)
        terminal.type(keys)
        terminal.until(word, since=since)
        terminal.process.terminate()

        assert terminal.end() == 128 + signal.SIGTERM
        assert is_given_back(terminal, modes)


def test_a_signal_while_a_note_is_typed_sends_nothing(tmp_path: Path) -> None:
    living = Living(tmp_path, thinking())
    try:
        ended_by_a_signal(command("watch", living.path), "ihalf a note", "half a note")

        assert living.notes == []
    finally:
        living.die()


@pytest.mark.deep  # it takes seconds to write one that takes long enough to read
def test_a_signal_while_a_long_journal_is_read(tmp_path: Path) -> None:
    path = straight(200_000, 300_000).write(tmp_path / "a.jsonl")
    with Terminal(command("watch", path), SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until("opening")
        terminal.process.terminate()

        assert terminal.end() == 128 + signal.SIGTERM
        assert is_given_back(terminal, modes)


def test_a_signal_while_a_journal_comes_in_on_a_pipe() -> None:
    end, begin = os.pipe()
    try:
        with Terminal(command("watch", "-"), SIZE, stdin=end, is_controlling=True) as terminal:
            modes = terminal.first_modes
            os.write(begin, SHOP_API.read_bytes()[:2000])
            terminal.until("Symptoms")
            terminal.process.terminate()

            assert terminal.end() == 128 + signal.SIGTERM
            assert is_given_back(terminal, modes)
    finally:
        os.close(end)
        os.close(begin)


def test_a_signal_while_a_file_is_written_leaves_none(tmp_path: Path) -> None:
    path = straight(sized(8_000, 20_000), sized(12_000, 30_000)).write(tmp_path / "a.jsonl")
    here = tmp_path / "here"
    here.mkdir()
    started = ["sh", "-c", 'cd "$0" && exec "$@"', str(here), *command("replay", path, "--at", "end")]
    with Terminal(started, SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until(f"{sized(8_000, 20_000):,} thoughts")
        terminal.type("x\r")
        terminal.until("writing html")
        terminal.process.terminate()

        assert terminal.end() == 128 + signal.SIGTERM
        assert is_given_back(terminal, modes)
        assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    "together", first(1, [ENDING, ENDING[::-1], [signal.SIGTERM] * 3, [signal.SIGTSTP, signal.SIGTERM]])
)
def test_signals_that_come_together_end_it_once(together: list[signal.Signals]) -> None:
    with Terminal(command("watch", SHOP_API), SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until("Symptoms")
        for number in together:
            terminal.process.send_signal(number)

        assert terminal.end() in {128 + number for number in together}
        assert is_given_back(terminal, modes)


@pytest.mark.parametrize(
    ("mark", "number"),
    first(
        1,
        [("?25l", signal.SIGTERM), ("?2004h", signal.SIGTERM), *(("?1049h", number) for number in ENDING)],
        is_unpacked=True,
    ),
)
def test_a_signal_during_the_start_gives_the_terminal_back(mark: str, number: signal.Signals) -> None:
    with Terminal(command("watch", SHOP_API), SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until(mark)
        terminal.process.send_signal(number)

        assert terminal.end() == 128 + number
        assert is_given_back(terminal, modes)


@pytest.mark.parametrize("keys", first(1, ["q", "\x03"]))
def test_a_signal_during_the_end_gives_the_terminal_back(keys: str) -> None:
    with Terminal(command("watch", SHOP_API), SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until("Symptoms")
        terminal.type(keys)
        terminal.until("?1049l")
        terminal.process.terminate()

        assert terminal.end() in {0, 128 + signal.SIGTERM, -signal.SIGTERM}
        assert is_given_back(terminal, modes)


def test_a_signal_ends_it_on_a_terminal_that_takes_no_more() -> None:
    with Terminal(command("replay", SHOP_API, "--speed", "16", "--loop"), (200, 60)) as terminal:
        terminal.until("Symptoms")
        modes = terminal.modes
        for _ in range(400):  # nothing reads what this draws
            terminal.resize(199, 60)
            terminal.type("jktdm")
            terminal.resize(200, 60)
        terminal.process.terminate()

        assert terminal.process.wait(TIMEOUT_SECONDS) == 128 + signal.SIGTERM
        assert terminal.modes != modes


def test_a_mouse_that_reports_pixels_does_so_no_more() -> None:
    with Terminal(command("watch", SHOP_API), SIZE) as terminal:
        terminal.until("Symptoms")
        terminal.type("\x1b[?2048;2$y")  # as terminals answer that report their size in band
        terminal.until("?1016h")
        terminal.process.terminate()

        assert terminal.end() == 128 + signal.SIGTERM
        assert terminal.written.rfind(b"?1016l") > terminal.written.rfind(b"?1016h")


def test_a_signal_that_was_to_be_ignored_is() -> None:
    with Terminal(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command("watch", SHOP_API)], SIZE) as terminal:
        terminal.until("Symptoms")
        terminal.process.send_signal(signal.SIGHUP)
        since = len(terminal.written)
        terminal.type("?")
        terminal.until("Signs", since=since)
        terminal.type("\x03")

        assert terminal.end() == 0


def test_a_mouse_that_was_left_to_the_terminal_is_not_switched_off() -> None:
    with Terminal(command("watch", SHOP_API, "--no-mouse"), SIZE) as terminal:
        terminal.until("Symptoms")
        terminal.process.terminate()

        assert terminal.end() == 128 + signal.SIGTERM
        assert b"?1000" not in terminal.written


@pytest.mark.parametrize("keys", first(1, ["", ",[ "]))
def test_a_terminal_that_hangs_up_ends_the_viewer_that_it_controls(keys: str) -> None:
    with Terminal(command("watch", SHOP_API), SIZE, is_controlling=True) as terminal:
        terminal.until("Symptoms")
        terminal.type(keys)
        terminal.hang_up()

        assert terminal.process.wait(TIMEOUT_SECONDS) == 128 + signal.SIGHUP


def test_without_a_terminal_on_stdout_it_ends_as_any_program_does(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("Only one", 1, 3).write(tmp_path / "a.jsonl")
    line = '"$@" | sed -u s/Only/Not/; echo "${PIPESTATUS[0]}"'
    with Terminal(["bash", "-c", line, "bash", *command("watch", path)], SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until("Not one")
        subprocess.run(["pkill", "-TERM", "-P", str(terminal.process.pid), "-f", str(path)], check=True)

        assert terminal.end() == 0
        assert terminal.text.splitlines()[-1] == str(128 + signal.SIGTERM)
        assert b"\x1b" not in terminal.written
        assert terminal.modes == modes


# The editor has the terminal


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Return what makes a script the person's editor; it says ``editing`` when it runs."""

    def make(script: str) -> dict[str, str]:
        path = tmp_path / "editor"
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o700)
        return {"EDITOR": str(path), "TMPDIR": str(tmp_path)}

    return make


def copies(folder: Path) -> list[Path]:
    return list(folder.glob("seqthink-*/*"))


@pytest.mark.parametrize("number", first(1, [signal.SIGTERM, signal.SIGHUP]))
def test_a_signal_ends_the_editor_first(
    editor: Callable[[str], dict[str, str]], tmp_path: Path, number: signal.Signals
) -> None:
    variables = editor("trap 'echo the editor had it; exit 1' TERM HUP; echo editing; while :; do sleep 0.1; done")
    with Terminal(command("watch", SHOP_API), SIZE, variables=variables) as terminal:
        modes = terminal.first_modes
        terminal.until("Symptoms")
        terminal.type("e")
        terminal.until("editing")
        terminal.process.send_signal(number)

        assert terminal.end() == 128 + number
        assert terminal.written.count(ENTERED) == 1
        assert terminal.written.endswith(b"editing\r\nthe editor had it\r\n")
        assert terminal.modes == modes
        assert copies(tmp_path) == []


def test_an_interrupt_is_the_editor_s_alone(editor: Callable[[str], dict[str, str]]) -> None:
    variables = editor("trap 'echo interrupted; exit 0' INT; echo editing; while :; do sleep 0.1; done")
    with Terminal(command("watch", SHOP_API), SIZE, variables=variables, is_controlling=True) as terminal:
        terminal.until("Symptoms")
        terminal.type("e")
        terminal.until("editing")
        terminal.type("\x03")
        terminal.until("interrupted", "back from the editor")
        terminal.type("q")

        assert terminal.end() == 0


def test_an_editor_that_fails_is_said_and_left(editor: Callable[[str], dict[str, str]]) -> None:
    with Terminal(command("watch", SHOP_API), SIZE, variables=editor("exit 3")) as terminal:
        modes = terminal.first_modes
        terminal.until("Symptoms")
        terminal.type("e")
        terminal.until("ended with status 3")
        terminal.type("q")

        assert terminal.end() == 0
        assert is_given_back(terminal, modes)


def test_a_session_without_a_thought_has_nothing_to_edit_and_ends_too(tmp_path: Path) -> None:
    path = JournalBuilder().session().rejected("Invalid thought").write(tmp_path / "a.jsonl")
    with Terminal(command("watch", path), SIZE) as terminal:
        modes = terminal.first_modes
        terminal.until("refused")
        terminal.type("e")
        terminal.process.terminate()

        assert terminal.end() == 128 + signal.SIGTERM
        assert is_given_back(terminal, modes)
