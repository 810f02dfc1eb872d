"""A terminal that goes away takes its viewer along, whether it sends a signal or not."""

import pytest

from tests.commands import BOUND, SHOP_API, command
from tests.terminal import Terminal


@pytest.mark.parametrize("name", ["watch", "replay"])
def test_a_viewer_ends_when_its_terminal_is_gone(name: str) -> None:
    with Terminal(command(name, SHOP_API), (80, 24)) as terminal:
        terminal.until("Symptoms")
        terminal.hang_up()

        assert terminal.process.wait(BOUND) == 0
