"""What is said and asked before a client's file is written: aligned and quiet on a terminal, plain in a pipe."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence

from seqthink.cli.common import is_terminal
from seqthink.cli.standard_output import output
from seqthink.errors import UsageError
from seqthink.text import one_line

EXAMPLE_PROMPT = "Use sequential thinking: why is our CI slow?"

_SIGNS = {
    "done": ("✓", "ok"),
    "failed": ("✗", "!!"),
    "nothing": ("–", "--"),
    "change": ("+", "+"),
    "warning": ("!", "!"),
}
_COLOURS = {"done": "32", "failed": "31", "nothing": "2", "change": "36", "warning": "33"}
_DIFF_COLOURS = {"+": "32", "-": "31", "@": "36"}


class ConsentDialogue:
    """Prints on stdout, and asks on the terminal that stdin and stdout are."""

    def __init__(self) -> None:
        from seqthink.cli.preferences import preferences_of

        self._column = int(preferences_of(Namespace()).is_ascii)
        self._has_colours = is_terminal() and not os.environ.get("NO_COLOR")
        self.can_ask = _is_tty(sys.stdin) and _is_tty(sys.stdout)

    def say(self, *lines: str) -> None:
        """Print lines that are safe for a terminal."""
        with output() as out:
            out.writelines(f"{line}\n" for line in lines)

    def mark(self, kind: str) -> str:
        """Return the sign for ``done``, ``failed``, ``nothing``, ``change`` or ``warning``."""
        return self._coloured(_SIGNS[kind][self._column], _COLOURS[kind])

    def say_result(self, kind: str, text: str) -> None:
        """Print one line with its sign; the text may be anybody's."""
        self.say(f"{self.mark(kind)} {one_line(text)}")

    def say_table(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        """Print rows of sign, name, file and words, aligned."""
        widths = [max((len(row[column]) for row in rows), default=0) for column in (1, 2)]
        self.say(
            *(
                f"{self.mark(kind)} {one_line(name):<{widths[0]}}  {one_line(file):<{widths[1]}}  {one_line(words)}"
                for kind, name, file, words in rows
            )
        )

    def say_diff(self, lines: Iterable[str]) -> None:
        """Print a diff."""
        self.say(*(self._diff_line(number, line) for number, line in enumerate(lines)))

    def ask(self, question: str, answers: str) -> str:
        """Ask, and return which of the letters in ``answers`` came back; ``n`` for all else and at the end."""
        print(question, end=" ", flush=True)
        answer = sys.stdin.readline()
        if not answer.endswith("\n"):
            print()
        letter = answer.strip()[:1].lower()
        return letter if letter and letter in answers else "n"

    def check_can_ask(self, command: str) -> None:
        """Raise UsageError where no one can answer."""
        if not self.can_ask:
            raise UsageError(
                f"{command}: there is no terminal to ask on; --yes writes without asking, --dry-run shows the change"
            )

    def _diff_line(self, number: int, line: str) -> str:
        return self._coloured(line, "1" if number < 2 else _DIFF_COLOURS.get(line[:1], ""))

    def _coloured(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._has_colours and colour else text


def _is_tty(stream: object) -> bool:
    return bool(stream is not None and getattr(stream, "isatty", lambda: False)())
