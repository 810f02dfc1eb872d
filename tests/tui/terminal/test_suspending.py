"""Ctrl-Z gives the terminal to the shell, and `fg` takes it again, as with an editor."""

import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shlex import join

import pytest
from textual.app import SuspendNotSupported
from textual.drivers.headless_driver import HeadlessDriver

from seqthink.journal.notes_file import NotesFile
from tests.support.depth import first
from tests.support.journals.example_chains import straight
from tests.support.screens.screen_text import running_viewer, settings_of
from tests.support.screens.terminal import TIMEOUT_SECONDS, Terminal, visible
from tests.support.servers.commands import SHOP_API, command
from tests.tui.session_view.test_note_entry import Living, thinking

SUSPEND = "\x1a"
ENTERED, LEFT = "?2004h", "?1049l"
"""What is written when the viewer reads every key itself, and when it has given the terminal back."""
PROMPT = "ready> "
UNTIL_STOPPED = "until jobs %1 | grep -q Stopped; do sleep 0.1; done; echo it stopped"
IT_STOPPED = ("\nit stopped", PROMPT)
MICROSECOND = 1e-6


class Shell(Terminal):
    """An interactive shell with job control, which runs one program in the foreground."""

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        super().__init__(
            ["bash", "--norc", "--noprofile", "--noediting", "-i"],
            size,
            variables={"PS1": PROMPT, "HISTFILE": ""},
            is_controlling=True,
        )
        self.until(PROMPT)
        self.modes_of_shell = self.modes

    def run(self, line: str, *words: str) -> str:
        """Type a command and wait for ``words``, else for the next prompt; return what was written."""
        since = len(self.written)
        self.type(line + "\r")
        self.until(*(words or (PROMPT,)), since=since)
        return self.written[since:].decode(errors="replace")

    def press(self, keys: str, *words: str) -> str:
        """Press keys in the program and wait for ``words``; return what was written."""
        since = len(self.written)
        self.type(keys)
        self.until(*words, since=since)
        return self.written[since:].decode(errors="replace")

    def signal(self, name: str, *words: str) -> None:
        """Send a signal to the program in the foreground and wait for ``words``."""
        since = len(self.written)
        subprocess.run(["kill", f"-{name}", process_of(self)], check=True)
        self.until(*words, since=since)

    def suspend(self) -> str:
        return self.press(SUSPEND, LEFT, "Stopped", PROMPT)

    def leave(self) -> int:
        """Quit the program and return the exit status that the shell has of it."""
        self.press("\x03", LEFT, PROMPT)
        return int(self.run("echo status $?").rpartition("status ")[2].split()[0])

    def resume_and_leave(self) -> int:
        """Go on with the program, which must take the terminal just once, and quit it; return its exit status."""
        since = len(self.written)
        self.run("fg", ENTERED, "Symptoms")
        status = self.leave()
        assert self.written[since:].count(ENTERED.encode()) == 1
        return status


@contextmanager
def watching(size: tuple[int, int] = (80, 24)) -> Generator[Shell]:
    with Shell(size) as shell:
        shell.run(join(command("replay", SHOP_API, "--at", "end")), "Fix again")
        yield shell


@pytest.mark.parametrize("size", first(1, [(80, 24), (120, 35), (44, 20)]))
def test_it_is_suspended_and_resumed_and_draws_everything_again(size: tuple[int, int]) -> None:
    with watching(size) as shell:
        written = shell.suspend()
        left = written[written.index(LEFT) :]
        modes = shell.modes
        resumed = shell.run("fg", ENTERED, *(f"\x1b[{row};1H" for row in range(2, size[1] + 1)))

        assert modes == shell.modes_of_shell
        assert "\x1b[?25h" in left
        assert all(f"\x1b[?{mode}l" in written for mode in (1000, 1003, 1006, 1015, 1004, 2004))
        assert all(f"\x1b[?{mode}h" in resumed for mode in (1000, 1003, 1006, 1015, 1004, 2004))
        assert "\x1b[?25l" in resumed
        assert shell.modes != modes
        assert "Fix again" in resumed
        assert shell.leave() == 0
        assert shell.modes == shell.modes_of_shell


@pytest.mark.deep  # what came meanwhile is tried always
def test_a_size_that_changed_meanwhile_is_adopted() -> None:
    with watching() as shell:
        shell.suspend()
        shell.resize(120, 35)
        shell.run("fg", ENTERED, "thoughts left · trunk")
        shell.suspend()
        shell.resize(44, 20)
        resumed = shell.run("fg", ENTERED, "Fix again")

        assert "thoughts left · trunk" not in resumed
        assert shell.leave() == 0


