"""A paste comes out of what a terminal sends as one piece, wherever the reads cut it, and nothing of it is a key."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.terminal.bracketed_paste import (
    ESCAPE,
    MAX_PASTE_CHARS,
    PASTE_END,
    PASTE_START,
    BracketedPasteParser,
    InputPiece,
)

INNER = [
    "one\rq",
    "",
    ESCAPE,
    f"a{ESCAPE}b",
    f"{ESCAPE}[A{ESCAPE}[<0;1;1M",
    PASTE_START,
    PASTE_END[:-1],
    f"{ESCAPE}{PASTE_START[:4]}\x03",
]


def pieces(chunks: Iterable[str]) -> list[InputPiece]:
    """Return what comes of the chunks; keys that came in several parts stand together."""
    pastes, found = BracketedPasteParser(), list[InputPiece]()
    for piece in [piece for chunk in chunks for piece in pastes.feed(chunk)]:
        if found and not piece.is_paste and not found[-1].is_paste:
            found[-1] = InputPiece(found[-1].text + piece.text)
        else:
            found.append(piece)
    return found


@pytest.mark.parametrize("inner", INNER)
def test_a_paste_is_one_piece_at_every_cut(inner: str) -> None:
    sent = f"j{PASTE_START}{inner}{PASTE_END}k"
    wanted = [InputPiece("j"), InputPiece(inner, is_paste=True), InputPiece("k")]

    for first in range(len(sent)):
        for second in range(first, len(sent)):
            assert pieces([sent[:first], sent[first:second], sent[second:]]) == wanted
    assert pieces(sent) == wanted


@given(
    st.lists(st.sampled_from([PASTE_START, PASTE_END, ESCAPE, "[", "20", "~", "q"])).map("".join),
    st.lists(st.integers(0, 60)),
)
def test_what_is_typed_and_pasted_does_not_depend_on_the_cuts(sent: str, cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(sent)]

    assert pieces(sent[a:b] for a, b in pairwise(places)) == pieces([sent])


def test_a_paste_without_end_is_given_up_as_a_paste_and_keys_are_keys_again() -> None:
    pastes = BracketedPasteParser()
    taken = [*pastes.feed(f"{PASTE_START}rm{PASTE_END[:3]}")]
    patience = pastes.timeout_seconds

    assert taken == []
    assert patience is not None
    assert [*pastes.flush()] == [InputPiece(f"rm{PASTE_END[:3]}", is_paste=True)]
    assert pastes.timeout_seconds is None
    assert [*pastes.feed("q")] == [InputPiece("q")]


def test_an_escape_alone_is_the_key_unless_the_rest_of_a_mark_follows_after_all() -> None:
    pastes = BracketedPasteParser()

    assert [*pastes.feed(ESCAPE)] == []
    assert [*pastes.flush()] == [InputPiece(ESCAPE)]
    assert [*pastes.feed(f"{PASTE_START[1:]}q{PASTE_END}")] == [InputPiece("q", is_paste=True)]
    assert [*pastes.feed(ESCAPE)] == []
    assert [*pastes.flush()] == [InputPiece(ESCAPE)]
    assert [*pastes.feed("[")] == [InputPiece("[")]


def test_a_paste_is_kept_up_to_a_limit_and_its_end_is_still_found() -> None:
    pastes = BracketedPasteParser()
    chunks = [PASTE_START, *["x" * (1 << 20)] * 5, f"y{PASTE_END}", "q"]

    [paste, keys] = [piece for chunk in chunks for piece in pastes.feed(chunk)]

    assert paste.is_paste
    assert paste.text == "x" * MAX_PASTE_CHARS
    assert keys == InputPiece("q")
