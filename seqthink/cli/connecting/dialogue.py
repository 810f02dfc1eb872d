"""What is said and asked before a client's file is written: aligned and quiet on a terminal, plain in a pipe."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence

from seqthink.cli.common import drawing_width, is_terminal
from seqthink.cli.standard_output import output, silence_stdout
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.drawing.text.cells import pad, width
from seqthink.drawing.text.wrap import wrap

EXAMPLE_PROMPT = "Use sequential thinking: why is our CI slow?"
_MIN_TEXT_CELLS = 24
"""Where fewer are left beside a column of names, the text begins right behind its name."""

_SIGNS = {
    "done": ("✓", "ok"),
    "failed": ("✗", "!!"),
    "change": ("+", "+"),
    "warning": ("!", "!"),
}
_COLOURS = {"done": "32", "failed": "31", "change": "36", "warning": "33"}
_DIFF_COLOURS = {"+": "32", "-": "31", "@": "36"}


class ConsentDialogue:
    """Prints on stdout, and asks on the terminal that stdin and stdout are."""

    def __init__(self) -> None:
        from seqthink.cli.preferences import preferences_of

        self._column = int(preferences_of(Namespace()).is_ascii)
        self._cells = drawing_width(Namespace(width=None)) if is_terminal() else 0
        """The terminal's width; 0 where there is none, and lines stay whole for other programs."""
        self._has_colours = is_terminal() and not os.environ.get("NO_COLOR")
        self.can_ask = _is_tty(sys.stdin) and _is_tty(sys.stdout)

    def say(self, *lines: str) -> None:
        """Print lines that are safe for a terminal.

        A reader who has left (``setup --yes | head -1``) does not end the command: what was agreed to is still written.
        """
        try:
            with output() as out:
                out.writelines(f"{line}\n" for line in lines)
        except BrokenPipeError:
            silence_stdout()

    def mark(self, kind: str) -> str:
        """Return the sign for ``done``, ``failed``, ``change`` or ``warning``."""
        return self._coloured(_SIGNS[kind][self._column], _COLOURS[kind])

    def say_result(self, kind: str, text: str) -> None:
        """Print one line with its sign; the text may be anybody's."""
        self._say_marked(kind, one_line(text))

    def say_table(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        """Print rows of sign, name, file and words, aligned; a row without words may be longer than its columns."""
        shown = [(kind, one_line(name), one_line(file), one_line(words)) for kind, name, file, words in rows]
        names = max((width(name) for _, name, _, _ in shown), default=0) + 2
        files = max((width(file) for _, _, file, words in shown if words), default=0) + 2
        for kind, name, file, words in shown:
            line = f"{pad(name, names)}{pad(file, files)}{words}" if words else f"{pad(name, names)}{file}"
            sentence = f"{file}: {words}" if words else file
            self._say_marked(kind, line, names, sentence)

    def say_wrapped(self, *lines: str) -> None:
        """Print lines that are safe for a terminal, broken at blanks where they are wider than it."""
        for line in lines:
            self.say(*(wrap(line, self._cells) if self._cells else (line,)))

    def _say_marked(self, kind: str, line: str, indent: int = 0, sentence: str = "") -> None:
        """Print a sign and a line.

        Where the line is wider than the terminal, ``sentence`` takes the place of all of it but the first ``indent``
        cells, and is broken at blanks, each line of it as far to the right as the first.
        """
        mark = _SIGNS[kind][self._column]
        room = self._cells - len(mark) - 1
        if not self._cells or width(line) <= room:
            self.say(f"{self.mark(kind)} {line}")
            return
        head, sentence = line[:indent], sentence or line
        if room - indent < _MIN_TEXT_CELLS:
            head, sentence = "", f"{head.rstrip()}: {sentence}" if head else sentence
        first, *others = wrap(sentence, max(1, room - len(head)))
        margin = " " * (len(mark) + 1 + len(head))
        self.say(f"{self.mark(kind)} {head}{first}", *(f"{margin}{line}" for line in others))

    def say_diff(self, lines: Iterable[str]) -> None:
        """Print a diff."""
        self.say(*(self._diff_line(number, line) for number, line in enumerate(lines)))

    def ask(self, question: str, answers: str) -> str:
        """Ask until an answer begins with ``n`` or a letter of ``answers``, and return that letter.

        Nothing, and the end of the input, mean ``n``.

        Raises:
            KeyboardInterrupt: Ctrl-C; it is said that nothing was written, since all is asked before anything is.
        """
        while True:
            try:
                print(f"{question} ", end="", flush=True)
                answer = sys.stdin.readline()
            except KeyboardInterrupt:
                self.say("", "Nothing was written.")
                raise
            if not answer.endswith("\n"):
                print()
            letter = answer.strip()[:1].lower() or "n"
            if letter in f"{answers}n":
                return letter
            self.say(f"Answer with {', '.join(answers)} or n.")

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