@pytest.mark.deep  # five times what the test above does once
def test_it_may_be_suspended_again_and_again() -> None:
    with watching() as shell:
        for _ in range(5):
            shell.suspend()
            shell.run("fg", ENTERED, "Symptoms")
        assert shell.leave() == 0
        assert shell.modes == shell.modes_of_shell


@pytest.mark.deep  # a shell and a viewer for each; with nothing open it is suspended above
@pytest.mark.parametrize("keys", ["/pool", "s", "?", ":", "x", "\r"])
def test_it_is_suspended_whatever_is_open(keys: str) -> None:
    with watching((120, 35)) as shell:
        shell.type(keys)
        shell.suspend()
        shell.run("fg", ENTERED)
        assert shell.leave() == 0


@pytest.mark.deep  # what is on the screen is there again: tried above
def test_a_note_that_is_typed_is_there_again(tmp_path: Path) -> None:
    living = Living(tmp_path, thinking())
    try:
        with Shell() as shell:
            shell.run(join(command("watch", living.path)), "Symptoms")
            shell.press("ihalf", "half")
            shell.suspend()
            shell.run("fg", ENTERED, "half")
            shell.press(" done\r", "waiting")
            assert shell.leave() == 0
        assert [note.text for note in NotesFile(living.path.with_suffix(".notes.jsonl")).read_new()] == ["half done"]
    finally:
        living.die()


def test_what_came_meanwhile_is_shown(tmp_path: Path) -> None:
    journal = straight(6).thought("Came meanwhile", 7, 30)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(journal.lines[:-1]))
    with Shell() as shell:
        shell.run(join(command("watch", path)), "Step 6")
        shell.suspend()
        with path.open("ab") as end:
            end.write(journal.lines[-1])
        shell.run("fg", ENTERED, "Came meanwhile")
        assert shell.leave() == 0


@pytest.mark.deep  # stops and continues are tried above with the key
def test_in_the_background_it_stays_suspended() -> None:
    with watching() as shell:
        shell.suspend()
        written = shell.run(f"bg; {UNTIL_STOPPED}", *IT_STOPPED)
        assert ENTERED not in written
        assert shell.resume_and_leave() == 0
        assert shell.modes == shell.modes_of_shell


@pytest.mark.deep  # the key and the kill are tried always
def test_started_in_the_background_it_waits_for_the_foreground() -> None:
    with Shell() as shell:
        shell.run(f"{join(command('watch', SHOP_API))} &")
        shell.run(UNTIL_STOPPED, *IT_STOPPED)
        assert ENTERED not in shell.text
        assert shell.resume_and_leave() == 0


@pytest.mark.parametrize(("name", "status"), first(1, [("TERM", 143), ("HUP", 129), ("INT", 130)], is_unpacked=True))
def test_a_signal_ends_it_while_it_is_suspended(name: str, status: int) -> None:
    with watching() as shell:
        shell.suspend()
        since = len(shell.written)
        shell.run(f"kill -{name} %1; kill -CONT %1; wait %1; echo status $?", f"status {status}")

        assert ENTERED.encode() not in shell.written[since:]
        assert shell.modes == shell.modes_of_shell
        assert "the viewer failed" not in shell.text


@pytest.mark.deep  # the key sends the same signal
def test_it_is_suspended_by_a_signal_too() -> None:
    with watching() as shell:
        shell.signal("TSTP", LEFT, "Stopped", PROMPT)
        shell.run("fg", ENTERED, "Symptoms")
        assert shell.leave() == 0
        assert shell.modes == shell.modes_of_shell


