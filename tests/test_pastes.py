"""A paste comes out of what a terminal sends as one piece, wherever the reads cut it, and nothing of it is a key."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.pastes import END, ESCAPE, MOST, START, Pastes, Piece

INNER = [
    "one\rq",
    "",
    ESCAPE,
    f"a{ESCAPE}b",
    f"{ESCAPE}[A{ESCAPE}[<0;1;1M",
    START,
    END[:-1],
    f"{ESCAPE}{START[:4]}\x03",
]


def pieces(chunks: Iterable[str]) -> list[Piece]:
    """Return what comes of the chunks; keys that came in several parts stand together."""
    pastes, found = Pastes(), list[Piece]()
    for piece in [piece for chunk in chunks for piece in pastes.feed(chunk)]:
        if found and not piece.is_paste and not found[-1].is_paste:
            found[-1] = Piece(found[-1].text + piece.text)
        else:
            found.append(piece)
    return found


@pytest.mark.parametrize("inner", INNER)
def test_a_paste_is_one_piece_at_every_cut(inner: str) -> None:
    sent = f"j{START}{inner}{END}k"
    wanted = [Piece("j"), Piece(inner, is_paste=True), Piece("k")]

    for first in range(len(sent)):
        for second in range(first, len(sent)):
            assert pieces([sent[:first], sent[first:second], sent[second:]]) == wanted
    assert pieces(sent) == wanted


@given(st.lists(st.sampled_from([START, END, ESCAPE, "[", "20", "~", "q"])).map("".join), st.lists(st.integers(0, 60)))
def test_what_is_typed_and_pasted_does_not_depend_on_the_cuts(sent: str, cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(sent)]

    assert pieces(sent[a:b] for a, b in pairwise(places)) == pieces([sent])


def test_a_paste_without_end_is_given_up_as_a_paste_and_keys_are_keys_again() -> None:
    pastes = Pastes()
    taken = [*pastes.feed(f"{START}rm{END[:3]}")]
    patience = pastes.patience

    assert taken == []
    assert patience is not None
    assert [*pastes.give_up()] == [Piece(f"rm{END[:3]}", is_paste=True)]
    assert pastes.patience is None
    assert [*pastes.feed("q")] == [Piece("q")]


def test_an_escape_alone_is_the_key_unless_the_rest_of_a_mark_follows_after_all() -> None:
    pastes = Pastes()

    assert [*pastes.feed(ESCAPE)] == []
    assert [*pastes.give_up()] == [Piece(ESCAPE)]
    assert [*pastes.feed(f"{START[1:]}q{END}")] == [Piece("q", is_paste=True)]
    assert [*pastes.feed(ESCAPE)] == []
    assert [*pastes.give_up()] == [Piece(ESCAPE)]
    assert [*pastes.feed("[")] == [Piece("[")]


def test_a_paste_is_kept_up_to_a_limit_and_its_end_is_still_found() -> None:
    pastes = Pastes()
    chunks = [START, *["x" * (1 << 20)] * 5, f"y{END}", "q"]

    [paste, keys] = [piece for chunk in chunks for piece in pastes.feed(chunk)]

    assert paste.is_paste
    assert paste.text == "x" * MOST
    assert keys == Piece("q")
