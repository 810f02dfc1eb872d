"""Copying: tmux has a buffer of its own. Elsewhere nobody knows whether the terminal takes what it is sent."""

import subprocess
from collections.abc import Mapping

TIMEOUT_SECONDS = 2.0
TERMINAL_ANSWER = "copied, if the terminal allows it"
TMUX_ANSWER = "copied to tmux: prefix ] pastes"
_TMUX_COMMANDS = (("tmux", "load-buffer", "-w", "-"), ("tmux", "load-buffer", "-"))
"""To its buffer and the terminal's clipboard; tmux before 3.2 knows only the buffer."""


def is_in_tmux(environ: Mapping[str, str]) -> bool:
    """Return whether the viewer runs in tmux, which by default keeps a program's copies from the terminal."""
    return bool(environ.get("TMUX"))


def copy_to_tmux(text: str) -> bool:
    """Put a text into tmux's buffer; return whether tmux took it. It may take a moment."""
    for command in _TMUX_COMMANDS:
        try:
            subprocess.run(
                command,
                input=text.encode(),
                check=True,
                timeout=TIMEOUT_SECONDS,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return True
    return False
