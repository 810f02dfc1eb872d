"""Laws of the rows that the page is given: windows put together are all rows, whatever is folded, at any position."""

from datetime import UTC

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.session import Session
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.tree import Tree
from seqthink.share.export.html_shapes import RowDrawer
from seqthink.share.web.live.row_windows import drawn_rows, number_of_key
from seqthink.share.web.live.session_rows import ROW_CELLS, ShownTree
from seqthink.share.web.parameters import Folds
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded
from tests.support.journals.given_texts import GivenTexts


def all_rows(session: Session, shown: Session, view: str, folds: Folds, given_texts: GivenTexts) -> list[bytes]:
    """Return all rows, drawn by a tree of its own that was folded branch by branch."""
    rows: Tree | Timeline = Timeline() if view == "timeline" else Tree()
    rows.sync(session, shown)
    if isinstance(rows, Tree):
        for chain in range(session.chain_count):
            rows.open_chain(chain, opened=not any(chain in part for part in folds.chains))
        for lane in range(session.chains.lanes_of(session.chain_count - 1).stop if session.chain_count else 0):
            if any(lane in part for part in folds.lanes):
                rows.fold(lane, folded=True)
    painter = Painter(tree=rows, texts=given_texts, width=ROW_CELLS, screen_width=ROW_CELLS)
    drawer = RowDrawer()
    return [bytes(drawer.node(painter, number)) for number in range(rows.count)]


def ranges(numbers: set[int]) -> tuple[range, ...]:
    return tuple(range(number, number + 1) for number in sorted(numbers))


@given(
    journals(size=30, transcript=True),
    st.sampled_from(["tree", "timeline"]),
    st.sets(st.integers(0, 8)),
    st.sets(st.integers(0, 3)),
    st.lists(st.integers(0, 30), max_size=3),
    st.integers(1, 7),
)
def test_windows_put_together_are_all_rows_at_each_position(
    journal: Journal, view: str, lanes: set[int], chains: set[int], positions: list[int], size: int
) -> None:
    folds = Folds(
        (tuple(range(lane, lane + 1) for lane in sorted(lanes)), tuple(range(one, one + 1) for one in chains))
    )
    shown_tree, drawer = ShownTree(view, folds), RowDrawer()
    # The rows of readers grow with the session, and are shown at any position in between.
    for length in (len(journal.items) // 2, len(journal.items)):
        whole = folded(journal.items[:length]).session()
        given_texts = GivenTexts(whole)
        for shown in (*(whole.at(position) for position in positions), whole):
            shown_tree.show(whole, shown)
            painter = shown_tree.painter(given_texts, UTC, None)
            windows = [
                row
                for first in range(0, shown_tree.rows.count, size)
                for row in drawn_rows(drawer, painter, first, first + size)
            ]
            drawn = [bytes(msgspec.json.encode(row["node"])) for row in windows]

            assert drawn == all_rows(whole, shown, view, folds, given_texts)
            assert [number_of_key(shown_tree.rows, row["key"]) for row in windows] == list(range(len(windows)))
            assert all(row["level"] >= 1 and 0 <= row["position"] <= max(row["size"], 0) for row in windows)
