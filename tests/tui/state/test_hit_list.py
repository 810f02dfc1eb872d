"""Hits as rows: a line for each session, and a selection that is always on a hit."""

from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.text import SafeText
from seqthink.drawing.describe.hits import FoundText, HitSession
from seqthink.journal.store import SessionFile
from seqthink.library.finding.found import Hit
from tui.state.hit_list import HitList


def hit(session: str, seq: int) -> Hit:
    file = SessionFile(session, Path(session), 1, datetime(2026, 3, 10, tzinfo=UTC))
    text = FoundText(seq=seq, kind="thought", time=0, excerpt=SafeText("x"), number=seq)
    return Hit(file, HitSession(SafeText(session), SafeText(session), SafeText(""), 0), text)


HITS = [hit(session, seq) for session in "abc" for seq in (3, 2, 1)]


def listed(height: int = 20, wanted: str = "") -> HitList[Hit]:
    hits = HitList[Hit](wanted)
    hits.resize(height)
    hits.add(HITS)
    return hits


def test_the_first_hit_is_selected_and_the_line_of_its_session_is_in_view() -> None:
    hits = listed(3)
    assert hits.selected == HITS[0]
    assert [is_heading for _, is_heading in hits.visible()] == [True, False, False]


def test_moving_steps_over_the_lines_of_sessions() -> None:
    hits = listed()
    seen = [hits.selected]
    for _ in range(8):
        hits.move(1)
        seen.append(hits.selected)
    assert seen == HITS
    for wanted in HITS[-2::-1]:
        hits.move(-1)
        assert hits.selected == wanted


def test_hits_that_come_later_do_not_move_the_selection() -> None:
    hits = HitList[Hit]()
    hits.resize(3)
    hits.add(HITS[:2])
    hits.move(1)
    before = hits.visible(), hits.selected
    hits.add(HITS[2:])
    assert hits.selected == before[1]
    assert hits.visible()[: len(before[0])] == before[0]
    assert hits.session_count == 3


def test_a_hit_that_was_selected_before_is_selected_again_once_it_is_found() -> None:
    hits = HitList[Hit]("c#e2")
    hits.resize(4)
    hits.add(HITS[:4])
    assert hits.selected == HITS[0]
    hits.add(HITS[4:])
    assert hits.selected == hit("c", 2)
    assert hits.visible()[hits.selected_line][0] == hits.selected


def test_a_session_s_line_cannot_be_selected_with_the_mouse() -> None:
    hits = listed()
    assert not hits.select_line(0)
    assert hits.select_line(1)
    assert not hits.select_line(19)


@given(
    st.integers(1, 8), st.lists(st.tuples(st.sampled_from(["move", "page", "scroll", "resize"]), st.integers(-9, 9)))
)
def test_the_selection_is_always_a_hit_and_moving_brings_it_into_view(
    height: int, steps: list[tuple[str, int]]
) -> None:
    hits = listed(height)
    for name, count in steps:
        getattr(hits, name)(max(1, count) if name == "resize" else count)
        assert hits.selected in HITS
        if name == "move":
            line = hits.selected_line
            assert hits.visible()[line] == (hits.selected, False)
