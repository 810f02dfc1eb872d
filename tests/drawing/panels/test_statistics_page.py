"""The page of statistics fits any width, and says nothing of what is not known."""

from datetime import UTC

import pytest

from seqthink.chain.fold import fold
from seqthink.chain.statistics.totals import Statistics
from seqthink.drawing.panels.statistics_page import Period, short_names, statistics_lines
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from seqthink.session_counting import statistics_of
from tests.support.journals.build import JournalBuilder, shop_api

DAY = 86_400_000_000


def _statistics(*journals: JournalBuilder) -> Statistics:
    statistics = Statistics()
    for number, journal in enumerate(journals):
        statistics.add(statistics_of(fold(journal.events), f"session-{number}", {"claude-opus": 3}))
    return statistics


def _page(statistics: Statistics, cells: int, *, signs: Signs = UNICODE) -> list[str]:
    last = max(statistics.all.hours, default=0) * 3_600_000_000
    period = Period(last - 7 * DAY, last) if statistics.only is None else None
    lines = statistics_lines(statistics, "last 7 days", cells, period=period, signs=signs, zone=UTC)
    return [spans_text(line) for line in lines]


def _hostile() -> JournalBuilder:
    journal = JournalBuilder().session(client="\x1b[2J\u202eevil", cwd="/home/" + "目录" * 80)
    for number in range(1, 30):
        journal.thought("t", number, 40, after=9 if number != 12 else 4_000)
    return journal.rejected()


@pytest.mark.parametrize("cells", [20, 44, 60, 80, 120, 200])
@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_no_line_is_wider_than_the_page_and_no_control_is_drawn(cells: int, signs: Signs) -> None:
    for statistics in (_statistics(shop_api()), _statistics(shop_api(), _hostile()), Statistics()):
        page = _page(statistics, cells, signs=signs)

        assert all(width(line) <= cells for line in page)
        assert not any("\x1b" in line or "\u202e" in line for line in page)


def test_a_session_says_how_far_its_estimate_was_off_and_how_fast_it_thought() -> None:
    page = "\n".join(_page(_statistics(shop_api()), 80))

    assert "shop-api" not in page  # its name is the heading, which the caller gives
    assert "3.8 a minute" in page
    assert "5→8           +3" in page
    assert "silences" not in page


def test_a_block_of_what_is_not_known_is_left_out() -> None:
    page = "\n".join(_page(_statistics(JournalBuilder().session(client=None, cwd=None).thought("a", 1, 5)), 80))

    assert "a minute" not in page
    assert "estimate" not in page
    assert "clients" not in page


def test_folders_are_told_apart_by_as_much_of_their_path_as_it_takes() -> None:
    assert short_names(["/a/b/c", "/a/d"]) == ["c", "d"]
    assert short_names(["/a/x/app", "/a/y/app", "/z"]) == ["x/app", "y/app", "z"]
