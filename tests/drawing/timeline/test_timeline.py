"""The timeline: whole drawings as text, and its laws, for rows, lanes and arrows at every moment."""

from collections.abc import Callable

from seqthink.chain.fold import fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.core.events import Event, RejectedEvent, ThoughtEvent, WriterState
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.cells import width as cells_of
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, Spans, spans_text
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.given_texts import GivenTexts


def shown(session: Session) -> Timeline:
    timeline = Timeline()
    timeline.sync(session)
    return timeline


def painted(
    timeline: Timeline,
    spoken: Callable[[int], str],
    width: int,
    *,
    screen: int = 0,
    selected: int = NONE,
    signs: Signs = UNICODE,
    errors: Callable[[int], str] = "error {}".format,
) -> list[Spans]:
    painter = Painter(
        tree=timeline,
        texts=GivenTexts(timeline.session, spoken, errors),
        width=width,
        screen_width=screen or width,
        selected=selected,
        signs=signs,
    )
    return list(painter.draw_rows(0, timeline.count))


def picture(
    events: list[Event], width: int = 60, *, screen: int = 0, selected: int = NONE, signs: Signs = UNICODE
) -> list[str]:
    """Return the rows, each exactly ``width`` cells; ``selected`` is a thought."""
    timeline = shown(fold(events, WriterState.ALIVE))
    spoken = [event.thought for event in events if isinstance(event, ThoughtEvent)]
    errors = [event.error for event in events if isinstance(event, RejectedEvent)]
    drawn = painted(
        timeline,
        spoken.__getitem__,
        width,
        screen=screen,
        selected=timeline.row_of_thought(selected) if selected != NONE else NONE,
        signs=signs,
        errors=errors.__getitem__,
    )
    lines_drawn = [spans_text(spans) for spans in drawn]
    assert [line for line in lines_drawn if cells_of(line) != width] == []
    return [line.rstrip() for line in lines_drawn]


def lines(text: str) -> list[str]:
    """Return the drawing in ``text``, whose lines begin at their bars."""
    return [line.partition("|")[2] for line in text.strip("\n").split("\n") if "|" in line]


def shop(thoughts: int) -> list[Event]:
    events = shop_api().events
    places = [place for place, event in enumerate(events) if isinstance(event, ThoughtEvent)]
    return events[: places[thoughts - 1] + 1]


def test_the_example_is_drawn_as_in_d() -> None:
    # in (d) the text of 5 ends where its first sentence does
    assert picture(shop(9), selected=8) == lines(
        """
        |    ●      1  Symptoms: 502s cluster at the top of e…
        | ╭─►●      2  Layers: CDN → gateway → checkout… ↻ by 6   8s
        | │  ●─╮    3  Hypotheses: gateway pool, DNS, a cr… 5→6  20s
        | │  ● │    4  DNS is fine: TTL 300, no failed lookups   14s
        | │  ● │    5  Gateway pool: 12 of 200 in use at :00,…   17s
        | │  │ ●    1  cron-job: What runs at :00? The report…   21s
        | │  │ ●    2  It holds 40 connections for 90 s           9s
        | │  │ ●    3  Checkout's pool has 50: it starves        11s
        |▌╰──↺      6  Not the gateway: its … 6→8 ◂ cron-job ↺2  16s
        """
    )


def test_a_narrow_screen_makes_room_for_the_lanes_that_there_are() -> None:
    assert picture(shop(9), 44, selected=5) == lines(
        """
        |   ●    1 Symptoms: 502s cluster at the top…
        | ╭►●    2 Layers: CDN → gateway → checko… ↻6
        | │ ●─╮  3 Hypotheses: gateway pool, DNS… 5→6
        | │ ● │  4 DNS is fine: TTL 300, no failed l…
        | │ ● │  5 Gateway pool: 12 of 200 in use at…
        |▌│ │ ●  1 cron-job: What runs at :00? The r…
        | │ │ ●  2 It holds 40 connections for 90 s
        | │ │ ●  3 Checkout's pool has 50: it starves
        | ╰─↺    6 Not the gateway: its pool i… 6→8 ◂
        """
    )


