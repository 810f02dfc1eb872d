"""In which group of the list a session stands, and where in it."""

import pytest

from seqthink.chain.attention import Attention, Standing
from seqthink.chain.overview.session_groups import ListPosition, RepositoryGroup, group_of, in_groups
from seqthink.chain.overview.states import SessionGroup

NOW, MINUTE = 1_000_000_000_000_000, 60_000_000
NEEDS, GOING_ON, UNREAD, EARLIER = SessionGroup


@pytest.mark.parametrize(
    ("attention", "minutes", "has_unread", "group"),
    [
        (Attention.ASKING, 90, False, NEEDS),
        (Attention.STUCK, 90, True, NEEDS),
        (Attention.THINKING, 90, False, GOING_ON),
        (Attention.DONE, 1, True, UNREAD),
        (Attention.DONE, 1, False, EARLIER),
        (Attention.LOST, 1, True, UNREAD),
        (Attention.STOPPED, 90, True, UNREAD),
        (Attention.OPEN, 1, True, GOING_ON),
        (Attention.OPEN, 90, True, EARLIER),
        (Attention.OPEN, -90, True, EARLIER),
        (Attention.OPEN, 1, False, EARLIER),
    ],
)
def test_a_session_stands_in_the_group_that_it_belongs_to(
    attention: Attention, minutes: int, *, has_unread: bool, group: SessionGroup
) -> None:
    assert group_of(Standing(attention), NOW - minutes * MINUTE, NOW, has_unread=has_unread) is group


def test_who_thinks_stands_by_start_and_who_has_ended_begins_with_the_newest() -> None:
    places = [ListPosition(group, start, f"{group[0]}{start}") for start in (2, 3, 1) for group in (EARLIER, GOING_ON)]

    assert in_groups(places) == [(GOING_ON, ["g1", "g2", "g3"]), (EARLIER, ["e3", "e2", "e1"])]


def test_a_session_that_begins_moves_nobody_who_thinks() -> None:
    before = [ListPosition(GOING_ON, start, str(start)) for start in (1, 2)]
    [(_, inside)] = in_groups([ListPosition(GOING_ON, 3, "3"), *before])

    assert inside == ["1", "2", "3"]


def test_empty_groups_vanish() -> None:
    assert in_groups([]) == []


def test_repositories_follow_what_needs_you_and_the_newest_session_is_on_top() -> None:
    shop, cart = RepositoryGroup("shop", "github.com/acme/shop"), RepositoryGroup("cart", "/w/cart")
    begun = ((cart, 1), (shop, 2), (NEEDS, 3), (shop, 4), (cart, 9))
    places = [ListPosition(group, start, f"{start}") for group, start in begun]

    assert in_groups(places) == [(NEEDS, ["3"]), (cart, ["9", "1"]), (shop, ["4", "2"])]
    assert RepositoryGroup("", "").value == "folder not known"
