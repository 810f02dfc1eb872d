"""Which terminals a process runs in, by its environment."""

import pytest

from seqthink.connect.beside.terminals import TERMINALS, place_key, terminals_around

INSIDE = {
    "tmux": {"TMUX": "/tmp/tmux-0/default,7,0", "TMUX_PANE": "%3", "TERM_PROGRAM": "tmux"},
    "zellij": {"ZELLIJ": "0", "ZELLIJ_SESSION_NAME": "work", "ZELLIJ_PANE_ID": "3"},
    "kitty": {"KITTY_WINDOW_ID": "1", "KITTY_PID": "7", "TERM": "xterm-kitty"},
    "wezterm": {"WEZTERM_PANE": "0", "TERM_PROGRAM": "WezTerm"},
    "iTerm2": {"ITERM_SESSION_ID": "w0t0p0:1F", "TERM_PROGRAM": "iTerm.app"},
    "Ghostty": {"GHOSTTY_RESOURCES_DIR": "/Applications/Ghostty.app", "TERM_PROGRAM": "ghostty"},
}
"""What each terminal sets in the environment of its programs."""


@pytest.mark.parametrize("name", TERMINALS)
def test_each_terminal_is_known_by_what_it_sets(name: str) -> None:
    assert terminals_around(INSIDE[name], "darwin") == [name]


@pytest.mark.parametrize("environ", [{}, {"TERM": "xterm-256color"}, {"TMUX": ""}, {"TERM_PROGRAM": "Apple_Terminal"}])
def test_elsewhere_there_is_none(environ: dict[str, str]) -> None:
    assert terminals_around(environ, "darwin") == []


@pytest.mark.parametrize("name", ["iTerm2", "Ghostty"])
def test_what_is_split_by_applescript_counts_on_a_mac_only(name: str) -> None:
    assert terminals_around(INSIDE[name], "linux") == []


def test_on_windows_none_is_split() -> None:
    assert terminals_around(INSIDE["wezterm"], "win32") == []


@pytest.mark.parametrize("outside", ["kitty", "wezterm", "iTerm2", "Ghostty"])
@pytest.mark.parametrize("inside", ["tmux", "zellij"])
def test_a_multiplexer_is_inside_the_terminal_that_shows_it(inside: str, outside: str) -> None:
    assert terminals_around(INSIDE[outside] | INSIDE[inside], "darwin") == [inside, outside]


def test_of_two_terminals_the_one_that_names_itself_is_inside() -> None:
    assert terminals_around(INSIDE["kitty"] | INSIDE["wezterm"], "linux") == ["wezterm", "kitty"]


def test_of_two_multiplexers_both_are_named_and_tmux_which_can_be_asked_comes_first() -> None:
    assert terminals_around(INSIDE["zellij"] | INSIDE["tmux"], "linux") == ["tmux", "zellij"]


def test_a_place_is_the_pane_unless_the_window_is_known() -> None:
    here, there = INSIDE["tmux"], INSIDE["tmux"] | {"TMUX_PANE": "%4"}

    assert place_key("tmux", here) == place_key("tmux", dict(here))
    assert place_key("tmux", here) != place_key("tmux", there)
    assert place_key("tmux", here, "7@1") == place_key("tmux", there, "7@1") != place_key("tmux", here, "7@2")


def test_a_place_s_name_fits_a_file_whatever_the_session_is_called() -> None:
    key = place_key("zellij", {"ZELLIJ_SESSION_NAME": "../\udcff\n", "ZELLIJ_PANE_ID": "1"})

    assert key.isalnum()
    assert key.isascii()