def process_of(shell: Shell) -> str:
    """Return the id of the program that the shell runs in the foreground."""
    return subprocess.run(
        ["pgrep", "-P", str(shell.process.pid)], check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout.strip()


def test_after_a_stop_that_cannot_be_caught_it_takes_the_terminal_again() -> None:
    with watching() as shell:
        shell.signal("STOP", "Stopped", PROMPT)
        shell.run("fg", ENTERED, "Symptoms")
        assert shell.leave() == 0
        assert shell.modes == shell.modes_of_shell


@pytest.mark.deep  # the foreground is tried always
def test_after_a_stop_that_cannot_be_caught_it_does_not_take_the_terminal_in_the_background() -> None:
    with watching() as shell:
        shell.signal("STOP", "Stopped", PROMPT)
        written = shell.run(f"bg; {UNTIL_STOPPED}", *IT_STOPPED)
        assert ENTERED not in written
        assert shell.resume_and_leave() == 0
        assert shell.modes == shell.modes_of_shell


def test_to_be_continued_without_a_stop_does_no_harm() -> None:
    with Terminal(command("replay", SHOP_API, "--at", "end")) as terminal:
        modes = terminal.first_modes
        terminal.until("Symptoms")
        for _ in range(3):
            since = len(terminal.written)
            subprocess.run(["kill", "-CONT", str(terminal.process.pid)], check=True)
            terminal.until(LEFT, ENTERED, "Symptoms", since=since)
        terminal.type("q")

        assert terminal.end() == 0
        assert terminal.modes == modes


def test_without_a_shell_it_goes_on_and_says_so() -> None:
    with Terminal(command("replay", SHOP_API, "--at", "end"), is_controlling=True) as terminal:
        terminal.until("Symptoms")
        terminal.type(SUSPEND)
        terminal.until("no shell to return")
        terminal.type("q")

        assert terminal.end() == 0


@pytest.mark.deep  # the viewer alone is tried always
def test_an_editor_is_suspended_with_the_viewer_and_both_go_on(tmp_path: Path) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\necho editing\nread line\necho read $line\n", encoding="utf-8")
    script.chmod(0o700)
    with Shell() as shell:
        shell.run(f"EDITOR={script} {join(command('replay', SHOP_API, '--at', 'end'))}", "Symptoms")
        shell.press("e", "editing")
        group = process_of(shell)
        shell.press(SUSPEND, "Stopped", PROMPT)
        wait_for_states(group, "T")  # an editor that is not stopped yet could still read a key
        since = len(shell.written)
        shell.run("fg", "replay")
        shell.press("this\r", "read this", ENTERED, "back from the editor")

        assert shell.written[since:].count(ENTERED.encode()) == 1
        assert shell.leave() == 0


@pytest.mark.deep  # a demo with its agent; an editor is suspended with the viewer above
def test_a_demo_stops_with_its_agent_and_both_go_on() -> None:
    with Shell((120, 35)) as shell:
        shell.run(join(command("demo", "--loop")), "thinking")
        group = process_of(shell)
        shell.suspend()
        wait_for_states(group, "T")
        shell.run("fg", ENTERED)
        wait_for_states(group, "SR")
        assert shell.leave() == 0


def wait_for_states(group: str, wanted: str) -> None:
    """Wait until the viewer and the agent of a process group are all in one of the ``wanted`` states."""
    until = time.monotonic() + TIMEOUT_SECONDS
    while True:
        listed = subprocess.run(
            ["ps", "-A", "-o", "pgid=,stat="], check=True, capture_output=True, text=True, encoding="utf-8"
        ).stdout.splitlines()
        states = [state[0] for found, state in map(str.split, listed) if found == group]
        if len(states) > 1 and set(states) <= set(wanted):
            return
        assert time.monotonic() < until, states


# Playback


async def test_a_replay_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
    clock = Clock()
    settings = settings_of(SHOP_API.parent, is_replay=True, playback_clock=clock)
    async with running_viewer(SHOP_API, (80, 24), settings) as stage:
        playback, whole = stage.session.state.playback, stage.session.state.feed.session
        due = playback.seconds_to_next(whole.positions, clock())
        with stage.app.suspend():
            clock.time += 4096

        assert playback.is_playing
        assert due is not None
        assert abs(due - (playback.seconds_to_next(whole.positions, clock()) or 0)) < MICROSECOND


class Clock:
    """The clock of a replay, which stands still until it is moved."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


async def test_where_there_is_no_terminal_to_give_back_that_is_said() -> None:
    async with running_viewer(SHOP_API, (80, 24), settings_of(SHOP_API.parent)) as stage:
        assert "no shell to return" in await stage.press("ctrl+z")
        with pytest.raises(SuspendNotSupported), stage.app.suspend():
            pass


def test_nothing_else_is_written_on_the_shell_s_screen() -> None:
    with watching() as shell:
        written = shell.suspend()
        after = written[written.index(LEFT) + len(LEFT) :]

        assert next(line for line in visible(after).splitlines() if line).startswith("[1]+  Stopped")
