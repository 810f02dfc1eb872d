"""Sequences that notify the person through the terminal: its title, its bell, a notification of the desktop.

No text of a model reaches the title. A notification has one line of it, without anything that could end or begin a
sequence: whatever is not printable is gone, and so is the semicolon that separates fields.
"""

from base64 import b64encode
from collections.abc import Mapping
from enum import Enum
from typing import Final

from seqthink.core.text import one_line

BELL: Final = "\x07"
SAVE_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
MAX_NOTIFICATION_CHARS: Final = 100
APP_NAME: Final = "seqthink"
_ST: Final = "\x1b\\"
_OSC_9_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "ghostty"})
_OSC_9_VARIABLES = ("ITERM_SESSION_ID", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR")


class Protocol(Enum):
    """How a terminal is asked for a notification of the desktop."""

    OSC_9 = 9
    """iTerm2, WezTerm, ghostty."""
    OSC_99 = 99
    """kitty."""
    OSC_777 = 777
    """urxvt, foot."""


def protocol_of(environ: Mapping[str, str]) -> Protocol | None:
    """Return the protocol that the terminal is known to understand; None for every other terminal.

    Within tmux it is that of the terminal in which tmux was started, as far as its variables were passed on.
    """
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if environ.get("STY") or environ.get("WT_SESSION"):  # GNU screen passes nothing on; Windows Terminal shows none
        return None
    if environ.get("KITTY_WINDOW_ID") or term == "xterm-kitty":
        return Protocol.OSC_99
    has_osc_9 = program in _OSC_9_PROGRAMS or environ.get("LC_TERMINAL") == "iTerm2" or term == "xterm-ghostty"
    if has_osc_9 or any(environ.get(name) for name in _OSC_9_VARIABLES):
        return Protocol.OSC_9
    return Protocol.OSC_777 if term.startswith(("rxvt-unicode", "foot")) else None


def title_sequence(title: str) -> str:
    """Return what sets the terminal's title."""
    return f"\x1b]2;{plain_text(title)}{_ST}"


def notification_sequence(text: str, protocol: Protocol, *, is_in_tmux: bool = False) -> str:
    """Return what shows ``text`` as a notification; tmux passes it on if ``allow-passthrough`` is on."""
    body = plain_text(text)
    match protocol:
        case Protocol.OSC_9:
            # what begins with a digit and a semicolon would be a progress bar
            sequence = f"\x1b]9;{APP_NAME}: {body}{_ST}"
        case Protocol.OSC_99:
            sequence = f"\x1b]99;e=1:a=focus;{b64encode(f'{APP_NAME}: {body}'.encode()).decode()}{_ST}"
        case Protocol.OSC_777:
            sequence = f"\x1b]777;notify;{APP_NAME};{body}{_ST}"
    return f"\x1bPtmux;{sequence.replace(chr(27), chr(27) * 2)}{_ST}" if is_in_tmux else sequence


def plain_text(text: str) -> str:
    """Return a text in one short line of printable characters, without semicolons."""
    shown = one_line(text).replace(";", ",")
    return "".join(character for character in shown if character.isprintable())[:MAX_NOTIFICATION_CHARS]
