"""Who leaves has left: what was typed right after is nobody's any more, and nothing fails."""

import pytest

from tests.support.depth import first
from tests.support.screens.terminal import Terminal, visible
from tests.support.servers.commands import SHOP_API, command

OPENERS = ["s", "?", ":", "/", "&", "e", "\r", "t"]


@pytest.mark.parametrize("leave", first(1, ["q", "\x03"]))
@pytest.mark.parametrize("then", first(1, ["s?:", "jjGgts:?/&q" * 20, *OPENERS, "?s:q\x03"]))
def test_keys_right_after_the_one_that_quits_do_nothing(leave: str, then: str) -> None:
    ended_well(leave + then)


@pytest.mark.parametrize("before", first(1, ["s?:", "/", "s", "?", ":", "::"]))
def test_a_screen_that_just_opens_may_be_left_at_once(before: str) -> None:
    ended_well(before + "\x03")
    ended_well(before + "qqqq\x03")


def ended_well(keys: str) -> None:
    with Terminal(command("replay", SHOP_API), (80, 24)) as terminal:
        terminal.until("Symptoms")
        terminal.type(keys)

        assert terminal.end() == 0, visible(terminal.text)[-300:]
