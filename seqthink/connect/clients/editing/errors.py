"""What is wrong with a client's configuration text, and where."""

import re

from seqthink.core.errors import UsageError

_NEWLINE = re.compile(r"\r\n|\r|\n")


class ConfigTextError(UsageError):
    """A configuration text does not parse, or cannot be edited without harm; ``line`` and ``column`` count from 1."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column


def error_at(text: str, position: int, reason: str) -> ConfigTextError:
    """Return the error for ``position``, a character's index in ``text``."""
    line, line_start = 1, 0
    for newline in _NEWLINE.finditer(text, 0, min(position, len(text))):
        line, line_start = line + 1, newline.end()
    return ConfigTextError(reason, line, position - line_start + 1)