def test_a_wide_screen_has_room_for_what_is_revised_in_words() -> None:
    assert picture(shop(9), 67, screen=120)[7:] == lines(
        """
        |  │  │ ●    3  Checkout's pool has 50: it starves              11s
        |  ╰──↺      6  Not the gateway: its pool … 6→8 ◂ cron-job ↺2   16s
        """
    )
    assert picture(shop(9), 85, screen=120)[7:] == lines(
        """
        |  │  │ ●    3  Checkout's pool has 50: it starves                                11s
        |  ╰──↺      6  Not the gateway: its pool is idle while 502s… 6→8 ◂ cron-job ↺2   16s
        """
    )


def crossing_lanes() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 6)
        .thought("two", 2, 6)
        .thought("three", 3, 6)
        .thought("x1", 1, 3, branch="x", from_=3)
        .thought("y1", 1, 3, branch="y", from_=1)
        .thought("x2", 2, 3, branch="x")
        .thought("y1 of y", 2, 3, branch="y", revises=1)
        .rejected("no")
        .thought("four", 4, 6, revises=3)
        .thought("z1", 1, 2, branch="z", from_=2)
        .thought("five", 5, 6)
    )


def test_lines_that_cross_others_and_refused_calls_leave_every_lane_whole() -> None:
    assert picture(crossing_lanes().events, 60) == lines(
        """
        |     ●───╮      1  one
        |     ●───┼─╮    2  two                                  10s
        | ╭──►●─╮ │ │    3  three                        ↻ by 4  10s
        | │   │ ● │ │    1  x: x1                                10s
        | │╭──┼─┼►● │    1  y: y1                        ↻ by 2  10s
        | ││  │ ● │ │    2  x: x2                                10s
        | │╰──┼───↺ │    2  y: y1 of y                       ↺1  10s
        | │   │   ✗ │   refused: no
        | ╰───↺     │    4  four                             ↺3  11s
        |     │     ●    1  z: z1                                10s
        |     ●          5  five                                 10s
        """
    )


def test_a_lane_whose_column_was_taken_goes_on_in_another() -> None:
    journal = JournalBuilder().thought("root", 1, 9).thought("x1", 1, 9, branch="x", from_=1)
    for number in range(2, 8):
        journal.thought("on", number, 9)
    journal.thought("y1", 1, 9, branch="y", from_=7).thought("x2", 2, 9, branch="x").thought("on", 8, 9)

    assert picture(journal.events, 44) == lines(
        """
        | ●─╮    1 root
        | │ ●─╮  1 x: x1
        | ●   │  2 on
        | ●   │  3 on
        | ●   │  4 on
        | ●   │  5 on
        | ●   │  6 on
        | ●─╮ │  7 on
        | │ ● │  1 y: y1
        | │   ●  2 x: x2
        | ●      8 on
        """
    )


def many_branches(count: int) -> JournalBuilder:
    journal = JournalBuilder().thought("root", 1, 9)
    for step in range(1, 3):
        for branch in range(count):
            journal.thought("step", step, 2, branch=f"b{branch}", from_=1)
    return journal


def test_branches_for_which_there_is_no_column_collapse_to_their_number() -> None:
    assert picture(many_branches(9).events, 60) == lines(
        """
        | ●─┬─┬─┬─┬─┬─┬─╮      1  root
        |   ● │ │ │ │ │ │      1  b0: step                       10s
        |   │ ● │ │ │ │ │      1  b1: step                       10s
        |   │ │ ● │ │ │ │      1  b2: step                       10s
        |   │ │ │ ● │ │ │      1  b3: step                       10s
        |   │ │ │ │ ● │ │      1  b4: step                       10s
        |   │ │ │ │ │ ● │      1  b5: step                       10s
        |   │ │ │ │ │ │ ●      1  b6: step                       10s
        |   │ │ │ │ │ │ │+●    1  b7: step                       10s
        |   │ │ │ │ │ │ │+●    1  b8: step                       10s
        |   ● │ │ │ │ │ │ +2   2  b0: step                       10s
        |     ● │ │ │ │ │ +2   2  b1: step                       10s
        |       ● │ │ │ │ +2   2  b2: step                       10s
        |         ● │ │ │ +2   2  b3: step                       10s
        |           ● │ │ +2   2  b4: step                       10s
        |             ● │ +2   2  b5: step                       10s
        |               ● +2   2  b6: step                       10s
        |                +●    2  b7: step                       10s
        |                +●    2  b8: step                       10s
        """
    )


