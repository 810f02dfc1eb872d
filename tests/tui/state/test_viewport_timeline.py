"""``t`` shows the timeline and the tree again: selection, following and place stay."""

from pathlib import Path

import pytest

from seqthink.chain.fold import fold
from seqthink.core.events import WriterState
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.tree.row_source import RowKind
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.given_texts import GivenTexts
from tests.support.screens.scenes import Scene, play, viewer
from tests.support.screens.screen_text import running_viewer, settings_of
from tui.app import Viewer
from tui.state.viewport import Viewport
from tui.widgets.chain_tree import ChainTree


def viewing_of(journal: JournalBuilder, thoughts: int | None = None) -> Viewport:
    viewing = Viewport()
    session = fold(journal.events, WriterState.ALIVE)
    viewing.resize(6)
    viewing.update(session if thoughts is None else session.at_thought(thoughts))
    return viewing


def test_while_following_it_follows_in_both() -> None:
    viewing = viewing_of(shop_api(), 6)
    session = fold(shop_api().events, WriterState.ALIVE)
    viewing.toggle_timeline()
    assert (viewing.is_timeline, viewing.is_following, viewing.thought) == (True, True, 5)

    viewing.update(session.at_thought(9))
    assert (viewing.selected, viewing.thought, viewing.top) == (8, 8, 3)

    viewing.toggle_timeline()
    assert (viewing.is_timeline, viewing.is_following, viewing.thought) == (False, True, 8)


def test_the_selected_thought_stays_whatever_was_folded_over_it() -> None:
    viewing = viewing_of(shop_api())
    viewing.select_thought(6)
    viewing.fold(folded=True)
    viewing.fold(folded=True)
    viewing.toggle_timeline()
    assert viewing.thought == 5  # a fork's row stands for the branch's first thought

    viewing.move(1)
    viewing.fold(folded=True)
    assert viewing.thought == 6

    viewing.toggle_timeline()
    assert (viewing.is_following, viewing.thought) == (False, 6)
    assert viewing.tree.row(viewing.selected).kind is RowKind.THOUGHT


def test_a_refused_call_and_a_rule_stay_selected() -> None:
    journal = (
        JournalBuilder().thought("a").thought("b", 1, 1, branch="x", from_=1).rejected().thought("c").thought("d", 2)
    )
    viewing = viewing_of(journal)
    viewing.toggle_timeline()
    for number in range(viewing.tree.count):
        viewing.select(number)
        row = viewing.tree.row(number)
        viewing.toggle_timeline()
        is_shown = viewing.tree.row(viewing.selected) == row
        viewing.toggle_timeline()

        assert is_shown or row.kind is RowKind.ASIDE  # a folded chain hides its refused calls
        assert viewing.selected == number or row.kind is RowKind.ASIDE


def test_nothing_happens_before_anything_has_arrived() -> None:
    viewing = Viewport()
    viewing.toggle_timeline()

    assert not viewing.is_timeline


async def test_t_draws_the_timeline_and_t_again_the_tree(tmp_path: Path) -> None:
    scene = Scene(60, 20, shop_api, lines=10, keys=("t",))
    with viewer(scene, tmp_path) as app:
        async with app.run_test(size=(60, 20)) as pilot:
            await play(scene, pilot)

            assert rows(app)[2:4] == [
                " │  ●─╮    3  Hypotheses: gateway pool, DNS, a cr… 5→6  20s",
                " │  ● │    4  DNS is fine: TTL 300, no failed lookups   14s",
            ]
            await pilot.press("k", "t")
            await pilot.pause()
            assert rows(app)[6].startswith("▌│  │ ●  3  Checkout's pool")


def test_a_timeline_that_was_taken_in_slice_by_slice_is_the_same_one() -> None:
    sliced, at_once = viewing_of(shop_api()), viewing_of(shop_api())
    shares = [sliced.prepare_other_view(3) for _ in range(5)]
    for viewing in (sliced, at_once):
        viewing.toggle_timeline()

    assert shares == [3 / 11, 6 / 11, 9 / 11, 1, 1]
    assert drawn(sliced) == drawn(at_once)


async def test_while_a_long_timeline_is_built_it_says_so_and_the_keys_are_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = [0.4]

    def catch_up(_viewing: Viewport, _thoughts: int) -> float:
        return share[0]

    monkeypatch.setattr(Viewport, "prepare_other_view", catch_up)
    path = shop_api().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (60, 20), settings_of(tmp_path)) as stage:
        before = await stage.press("t")
        await stage.shows("timeline … 40 %")
        await stage.press("k")
        assert stage.cursor != next(line for line in before.split("\n") if line.startswith("▌"))

        chosen = stage.app.query_one(ChainTree).drawn_text
        share[0] = 1
        await stage.until(lambda: "cron-job: What runs at :00?" in stage.text)
        assert "timeline …" not in stage.text
        assert stage.app.query_one(ChainTree).drawn_text != chosen


def drawn(viewing: Viewport) -> list[str]:
    painter = Painter(tree=viewing.tree, texts=GivenTexts(viewing.tree.session, str, str), width=60, screen_width=60)
    return [spans_text(line) for line in painter.draw_rows(0, viewing.tree.count)]


def rows(app: Viewer) -> list[str]:
    tree = app.screen.query_one(ChainTree)
    return [tree.render_line(row).text.rstrip() for row in range(tree.size.height)]
