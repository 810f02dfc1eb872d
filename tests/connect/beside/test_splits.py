"""The argument vectors that split each terminal."""

import shlex
from collections.abc import Sequence

import pytest

from seqthink.connect.beside.splits import Attempt, Split, attempts, choose_split, tmux_query, with_environment
from tests.connect.beside.test_terminals import INSIDE

COMMAND = ["/opt/seqthink", "watch", 'it\'s; $(touch x) "#{pid}" \\;']
FOLDER = '/home/o\'neil/a "b"'
RIGHT, BELOW = Split(is_below=False, cells=44, percent=28), Split(is_below=True, cells=20)
KITTY_OPTIONS = ["--keep-focus", "--title=seqthink", f"--cwd={FOLDER}"]


def _ways(name: str, split: Split = RIGHT) -> Sequence[Attempt]:
    return attempts(name, split, COMMAND, FOLDER, INSIDE[name])


def test_tmux_splits_the_pane_that_asks_and_leaves_the_focus_there() -> None:
    [way] = _ways("tmux")

    options = ["split-window", "-d", "-h", "-l", "44", "-t", "%3", "--"]
    assert way == Attempt(["tmux", *options, *COMMAND[:2], 'it\'s; $(touch x) "#{pid}" \\\\;'])
    assert _ways("tmux", BELOW)[0].opening[3:6] == ["-v", "-l", "20"]
    assert attempts("tmux", RIGHT, ["a"], FOLDER, {"TMUX": "x"})[0].opening[-2:] == ["--", "a"]
    assert tmux_query(INSIDE["tmux"])[:5] == ["tmux", "display-message", "-p", "-t", "%3"]


def test_zellij_keeps_the_focus_or_gives_it_back_where_its_version_cannot() -> None:
    new, old = _ways("zellij")

    options = ["--direction", "right", "--close-on-exit", "--name", "seqthink", "--cwd", FOLDER, "--", *COMMAND]
    assert new == Attempt(["zellij", "action", "new-pane", "--no-focus", *options])
    assert old == Attempt(["zellij", "run", *options], ["zellij", "action", "move-focus", "left"])
    assert _ways("zellij", BELOW)[1].returning[-1] == "up"


def test_newer_versions_of_kitty_get_more_options() -> None:
    newest, newer, old = (way.opening for way in _ways("kitty"))

    options = ["@", "launch", "--self", "--location=vsplit", *KITTY_OPTIONS]
    assert newest == ["kitten", *options, "--next-to=id:1", "--bias=28", "--", *COMMAND]
    assert newer == ["kitten", *options, "--", *COMMAND]
    assert old == ["kitty", *options, "--", *COMMAND]
    assert "--location=hsplit" in _ways("kitty", BELOW)[0].opening


def test_wezterm_splits_its_pane_and_activates_it_again() -> None:
    [way] = _ways("wezterm")

    options = ["--pane-id", "0", "--right", "--cells", "44", "--cwd", FOLDER, "--", *COMMAND]
    assert way.opening == ["wezterm", "cli", "split-pane", *options]
    assert way.returning == ["wezterm", "cli", "activate-pane", "--pane-id", "0"]
    assert "--bottom" in _ways("wezterm", BELOW)[0].opening


@pytest.mark.parametrize("name", ["iTerm2", "Ghostty"])
@pytest.mark.parametrize("split", [RIGHT, BELOW])
def test_no_name_or_path_gets_into_the_text_of_an_applescript(name: str, split: Split) -> None:
    [way] = _ways(name, split)
    [harmless] = attempts(name, split, ["a"], "/", INSIDE[name])

    assert way.opening[:3] == harmless.opening[:3]
    assert way.opening[:2] == ["osascript", "-e"]
    assert way.opening[2].count("{") == 0
    assert not any(word.startswith("-") for word in way.opening[3:])


def test_iterm_runs_the_command_in_its_folder_by_a_shell_that_splits_no_word() -> None:
    [way] = _ways("iTerm2")
    _, _, script, session, started = way.opening

    assert session == "1F"
    assert "split vertically" in script
    assert shlex.split(started) == ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", FOLDER, *COMMAND]


def test_ghostty_gets_folder_and_command_as_arguments() -> None:
    [way] = _ways("Ghostty", BELOW)

    assert way.opening[3] == FOLDER
    assert shlex.split(way.opening[4]) == COMMAND
    assert "direction down" in way.opening[2]
    assert "goto_split:up" in way.opening[2]


@pytest.mark.parametrize(
    ("columns", "lines", "split"),
    [
        (160, 40, Split(is_below=False, cells=44, percent=28)),
        (104, 40, Split(is_below=False, cells=44, percent=42)),
        (103, 40, Split(is_below=True, cells=20, percent=50)),
        (103, 60, Split(is_below=True, cells=20, percent=33)),
        (80, 24, Split(is_below=True, cells=12, percent=50)),
        (80, 1, Split(is_below=True, cells=1, percent=10)),
        (0, 0, Split(is_below=False, cells=44, percent=50)),
    ],
)
def test_the_viewer_goes_below_where_the_agent_would_keep_less_than_60_columns(
    columns: int, lines: int, split: Split
) -> None:
    assert choose_split(44, columns, lines) == split


def test_the_variables_that_the_viewer_reads_go_with_its_command() -> None:
    environ = {"SEQTHINK_HOME": "/a b", "NO_COLOR": "1", "PATH": "/bin", "CODEX_HOME": "/c", "SECRET": "s"}

    assert with_environment(["x"], environ) == [
        "/usr/bin/env",
        "CODEX_HOME=/c",
        "NO_COLOR=1",
        "SEQTHINK_HOME=/a b",
        "x",
    ]
    assert with_environment(["x"], {"PATH": "/bin"}) == ["x"]
