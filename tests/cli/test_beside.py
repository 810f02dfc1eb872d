"""`seqthink beside`: with a real tmux, with a stand-in for zellij, and where nothing can be split."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.servers.commands import SHOP_API, TIMEOUT_SECONDS, CompletedCommand, refusal_line, seqthink

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")

AROUND = ("TMUX", "ZELLIJ", "KITTY_", "WEZTERM_", "ITERM_", "GHOSTTY_", "TERM_PROGRAM")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the terminal that the tests themselves run in."""
    for name in os.environ:
        if name.startswith(AROUND):
            monkeypatch.delenv(name)


class Tmux:
    """A tmux server of its own, with one pane in which an agent could run."""

    def __init__(self, folder: Path, columns: int = 160, lines: int = 40) -> None:
        self._base = ["tmux", "-S", str(folder / "s"), "-f", os.devnull]
        self.ask("new-session", "-d", "-x", str(columns), "-y", str(lines), "cat")
        self.variables = {"TMUX": f"{folder / 's'},{self.ask('display-message', '-p', '#{pid}')},0", "TMUX_PANE": "%0"}

    def ask(self, *words: str) -> str:
        return subprocess.run(
            [*self._base, *words], capture_output=True, check=True, encoding="utf-8", timeout=TIMEOUT_SECONDS
        ).stdout.strip()

    def panes(self, what: str = "#{pane_id}") -> list[str]:
        return self.ask("list-panes", "-F", what).splitlines()

    def text(self, pane: str = "%1") -> str:
        return self.ask("capture-pane", "-p", "-t", pane)

    def beside(self, *arguments: str, **more: str) -> CompletedCommand:
        return seqthink("beside", *arguments, variables=self.variables | more)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """Return a folder whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="beside") as folder:
        yield Path(folder)


@pytest.fixture
def tmux(short_folder: Path) -> Iterator[Tmux]:
    server = Tmux(short_folder)
    yield server
    server.ask("kill-server")


@pytest.fixture
def narrow_tmux(short_folder: Path) -> Iterator[Tmux]:
    server = Tmux(short_folder, 90, 50)
    yield server
    server.ask("kill-server")


@pytest.fixture(autouse=True)
def sample(seqthink_home: Path) -> None:
    (seqthink_home / "sessions").mkdir()
    shutil.copyfile(SHOP_API, seqthink_home / "sessions" / "shop-api.jsonl")


def _until(is_so: Callable[[], object], what: str = "it never came to be") -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)  # noqa: TID251 - looks again at what another process does


def _quiet(done: CompletedCommand) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, "", "")


def _failure_line(done: CompletedCommand) -> str:
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("seqthink: ").rstrip("\n")


# In tmux


@needs_tmux
def test_the_viewer_s_picture_comes_on_44_columns_at_the_right_and_the_focus_stays(tmux: Tmux) -> None:
    assert _quiet(tmux.beside("shop-api"))

    _until(lambda: "Fix again" in tmux.text(), "no picture")
    panes = tmux.panes("#{pane_id} #{pane_active} #{pane_left} #{pane_width} #{pane_height}")
    assert panes == ["%0 1 0 115 40", "%1 0 116 44 40"]


@needs_tmux
def test_a_size_is_kept_and_the_folder_of_the_caller_is_the_viewer_s(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "#(touch pwned) #{pid};"
    folder.mkdir()
    monkeypatch.chdir(folder)

    assert _quiet(tmux.beside("--size", "60"))

    assert tmux.panes("#{pane_width} #{pane_current_path}")[1] == f"60 {folder}"
    assert list(tmp_path.rglob("pwned")) == []


@needs_tmux
def test_below_it_goes_where_the_agent_would_keep_too_little(narrow_tmux: Tmux) -> None:
    assert _quiet(narrow_tmux.beside())

    assert narrow_tmux.panes("#{pane_left} #{pane_top} #{pane_width} #{pane_height}") == ["0 0 90 29", "0 30 90 20"]


@needs_tmux
def test_once_means_one_viewer_in_a_window_until_it_is_closed(tmux: Tmux) -> None:
    assert _quiet(tmux.beside("--once"))
    assert _quiet(tmux.beside("--once"))
    assert tmux.panes() == ["%0", "%1"]

    _until(lambda: "shop-api" in tmux.text() or "No thoughts" in tmux.text())
    tmux.ask("send-keys", "-t", "%1", "q")
    _until(lambda: tmux.panes() == ["%0"], "the pane does not close with the viewer")
    assert _quiet(tmux.beside("--once"))
    assert tmux.panes() == ["%0", "%2"]

    tmux.ask("kill-pane", "-t", "%2")
    _until(lambda: _quiet(tmux.beside("--once")) and tmux.panes() == ["%0", "%3"])


@needs_tmux
def test_another_window_gets_a_viewer_of_its_own_and_another_pane_of_the_window_none(tmux: Tmux) -> None:
    tmux.ask("split-window", "-d", "-v", "cat")
    tmux.ask("new-window", "-d", "cat")

    for pane in ("%0", "%1", "%2"):
        assert _quiet(tmux.beside("--once", TMUX_PANE=pane))

    assert tmux.panes() == ["%0", "%3", "%1"]
    assert tmux.ask("list-panes", "-t", ":1", "-F", "#{pane_id}").split() == ["%2", "%4"]


@needs_tmux
def test_of_many_hooks_at_once_one_opens_the_viewer(tmux: Tmux) -> None:
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(tmux.beside, ["--once"] * 4))

    assert all(map(_quiet, done))
    assert tmux.panes() == ["%0", "%1"]


@needs_tmux
def test_without_once_there_may_be_two(tmux: Tmux) -> None:
    assert all(_quiet(tmux.beside()) for _ in range(2))

    _until(lambda: len(tmux.panes()) == 3)


@needs_tmux
@pytest.mark.parametrize(
    "name", first(1, ["$(touch pwned);.jsonl", "a;.jsonl", "`touch pwned`'\".jsonl", "#{pid} #(touch pwned).jsonl"])
)
def test_a_hostile_name_is_a_name(name: str, tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(SHOP_API, tmp_path / name)

    assert _quiet(tmux.beside(f"./{name}"))

    _until(lambda: "Fix again" in tmux.text(), "no picture")
    assert not (tmp_path / "pwned").exists()


@needs_tmux
def test_no_word_is_lost_when_it_ends_with_a_semicolon(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "journals;").mkdir()
    shutil.copyfile(SHOP_API, tmp_path / "journals;" / "other.jsonl")

    assert _quiet(tmux.beside("--journal-dir", "journals;", "other"))

    _until(lambda: "Fix again" in tmux.text(), "no picture")


@needs_tmux
def test_options_of_watch_and_the_environment_reach_the_viewer(tmux: Tmux) -> None:
    assert _quiet(tmux.beside("shop-api", "--", "--ascii", NO_COLOR="1"))

    _until(lambda: "Fix again" in tmux.text(), "no picture")
    assert tmux.text().startswith("v done")  # in UTF-8 it is a tick
    assert re.findall(r"\x1b\[[0-9;]*3[0-8][0-9;]*m", tmux.ask("capture-pane", "-p", "-e", "-t", "%1")) == []


@needs_tmux
def test_what_watch_refuses_is_said_before_anything_opens(tmux: Tmux) -> None:
    said = [
        refusal_line(tmux.beside("nobody")),
        refusal_line(tmux.beside("--", "--nonsense")),
        refusal_line(tmux.beside("-")),
        refusal_line(tmux.beside("shop-api", "--", "--all")),
        refusal_line(tmux.beside(SEQTHINK_THEME="x")),
        refusal_line(tmux.beside("--size", "0")),
    ]

    assert "no session 'nobody'" in said[0]
    assert "--nonsense" in said[1]
    assert "no stdin" in said[2]
    assert tmux.panes() == ["%0"]


@needs_tmux
def test_a_hook_never_ends_with_the_status_that_forbids_the_call(tmux: Tmux) -> None:
    assert "no session 'nobody'" in _failure_line(tmux.beside("--once", "nobody"))
    assert "--nonsense" in _failure_line(tmux.beside("--once", "--nonsense"))


@needs_tmux
def test_print_shows_the_command_and_opens_nothing(tmux: Tmux) -> None:
    done = tmux.beside("--print", "shop-api")

    assert shlex.split(done.stdout)[:9] == ["tmux", "split-window", "-d", "-h", "-l", "44", "-t", "%0", "--"]
    assert tmux.panes() == ["%0"]


@needs_tmux
def test_a_dead_tmux_is_named_and_the_next_terminal_is_taken(tmp_path: Path, short_folder: Path) -> None:
    dead = {"TMUX": f"{short_folder / 'gone'},1,0", "TMUX_PANE": "%0"}

    line = _failure_line(seqthink("beside", variables=dead))
    zellij = _zellij(tmp_path, {"new-pane", "run", "--no-focus"})

    assert line.startswith("beside: tmux opens no split: ")
    assert "seqthink watch" in line
    assert _quiet(seqthink("beside", variables=dead | zellij))
    assert len(_said_to_zellij(tmp_path)) == 1


@needs_tmux
def test_a_pane_that_is_gone_is_named(tmux: Tmux) -> None:
    assert "does not know the pane" in _failure_line(tmux.beside(TMUX_PANE="%77"))


# In zellij: a stand-in that takes the options of a version, and writes down its arguments

ZELLIJ = f"""#!{sys.executable}
import json, os, sys
words = sys.argv[1:]
options = words[: words.index("--")] if "--" in words else words
known = {{"action", "--direction", "right", "down", "--close-on-exit", "--name", "seqthink", "--cwd", os.getcwd()}}
if words[:2] == ["action", "move-focus"]:
    known |= {{"move-focus", "left", "up"}}