def test_a_lane_that_ended_leaves_its_column_empty_for_three_rows() -> None:
    journal = JournalBuilder().thought("root", 1, 9)
    for number in range(2, 7):
        journal.thought("side", number, 9, branch=f"b{number}", from_=number - 1).thought("main", number, 9)

    assert picture(journal.events, 44) == lines(
        """
        | ●─╮      1 root
        | │ ●      2 b2: side
        | ●───╮    2 main
        | │   ●    3 b3: side
        | ●─────╮  3 main
        | │     ●  4 b4: side
        | ●─╮      4 main
        | │ ●      5 b5: side
        | ●───╮    5 main
        | │   ●    6 b6: side
        | ●        6 main
        """
    )


def test_an_arrow_runs_across_lanes_and_a_selected_one_is_always_drawn() -> None:
    journal = JournalBuilder()
    for number in range(1, 5):
        journal.thought("target", number, 9)
    for number in range(1, 5):
        journal.thought("again", number + 4, 9, revises=number, branch="b", from_=4)

    assert picture(journal.events, 60) == lines(
        """
        |   ╭─►●      1  target                          ↻ by 5
        |  ╭┼─►●      2  target                          ↻ by 6  10s
        | ╭┼┼─►●      3  target                          ↻ by 7  10s
        | │││ ┊●─╮    4  target                          ↻ by 8  10s
        | ││╰────↺    5  b: again                            ↺1  10s
        | │╰─────↺    6  again                               ↺2  10s
        | ╰──────↺    7  again                               ↺3  10s
        |       ┊↺    8  again                               ↺4  10s
        """
    )
    assert picture(journal.events, 44, selected=4, signs=ASCII) == lines(
        """
        | ,>o    1 target                          ^5
        | |:o    2 target                          ^6
        | |:o    3 target                          ^7
        | |:o-.  4 target                          ^8
        |>`---R  5 b: again
        |    :R  6 again                           R2
        |    :R  7 again                           R3
        |    :R  8 again                           R4
        """
    )


def test_a_rule_is_before_each_of_several_chains_and_the_columns_start_again() -> None:
    journal = (
        JournalBuilder()
        .rejected("too early")
        .thought("First?", 1, 2)
        .thought("aside", 1, 2, branch="b", from_=1)
        .rejected("too late")
        .thought("Second?", 1, 2)
        .thought("aside", 1, 2, branch="b", from_=1)
    )
    assert picture(journal.events, 44) == lines(
        """
        |── 1 ────────────────────────────── 14:02 ──
        | ✗   refused: too early
        | ●─╮  1 First?
        |   ●  1 b: aside
        |   ✗ refused: too late
        |── 2 ────────────────────────────── 14:02 ──
        | ●─╮  1 Second?
        |   ●  1 b: aside
        """
    )


def test_a_branch_s_name_has_its_colour_and_leaves_sixteen_cells_of_text() -> None:
    journal = JournalBuilder().thought("root").thought("x" * 99, branch="n" * 99, from_=1)
    for width in (40, 44, 60, 120):
        row = painted(shown(fold(journal.events)), ("root", "x" * 99).__getitem__, width)[1]
        name = [span for span in row if "nnn" in span.text]

        assert [span.role for span in name] == [Role.BRANCH1]
        assert spans_text(row).count("x") >= 15


def test_calls_that_are_refused_before_any_thought_have_rows() -> None:
    timeline = shown(fold(JournalBuilder().rejected("a").rejected("b").events))

    assert [timeline.row(number) for number in range(timeline.count)] == [
        TreeRow(RowKind.ASIDE, NONE, NONE, 0),
        TreeRow(RowKind.ASIDE, NONE, NONE, 1),
    ]
