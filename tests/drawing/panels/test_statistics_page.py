"""The page of statistics fits any width, and says nothing of what is not known."""

from datetime import UTC

import pytest

from seqthink.chain.fold import fold
from seqthink.chain.statistics.totals import Statistics
from seqthink.drawing.panels.statistics_blocks import Period
from seqthink.drawing.panels.statistics_page import short_names, statistics_lines
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from seqthink.library.session_counting import statistics_of
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.long_chain import long_chain

DAY = 86_400_000_000


def _statistics(*journals: JournalBuilder) -> Statistics:
    statistics = Statistics()
    for number, journal in enumerate(journals):
        statistics.add(statistics_of(fold(journal.events), f"session-{number}", {"claude-opus": 3}))
    return statistics


def _page(statistics: Statistics, cells: int, *, signs: Signs = UNICODE, rows: int = 0) -> list[str]:
    last = max(statistics.all.hours, default=0) * 3_600_000_000
    period = Period(last - 7 * DAY, last) if statistics.only is None else None
    lines = statistics_lines(statistics, "last 7 days", cells, period=period, signs=signs, zone=UTC, rows=rows)
    return [spans_text(line) for line in lines]


def _hostile() -> JournalBuilder:
    journal = JournalBuilder().session(client="\x1b[2J\u202eevil", cwd="/home/" + "目录" * 80)
    for number in range(1, 30):
        journal.thought("t", number, 40, after=9 if number != 12 else 4_000)
    journal.event("action", {"tool": "\x1b]0;x" + "目" * 30, "call": "a"})
    return journal.rejected()


@pytest.mark.parametrize("cells", [20, 44, 60, 80, 120, 200])
@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("rows", [0, 60])
def test_no_line_is_wider_than_the_page_and_no_control_is_drawn(cells: int, signs: Signs, rows: int) -> None:
    for statistics in (_statistics(shop_api()), _statistics(shop_api(), _hostile()), Statistics()):
        page = _page(statistics, cells, signs=signs, rows=rows)

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


def test_folders_are_distinguished_by_as_much_of_their_path_as_it_takes() -> None:
    assert short_names(["/a/b/c", "/a/d"]) == ["c", "d"]
    assert short_names(["/a/x/app", "/a/y/app", "/z"]) == ["x/app", "y/app", "z"]


def test_a_high_screen_has_a_higher_picture_as_broad_as_the_page() -> None:
    def picture(rows: int) -> list[str]:
        page = _page(_statistics(long_chain()), 120, rows=rows)
        return page[3 : page.index("", 3) - 1]

    assert [len(picture(rows)) for rows in (0, 24, 35, 60)] == [3, 3, 5, 5]
    assert all(110 < width(line) <= 120 for line in picture(60)[-3:])


def test_the_calls_of_tools_are_counted_by_tool_with_those_that_failed() -> None:
    journal = JournalBuilder().session().thought("a", 1, 2)
    for call, (tool, ending) in enumerate((("Bash", "failed"), ("Edit", ""), ("Bash", ""), ("Bash", ""), ("Edit", ""))):
        journal.event("action", {"tool": tool, "call": f"c{call}"})
        end = {"failed": True, "error": "no"} if ending else {"ended": "done"}
        journal.event("action", {"tool": tool, "call": f"c{call}", **end})
    page = _page(_statistics(journal, shop_api()), 60)
    start = next(number for number, line in enumerate(page) if "calls of tools" in line)

    assert [line.replace("█", "").split() for line in page[start + 1 : start + 3]] == [
        ["Bash", "3", "1", "failed"],
        ["Edit", "2"],
    ]


def test_each_of_the_last_days_shows_in_which_hours_was_thought() -> None:
    page = _page(_statistics(shop_api(), _hostile()), 80)
    [tuesday] = [line for line in page if "Tue 03-10" in line]

    assert set(tuesday.split()[2].strip("·")) == {"█", "▇"}
    assert tuesday.split()[3] == "40"
    assert len([line for line in page if "····" in line]) == 8  # the first and the last day in part


def test_names_of_silences_are_whole_before_bars_are_drawn() -> None:
    page = _page(_statistics(long_chain(), shop_api()), 200)

    assert [line for line in page if "Move orders to the new cluster after 233" in line] != []


@pytest.mark.parametrize(("rows", "shown"), [(24, 6), (60, 12)])
def test_a_high_screen_names_more_folders(rows: int, shown: int) -> None:
    journals = (JournalBuilder().session(cwd=f"/home/ana/f{number:02}").thought("a", 1, 2) for number in range(15))
    page = _page(_statistics(*journals), 200, rows=rows)

    assert sum(f"f{number:02}" in line for line in page for number in range(15)) == shown
    assert any(f"{15 - shown} more" in line for line in page)
