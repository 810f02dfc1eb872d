"""The commands that open a program in a split of a terminal, as argument vectors. Pure.

Sources: tmux(1) and kitty's `launch --help`, both tried; zellij's `run --help` and `action new-pane --help`, wezterm's
`cli split-pane`, the scripting dictionaries of iTerm2 and Ghostty (1.3), which are not.
"""

import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct

from seqthink.connect.beside.terminals import GHOSTTY, ITERM, KITTY, TMUX, WEZTERM, ZELLIJ

DEFAULT_SIZE_CELLS = 44
"""Columns that the viewer gets: enough for it (docs/viewer.md)."""
MIN_REST_CELLS = 60
"""Columns that have to be left for the agent; where there are fewer, the viewer goes below."""
BELOW_LINES = 20
"""Lines that the viewer gets below, and at most half of the pane."""

_WINDOW_TITLE = "seqthink"
_PASSED_ON = (
    *("NO_COLOR", "XDG_STATE_HOME", "XDG_DATA_HOME"),
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"),
)
"""Variables that the viewer reads, besides its own. A terminal starts programs with its own environment, not ours."""

TMUX_QUERY = "#{pane_width} #{pane_height} #{pane_tty} #{pid}#{window_id}"
"""What tmux is asked about the pane: its size in cells, its terminal, and its window, unique on this machine."""


class Split(Struct, frozen=True):
    """Where the new pane goes, and how large it is."""

    is_below: bool
    """Whether it goes below, not to the right."""
    cells: int
    """Its columns on the right, its lines below."""
    percent: int = 50
    """The same, of what is split."""


class Attempt(Struct, frozen=True):
    """One way to open the pane."""

    opening: Sequence[str]
    """The command that opens it; if it fails, nothing was opened."""
    returning: Sequence[str] = ()
    """The command that gives the focus back, where opening takes it."""


