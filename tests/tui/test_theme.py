"""What colours must never be mistaken for each other."""

from itertools import combinations
from math import dist

import pytest
from textual.color import Color, rgb_to_lab

from seqthink.drawing.text.spans import BRANCH_ROLES, Role
from tui.theme import ANSI, DARK, LIGHT, ColourTheme

MIN_DISTANCE_FROM_ALARM = 40
"""Distance in CIELAB of a branch's colour from that of a warning or an error; 10 can be distinguished side by side."""
MIN_DISTANCE_OF_BRANCHES = 15


def distance(theme: ColourTheme, one: Role, other: Role) -> float:
    first, second = (rgb_to_lab(Color.parse(theme.roles[role])) for role in (one, other))
    return dist(first, second)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_no_branch_has_a_colour_like_that_of_a_warning_or_an_error(theme: ColourTheme) -> None:
    near = [
        (branch, alarm)
        for branch in BRANCH_ROLES
        for alarm in (Role.WARN, Role.BAD)
        if distance(theme, branch, alarm) < MIN_DISTANCE_FROM_ALARM
    ]

    assert near == []


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_branches_can_be_distinguished_by_their_colours(theme: ColourTheme) -> None:
    pairs = combinations(BRANCH_ROLES, 2)

    assert [pair for pair in pairs if distance(theme, *pair) < MIN_DISTANCE_OF_BRANCHES] == []


def test_with_the_terminals_own_colours_no_branch_is_red_or_yellow_and_all_differ() -> None:
    colours = [ANSI.roles[role] for role in BRANCH_ROLES]

    assert [colour for colour in colours if colour.endswith(("red", "yellow"))] == []
    assert {ANSI.roles[Role.WARN], ANSI.roles[Role.BAD]} == {"yellow", "red"}
    assert len(set(colours)) == len(colours)
