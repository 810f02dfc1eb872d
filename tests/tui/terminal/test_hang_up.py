"""A terminal that goes away takes its viewer along, whether it sends a signal or not."""

import sys

import pytest

from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import SHOP_API, TIMEOUT_SECONDS, command


@pytest.mark.parametrize("name", ["watch", "replay"])
def test_a_viewer_ends_when_its_terminal_is_gone(name: str) -> None:
    with Terminal(command(name, SHOP_API), (80, 24)) as terminal:
        terminal.until("Symptoms")
        terminal.hang_up()

        assert terminal.process.wait(TIMEOUT_SECONDS) == 0


_UNWRITTEN = """
import os, select, sys
from tui import run
os.write(1, b"Ready")
poll = select.poll()
poll.register(0, 0)
poll.poll()
try:
    sys.stderr.write("never written")
    sys.stderr.flush()
except OSError:
    run.flush_or_discard_output()
"""


def test_what_a_terminal_that_is_gone_cannot_take_is_no_error() -> None:
    with Terminal([sys.executable, "-c", _UNWRITTEN], (80, 24)) as terminal:
        terminal.until("Ready")
        terminal.hang_up()

        assert terminal.process.wait(TIMEOUT_SECONDS) == 0
