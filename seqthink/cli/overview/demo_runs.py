"""Runs of `seqthink demo`, which the commands about all sessions leave out unless `--demos` is given."""

import argparse

from seqthink.cli.common import CommandParser, print_stderr


def add_demos(parser: CommandParser) -> None:
    """Add `--demos`."""
    parser.add_argument("--demos", action="store_true", help="include runs of `seqthink demo`")


class DemoRuns:
    """Says which sessions are left out as runs of the demo, and counts them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._is_shown = options.demos
        self._left_out: set[str] = set()

    def leaves_out(self, session: str, client: str) -> bool:
        """Return whether a session of ``client`` is left out."""
        from seqthink.cli.stories.story import CLIENT_NAME  # not needed for Tab or help

        if self._is_shown or client != CLIENT_NAME:
            return False
        self._left_out.add(session)
        return True

    @property
    def count(self) -> int:
        """How many were left out."""
        return len(self._left_out)

    def say_left_out(self) -> bool:
        """Say on stderr how many were left out, where nothing else is shown; return whether there were any."""
        count = self.count
        if count:
            runs, those = ("a run", "it") if count == 1 else (f"{count:,} runs", "them")
            print_stderr(f"left out: {runs} of the demo; --demos includes {those}")
        return bool(count)
