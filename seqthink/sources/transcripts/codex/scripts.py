"""Scripts of code mode: the model writes JavaScript that calls tools, and each of these calls has a record of its own.

So the script itself is emitted only where nothing it did is: else a thought or a command would count twice.
"""

from typing import Final, NamedTuple

SCRIPT_TOOL: Final = "exec"
"""The tool that runs a script."""


class CodeScript(NamedTuple):
    """A script that has begun."""

    code: object
    time: int


class CodeScripts:
    """The scripts of one thread that have not ended."""

    def __init__(self) -> None:
        self._open: dict[str, CodeScript] = {}

    def begun(self, call: str, script: CodeScript) -> None:
        """Take in a call that runs a script."""
        self._open[call] = script

    def called(self) -> None:
        """A tool was called while these scripts ran: its call is emitted instead of them."""
        self._open = dict.fromkeys(self._open, CodeScript(None, 0))

    def ended(self, call: str) -> CodeScript | None:
        """Return the script that a call ran, if it has to be emitted."""
        script = self._open.pop(call, None)
        return script if script is not None and script.code is not None else None

    def is_open(self, call: str) -> bool:
        """Return whether a call runs a script."""
        return call in self._open

    def abandoned(self) -> dict[str, CodeScript]:
        """Return those that have to be emitted and have no end, since their turn ended, by their calls."""
        left, self._open = self._open, {}
        return {call: script for call, script in left.items() if script.code is not None}