def choose_split(size: int, columns: int = 0, lines: int = 0) -> Split:
    """Return where a pane of ``size`` columns goes beside one of ``columns`` and ``lines``; 0 means unknown."""
    if columns and columns < size + MIN_REST_CELLS:
        cells = min(BELOW_LINES, lines // 2) if lines else BELOW_LINES
        return Split(is_below=True, cells=max(1, cells), percent=_percent(cells, lines))
    return Split(is_below=False, cells=size, percent=_percent(size, columns))


def _percent(cells: int, of: int) -> int:
    return min(90, max(10, round(100 * cells / of))) if of else 50


def with_environment(command: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Return ``command`` with the variables of ``environ`` that the viewer reads written before it."""
    passed = [
        f"{name}={value}" for name, value in environ.items() if name in _PASSED_ON or name.startswith("SEQTHINK_")
    ]
    return ["/usr/bin/env", *sorted(passed), *command] if passed else [*command]


def tmux_query(environ: Mapping[str, str]) -> list[str]:
    """Return the command that asks tmux about the pane that the process runs in (`TMUX_QUERY`)."""
    return ["tmux", "display-message", "-p", *_tmux_target(environ), TMUX_QUERY]


def attempts(
    name: str, split: Split, command: Sequence[str], folder: str, environ: Mapping[str, str]
) -> Sequence[Attempt]:
    """Return the ways to run ``command`` in a split of a terminal, the best first; later ones are for older versions.

    Args:
        name: one of `terminals.TERMINALS`.
        split: where the new pane goes.
        command: a program and its arguments.
        folder: the absolute path of the folder to run it in. tmux takes its client's own: run it there.
        environ: the environment of the process that asks.
    """
    return _MAKERS[name](split, command, folder, environ)


def _tmux_target(environ: Mapping[str, str]) -> list[str]:
    return ["-t", environ["TMUX_PANE"]] if environ.get("TMUX_PANE") else []


def _tmux(split: Split, command: Sequence[str], _folder: str, environ: Mapping[str, str]) -> list[Attempt]:
    side = "-v" if split.is_below else "-h"
    options = ["-d", side, "-l", str(split.cells), *_tmux_target(environ)]
    # To tmux a word that ends with a semicolon ends the command, unless that one is escaped.
    words = [f"{word[:-1]}\\;" if word.endswith(";") else word for word in command]
    return [Attempt(["tmux", "split-window", *options, "--", *words])]


def _zellij(split: Split, command: Sequence[str], folder: str, _environ: Mapping[str, str]) -> list[Attempt]:
    direction = "down" if split.is_below else "right"
    options = ["--direction", direction, "--close-on-exit", "--name", _WINDOW_TITLE, "--cwd", folder, "--", *command]
    back = ["zellij", "action", "move-focus", "up" if split.is_below else "left"]
    return [
        Attempt(["zellij", "action", "new-pane", "--no-focus", *options]),
        Attempt(["zellij", "run", *options], back),
    ]


def _kitty(split: Split, command: Sequence[str], folder: str, environ: Mapping[str, str]) -> list[Attempt]:
    location = "hsplit" if split.is_below else "vsplit"
    options = ["--self", f"--location={location}", "--keep-focus", f"--title={_WINDOW_TITLE}", f"--cwd={folder}"]
    # These two came with kitty 0.36 and 0.37, and the program `kitten` with 0.28.
    window = environ.get("KITTY_WINDOW_ID", "")
    new = [*([f"--next-to=id:{window}"] if window else []), f"--bias={split.percent}"]
    return [
        Attempt(["kitten", "@", "launch", *options, *new, "--", *command]),
        Attempt(["kitten", "@", "launch", *options, "--", *command]),
        Attempt(["kitty", "@", "launch", *options, "--", *command]),
    ]


def _wezterm(split: Split, command: Sequence[str], folder: str, environ: Mapping[str, str]) -> list[Attempt]:
    pane = ["--pane-id", environ["WEZTERM_PANE"]] if environ.get("WEZTERM_PANE") else []
    options = [*pane, "--bottom" if split.is_below else "--right", "--cells", str(split.cells), "--cwd", folder]
    back = ["wezterm", "cli", "activate-pane", *pane] if pane else []
    return [Attempt(["wezterm", "cli", "split-pane", *options, "--", *command], back)]


_ITERM_SCRIPT = """\
on run argv
  tell application "iTerm2"
    repeat with one_window in windows
      repeat with one_tab in tabs of one_window
        repeat with one_session in sessions of one_tab
          if unique ID of one_session is item 1 of argv then
            tell one_session
              split {} with same profile command (item 2 of argv)
              select
            end tell
            return
          end if
        end repeat
      end repeat
    end repeat
  end tell
  error "the session of this shell is not there"
end run"""


def _iterm(split: Split, command: Sequence[str], folder: str, environ: Mapping[str, str]) -> list[Attempt]:
    script = _ITERM_SCRIPT.format("horizontally" if split.is_below else "vertically")
    session = environ.get("ITERM_SESSION_ID", "").rpartition(":")[2]
    # It starts commands in the home folder. What differs is an argument of the script, never part of its text.
    started = shlex.join(["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder, *command])
    return [Attempt(["osascript", "-e", script, session, started])]


_GHOSTTY_SCRIPT = """\
on run argv
  tell application "Ghostty"
    set settings to new surface configuration
    set initial working directory of settings to item 1 of argv
    set command of settings to item 2 of argv
    set agent to focused terminal of selected tab of front window
    set viewer to split agent direction {} with configuration settings
    perform action "goto_split:{}" on viewer
  end tell
end run"""


def _ghostty(split: Split, command: Sequence[str], folder: str, _environ: Mapping[str, str]) -> list[Attempt]:
    script = _GHOSTTY_SCRIPT.format(*(("down", "up") if split.is_below else ("right", "left")))
    return [Attempt(["osascript", "-e", script, folder, shlex.join(command)])]


_MAKERS = {TMUX: _tmux, ZELLIJ: _zellij, KITTY: _kitty, WEZTERM: _wezterm, ITERM: _iterm, GHOSTTY: _ghostty}

HINTS: Mapping[str, str] = {
    KITTY: "put `allow_remote_control yes` and `listen_on unix:/tmp/kitty` into kitty.conf and restart kitty",
    ITERM: "allow it under System Settings > Privacy & Security > Automation",
    GHOSTTY: "it needs Ghostty 1.3, and a yes under System Settings > Privacy & Security > Automation",
}
"""What usually helps where a terminal refuses."""
