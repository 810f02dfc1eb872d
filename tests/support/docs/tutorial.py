"""The tutorial as data: its drawing with notes, and the keys that it asks for with what they show.

``python -m tests.support.docs.tutorial`` draws the drawing again.
"""

import re
from typing import NamedTuple

from tests.support.docs import readme
from tests.support.docs.pages import page
from tests.support.docs.readme import codes

NOTE = "← "
"""Starts a note in the drawing that is not part of the output."""
PAGE = "tutorial"
_FENCE = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_KEYS = {"[": "left_square_bracket", "/": "slash", "Enter": "enter", "End": "end"}


class KeyStep(NamedTuple):
    """One row of the table of keys."""

    keys: list[str]
    """The keys to press, as Textual names them; a word is typed letter by letter."""
    shown: str
    """What is on the screen afterwards."""


def drawing_command() -> list[str]:
    """Return the command that the tutorial gives for its drawing, as words."""
    [found] = re.findall(r"`seqthink (replay \S+ --at \d+ --width \d+) \| cat`", page(PAGE).text)
    return found.split()


def drawing() -> str:
    """Return the drawing without its notes."""
    return "".join(line.partition(NOTE)[0].rstrip() + "\n" for line in _annotated(page(PAGE).text).splitlines())


def key_steps() -> list[KeyStep]:
    """Return the rows of the table of keys."""
    steps: list[KeyStep] = []
    for pressed, shown, _ in page(PAGE).rows("Press"):
        [text] = codes(shown)
        steps.append(KeyStep([key for name in codes(pressed) for key in _pressed(name)], text))
    return steps


def redrawn(text: str) -> str:
    """Return the tutorial's ``text`` with its drawing as the program draws it now; each note stays with its line."""
    old, lines = _annotated(text), readme.run(drawing_command()).splitlines()
    notes = [line.partition(NOTE)[2] for line in old.splitlines()]
    if len(notes) != len(lines):
        raise SystemExit("the tutorial's drawing has another number of lines now; write its notes by hand")
    edge = max(map(len, lines)) + 2
    new = [f"{line:<{edge}}{NOTE}{note}" if note else line for line, note in zip(lines, notes, strict=True)]
    return text.replace(old, "\n".join(new) + "\n")


def _annotated(text: str) -> str:
    [found] = [block for block in _FENCE.findall(text) if NOTE in block]
    return found


def _pressed(name: str) -> list[str]:
    return [_KEYS[name]] if name in _KEYS else list(name)


if __name__ == "__main__":
    page(PAGE).path.write_text(redrawn(page(PAGE).text), encoding="utf-8")
