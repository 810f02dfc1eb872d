"""The help page of a command: what it is for, examples to copy, its options, then what else there is to know.

Standard library only: `serve` and `tap` have such a page, too.
"""

import argparse
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from seqthink.cli import COMMANDS

# The shell asks for completions at every Tab, so slow imports wait until they are used.
if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        """Return a method as it is: only a type checker asks for the mark, and its module loads all of `inspect`."""
        return method


EXAMPLE_INDENT = "  "
_OPTIONS = argparse.Action([], "options", nargs="?", metavar="options")
"""What the usage has in place of the options, which the page lists."""


class HelpFormatter(argparse.HelpFormatter):
    """Leaves examples as they are, has all options in one word of the usage, and breaks texts at blanks only.

    The halves of `gemini-cli` are not names.
    """

    @override
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],  # noqa: ARG002 - argparse's own
        prefix: str | None = None,
    ) -> None:
        """Add the usage: what has to be given, and `[options]`."""
        needed = [action for action in actions if action.required or not action.option_strings]
        super().add_usage(usage, [_OPTIONS, *needed], [], prefix)

    @override
    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    @override
    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(
            line
            if line.startswith(EXAMPLE_INDENT)
            else textwrap.fill(line, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
            for line in text.split("\n")
        )


def description_of(command: str, examples: Iterable[str]) -> str:
    """Return what a command is for, and below it ``examples`` of its use."""
    summary = COMMANDS[command]
    return "\n".join([f"{summary[0].upper()}{summary[1:]}.", "", *(EXAMPLE_INDENT + example for example in examples)])


def examples_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return the examples on a command's page."""
    lines = (parser.description or "").split("\n")
    return [line.strip() for line in lines if line.startswith(EXAMPLE_INDENT)]
