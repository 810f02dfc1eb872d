"""The terminal: what the viewer needs of it."""

import subprocess
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from seqthink.connect.doctor.results import CheckResult, right, unseen, warning, wrong

_KNOWN: Final = frozenset(
    {
        *("xterm", "xterm-256color", "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "linux"),
        *("screen", "screen-256color", "tmux", "tmux-256color", "vt100", "dumb", "unknown", "rxvt-unicode-256color"),
    }
)
"""Values of TERM that a report may name: any other one may be a private name."""
_TMUX_SECONDS: Final = 3.0

AskTmux = Callable[[str], str | None]
"""Returns the value of one of tmux's options; None if tmux does not say it."""


class TerminalFacts(Struct, frozen=True):
    """What is known of the terminal."""

    is_terminal: bool
    columns: int
    rows: int
    min_columns: int
    min_rows: int
    """The size below which the viewer shows less than its usual panes."""
    ascii_reason: str
    """What keeps signs that are not ASCII from being shown; "" if nothing does."""


def terminal_checks(facts: TerminalFacts, environ: Mapping[str, str], ask_tmux: AskTmux) -> list[CheckResult]:
    """Return the results for the terminal."""
    if not facts.is_terminal:
        return [unseen("terminal", "there is none here; run this where you would run `seqthink watch`")]
    return [
        _kind(environ),
        _size(facts),
        _signs(facts),
        _colours(environ),
        *([_tmux(ask_tmux)] if environ.get("TMUX") else []),
    ]


def ask_tmux(option: str) -> str | None:
    """Return the value of one of tmux's options."""
    try:
        done = subprocess.run(
            ["tmux", "show-options", "-gAv", option],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TMUX_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None


def _kind(environ: Mapping[str, str]) -> CheckResult:
    term = environ.get("TERM", "")
    if term in {"", "dumb", "unknown"}:
        named = f"TERM is {term}" if term else "TERM is not set"
        return wrong("kind", f"{named}: the viewer cannot draw", fix="export TERM=xterm-256color")
    return right("kind", term) if term in _KNOWN else right("kind", "TERM names one of its own", term)


def _size(facts: TerminalFacts) -> CheckResult:
    size = f"{facts.columns} columns, {facts.rows} rows"
    if facts.columns < facts.min_columns or facts.rows < facts.min_rows:
        fix = f"make the window larger: {facts.min_columns} columns and {facts.min_rows} rows are enough"
        return warning("size", f"only {size}", fix=fix)
    return right("size", size)


def _signs(facts: TerminalFacts) -> CheckResult:
    if facts.ascii_reason:
        return warning(
            "signs", f"only ASCII is drawn, because of {facts.ascii_reason}", fix="export LC_ALL= LANG=C.UTF-8"
        )
    return right("signs", "the locale is UTF-8")


def _colours(environ: Mapping[str, str]) -> CheckResult:
    if environ.get("NO_COLOR"):
        return right("colours", "none, as NO_COLOR asks")
    if environ.get("COLORTERM") in {"truecolor", "24bit"}:
        return right("colours", "16 million")
    if "256color" in environ.get("TERM", ""):
        return right("colours", "256; the viewer takes the nearest ones")
    return warning(
        "colours", "16; themes look coarse", fix="export TERM=xterm-256color, if the terminal has 256 colours"
    )


def _tmux(ask: AskTmux) -> CheckResult:
    passes = ask("allow-passthrough")
    if passes is None:
        return unseen("tmux", "it does not say whether it passes notifications on")
    if passes in {"on", "all"}:
        return right("tmux", "it passes notifications on")
    return warning("tmux", "it keeps notifications to itself", fix="tmux set -g allow-passthrough on")