if set(options) - known - set(os.environ["KNOWN"].split()):
    sys.exit("error: Found argument which wasn't expected")
with open(os.environ["SAID"], "a", encoding="utf-8") as file:
    file.write(json.dumps(words) + "\\n")
"""


def _zellij(folder: Path, known: set[str]) -> dict[str, str]:
    """Return the environment of a pane of a zellij that knows these words besides those of 0.40."""
    program = folder / "bin" / "zellij"
    program.parent.mkdir()
    program.write_text(ZELLIJ, encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {"ZELLIJ": "0", "PATH": path, "KNOWN": " ".join(known), "SAID": str(folder / "said")}


def _said_to_zellij(folder: Path) -> list[list[str]]:
    return [json.loads(line) for line in (folder / "said").read_text(encoding="utf-8").splitlines()]


def test_a_new_zellij_is_asked_to_leave_the_focus(tmp_path: Path) -> None:
    done = seqthink("beside", "shop-api", variables=_zellij(tmp_path, {"new-pane", "--no-focus"}))

    [arguments] = _said_to_zellij(tmp_path)
    assert _quiet(done)
    assert arguments[:3] == ["action", "new-pane", "--no-focus"]
    assert arguments[-1] == "shop-api"


def test_an_old_zellij_gets_the_focus_back_afterwards(tmp_path: Path) -> None:
    done = seqthink("beside", "shop-api", variables=_zellij(tmp_path, {"new-pane", "run"}))

    opened, returned = _said_to_zellij(tmp_path)
    assert _quiet(done)
    assert opened[0] == "run"
    assert returned == ["action", "move-focus", "left"]


# Elsewhere


def test_elsewhere_one_line_says_what_to_do() -> None:
    line = _failure_line(seqthink("beside", "shop-api"))

    assert "tmux, zellij, kitty, wezterm, iTerm2, Ghostty" in line
    assert line.endswith("watch shop-api")


def test_a_terminal_that_refuses_says_what_to_change(tmp_path: Path) -> None:
    refusing = tmp_path / "kitten"
    refusing.write_text("#!/bin/sh\nprintf 'Remote control is \\033[31mdisabled' >&2; exit 1\n", encoding="utf-8")
    refusing.chmod(0o755)
    (tmp_path / "kitty").symlink_to(refusing)

    line = _failure_line(
        seqthink("beside", variables={"KITTY_WINDOW_ID": "1", "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
    )

    assert "allow_remote_control yes" in line
    assert "\x1b" not in line


def test_the_hook_is_one_for_claude_code_with_the_folder_that_was_named(tmp_path: Path) -> None:
    hook = json.loads(seqthink("beside", "--hook", "--journal-dir", str(tmp_path)).stdout)

    [entry] = hook["hooks"]["PreToolUse"]
    [command] = entry["hooks"]
    assert entry["matcher"] == "mcp__.*sequentialthinking"
    assert (command["type"], command["timeout"]) == ("command", 5)
    assert shlex.split(command["command"])[1:] == ["beside", "--once", "--journal-dir", str(tmp_path)]
