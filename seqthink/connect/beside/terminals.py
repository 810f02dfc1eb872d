"""Which terminals and multiplexers a process runs in, by its environment. Pure."""

from collections.abc import Mapping
from hashlib import sha256

TMUX, ZELLIJ, KITTY, WEZTERM, ITERM, GHOSTTY = "tmux", "zellij", "kitty", "wezterm", "iTerm2", "Ghostty"
TERMINALS = (TMUX, ZELLIJ, KITTY, WEZTERM, ITERM, GHOSTTY)
"""All that can be split, in the order in which they are looked for: a multiplexer runs inside a terminal."""

_VARIABLES = {
    TMUX: ("TMUX",),
    ZELLIJ: ("ZELLIJ",),
    KITTY: ("KITTY_WINDOW_ID", "KITTY_LISTEN_ON"),
    WEZTERM: ("WEZTERM_PANE",),
    ITERM: ("ITERM_SESSION_ID",),
    GHOSTTY: ("GHOSTTY_RESOURCES_DIR", "GHOSTTY_BIN_DIR"),
}
"""What each one sets in the environment of its programs; one of several is enough."""
_PROGRAMS = {"WezTerm": WEZTERM, "iTerm.app": ITERM, "ghostty": GHOSTTY}
"""What they call themselves in ``TERM_PROGRAM``; tmux replaces the value, zellij and kitty leave it alone."""
_MAC = "darwin"
_MAC_ONLY = (ITERM, GHOSTTY)
"""Split by AppleScript. Ghostty on Linux has no command for it."""

_PLACES = {
    TMUX: ("TMUX", "TMUX_PANE"),
    ZELLIJ: ("ZELLIJ_SESSION_NAME", "ZELLIJ_PANE_ID"),
    KITTY: ("KITTY_PID", "KITTY_LISTEN_ON", "KITTY_WINDOW_ID"),
    WEZTERM: ("WEZTERM_UNIX_SOCKET", "WEZTERM_PANE"),
    ITERM: ("ITERM_SESSION_ID",),
    GHOSTTY: (),
}
"""The variables that distinguish one pane from another. Ghostty sets none."""


def terminals_around(environ: Mapping[str, str], platform: str) -> list[str]:
    """Return the names of the terminals around a process, the innermost first, as far as the environment shows.

    Args:
        environ: the process's environment.
        platform: `sys.platform`.
    """
    if platform == "win32":  # wezterm runs there, but the commands in `splits` are those of POSIX
        return []
    named = _PROGRAMS.get(environ.get("TERM_PROGRAM", ""))
    found = [name for name in TERMINALS if name == named or any(environ.get(one) for one in _VARIABLES[name])]
    found = [name for name in found if platform == _MAC or name not in _MAC_ONLY]
    # A terminal that was started from another one inherits that one's variables, but sets its own TERM_PROGRAM.
    return sorted(found, key=lambda name: name not in {TMUX, ZELLIJ} and name != named)


def place_key(name: str, environ: Mapping[str, str], window: str = "") -> str:
    """Return a short name for the place that gets one viewer with ``--once``: fit for a file, alike in each run.

    Args:
        name: one of `TERMINALS`.
        environ: the environment of the process that asks.
        window: the window as the terminal calls it, if it could be asked; else the place is the pane.
    """
    facts = [name, window] if window else [name, *(environ.get(variable, "") for variable in _PLACES[name])]
    return sha256("\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
