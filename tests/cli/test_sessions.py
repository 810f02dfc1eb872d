"""The list of sessions: its rows to the cell, the summaries behind them, and `seqthink sessions`."""

import json
import socket
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from seqthink.chain.attention import Attention, Standing, last_activity
from seqthink.chain.overview.states import SessionGroup, ShownState
from seqthink.chain.query import Query
from seqthink.chain.state import State
from seqthink.cli.overview import session_table
from seqthink.cli.overview import sessions as command
from seqthink.core.text import SafeText
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.describe.status import session_status
from seqthink.drawing.panels.list_preview import page_width, session_page, session_preview
from seqthink.drawing.panels.list_rows import (
    ListClock,
    empty_list_lines,
    group_heading,
    lines_needed,
    list_layout,
    session_list_heading,
    session_list_keys,
    session_row,
)
from seqthink.drawing.text import cells as measured
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.spans import Role, Span, spans_text
from seqthink.journal.decode import decode
from seqthink.journal.store import list_sessions
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.live_session import load_journal
from seqthink.library.places.folder import FolderPlace
from seqthink.library.summary import fold_ending, quick_summary, summarize
from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.journals.code_review_journal import code_review
from tests.support.journals.example_chains import questions
from tests.support.screens.screen_text import HOST, locked_journal
from tui.state.list_cursor import ListCursor

MINUTE, HOUR = 60, 3600
NOW = 1_773_000_000_000_000
CLOCK = ListClock(now=NOW)


def listed(
    attention: Attention, ago: int, name: str, client: str, title: str, shape: str, thoughts: int
) -> ListedSession:
    return ListedSession(
        session=name,
        last_change=NOW - ago * 1_000_000,
        name=SafeText(name),
        client=SafeText(client),
        title=SafeText(title),
        newest=SafeText(f"Newest of {name}"),
        newest_number="2",
        progress="2 of ~8",
        standing=Standing(attention=attention, since=NOW - ago * 1_000_000),
        sparkline=(Span(shape),),
        thoughts=thoughts,
        is_counted=True,
    )


def asking(name: str, title: str, question: str) -> ListedSession:
    standing = Standing(attention=Attention.ASKING, since=NOW - 120 * 1_000_000, question=question)
    return replace(listed(Attention.ASKING, 120, name, "claude-code", title, "", 2), standing=standing)


LIST = [
    (SessionGroup.NEEDS_YOU, [asking("billing", "Two: net and tax", "May the chain go on?")]),
    (
        SessionGroup.GOING_ON,
        [
            listed(Attention.THINKING, 12, "shop-api", "claude-code", "Symptoms: 502s cluster", "●●●├●●↺", 9),
            listed(Attention.THINKING, 240, "infra", "gemini-cli", "Which VPC peering?", "●●●", 3),
        ],
    ),
    (
        SessionGroup.UNREAD,
        [
            replace(
                listed(Attention.DONE, 2 * HOUR, "docs", "vscode", "目录应该按任务还是按模块划分?", "●●●●", 4),
                has_unread=True,
                unread=4,
            )
        ],
    ),
    (
        SessionGroup.EARLIER,
        [listed(Attention.LOST, 24 * HOUR, "web-app", "codex", "Flaky test: order?", "●●├●↺+14", 21)],
    ),
]

DRAWN = """\
  ▲ asking you 2m  billing   claude-code  Two: net and tax                     2 of ~8             2
▌ ● thinking 12s   shop-api  claude-code  Symptoms: 502s cluster               2 of ~8   ●●●├●●↺   9
  ○ quiet 4m       infra     gemini-cli   Which VPC peering?  2 of ~8       ●●●   3
  ✓ done 2h ago    docs      vscode       目录应该按任务还是按模块划分?        2 of ~8      ●●●●  4 new
  ✗ lost 1d        web-app   codex        Flaky test: order?                   2 of ~8  ●●├●↺+14    21"""

NARROW = """\
  ▲ asking you 2m billing
▌ ● 12s      shop-api ●●●├●●↺
  ○ quiet 4m infra ●●●
  ✓ 2h       docs 4 new
  ✗ lost 1d  web-app ●●├●↺+14"""


def rows(cells: int) -> list[str]:
    layouts = list_layout(LIST, cells, CLOCK)
    return [
        spans_text(session_row(one, layouts[group], cells, clock=CLOCK, is_selected=one.name == "shop-api")[0])
        for group, inside in LIST
        for one in inside
    ]


def lone_row(one: ListedSession, cells: int = 100) -> str:
    [layout] = list_layout([(SessionGroup.EARLIER, [one])], cells, CLOCK).values()
    return spans_text(session_row(one, layout, cells, clock=CLOCK)[0])


def test_a_wide_list_has_all_columns() -> None:
    assert [line.split() for line in rows(100)] == [line.split() for line in DRAWN.splitlines()]


def test_the_heading_counts_what_wants_a_look() -> None:
    states = [ShownState.ASKING, *[ShownState.THINKING] * 4, ShownState.QUIET, *[ShownState.DONE] * 2, ShownState.LOST]
    head = spans_text(session_list_heading(41, states, 60, right=[Span("/ search", Role.MUTED)]))

    assert head.split() == ["Sessions", "41", "▲1", "●4", "○1", "✓2", "✗1", "/", "search"]
    assert width(head) == 60


def test_the_line_above_a_group_says_which_states_it_holds() -> None:
    def line(group: SessionGroup, states: list[ShownState], cells: int = 50) -> str:
        return spans_text(group_heading(group, len(states), cells, states=states)).rstrip("─ ")

    quiet = [ShownState.THINKING] * 3 + [ShownState.QUIET] * 4
    assert line(SessionGroup.GOING_ON, quiet) == "── going on 7 · 3 thinking · 4 quiet"
    assert line(SessionGroup.GOING_ON, quiet, 30) == "── going on 7"
    assert line(SessionGroup.UNREAD, [ShownState.DONE] * 2) == "── ended, unread 2 · done"


def test_a_narrow_list_has_state_name_and_shape_or_what_is_new() -> None:
    assert [line.split() for line in rows(44)] == [line.split() for line in NARROW.splitlines()]


@pytest.mark.parametrize("cells", [20, 40, 44, 59, 60, 72, 80, 99, 100, 140, 200])
def test_every_row_has_exactly_its_width(cells: int) -> None:
    assert {width(row) for row in rows(cells)} == {cells}


@pytest.mark.parametrize("host", ["desk", "按任务还是按模块划分目录" * 3])
def test_a_row_of_a_fleet_has_exactly_its_width_and_says_the_machine(host: str) -> None:
    one = replace(LIST[1][1][0], host=SafeText(host))
    rows_by_cells = {cells: lone_row(one, cells) for cells in (*range(12, 61), 72, 80, 99, 100, 140, 200)}

    assert [cells for cells, row in rows_by_cells.items() if width(row) != cells] == []
    assert [cells for cells, row in rows_by_cells.items() if cells >= 44 and host[:3] not in row] == []


@pytest.mark.parametrize("cells", [44, 80, 120, 200])
def test_names_of_any_length_leave_room_for_the_state(cells: int) -> None:
    long = replace(LIST[1][1][0], name=SafeText("按任务还是按模块划分目录" * 17))

    row = lone_row(long, cells)

    assert width(row) == cells
    assert "● " in row
    assert "按任务" in row


def test_names_are_whole_where_there_is_room() -> None:
    long = replace(LIST[1][1][0], name=SafeText("the-name-of-a-session-that-has-many-words"))

    assert long.name in lone_row(long, 200)


def test_words_that_are_searched_for_stand_out_in_the_row() -> None:
    one = LIST[1][1][0]
    [layout] = list_layout([(SessionGroup.GOING_ON, [one])], 120, CLOCK).values()

    def matched(word: str) -> list[str]:
        [row] = session_row(one, layout, 120, clock=CLOCK, query=Query(words=(word,)))
        return [span.text for span in row if span.role is Role.MATCH]

    assert matched("SHOP") == ["shop", "shop"]
    assert matched("502s") == ["502s"]
    assert matched("nowhere-on-the-row") == ["/"]


def test_texts_that_do_not_fit_go_on_in_the_lines_below_where_there_is_room() -> None:
    one = listed(
        Attention.THINKING, 12, "shop", "codex", "Symptoms: 502s cluster at the top of each hour, then go", "●●", 9
    )
    [layout] = list_layout([(SessionGroup.GOING_ON, [one])], 80, CLOCK).values()
    drawn = session_row(one, layout, 80, clock=CLOCK, lines=lines_needed(one, layout), is_selected=True)

    assert [" ".join(spans_text(line).split()) for line in drawn] == [
        "▌ ● thinking 12s shop codex Symptoms: 502s 2 of ~8 ●● 9",
        "▌ cluster at the top of",
        "▌ each hour, then go",
    ]
    assert {width(spans_text(line)) for line in drawn} == {80}


@pytest.mark.parametrize("cells", [44, 60, 80, 120, 200])
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_row_of_several_lines_has_exactly_these_and_its_width(cells: int, lines: int) -> None:
    layouts = list_layout(LIST, cells, CLOCK)
    for group, inside in LIST:
        for one in inside:
            drawn = session_row(one, layouts[group], cells, clock=CLOCK, lines=lines)
            assert [width(spans_text(line)) for line in drawn] == [cells] * lines


def test_a_page_beside_the_list_has_the_facts_and_the_texts_in_full() -> None:
    one = replace(LIST[0][1][0], branches=2, revisions=1, model=SafeText("opus"), newest=SafeText("why " * 60))
    page = [spans_text(line) for line in session_page(one, 60, 30, clock=CLOCK)]

    assert len(page) == 30
    assert max(map(width, page)) <= 60
    assert "│ claude-code · opus" in page
    assert "│ 2 thoughts · 2 branches · 1 revision" in page
    assert "│ ▲ May the chain go on?" in page
    assert " ".join(page).count("why") == 60


@pytest.mark.parametrize(("screen", "cells"), [(80, 0), (159, 0), (160, 60), (200, 80), (300, 80)])
def test_a_broad_screen_has_room_for_a_page_beside_the_list(screen: int, cells: int) -> None:
    assert page_width(screen) == cells


def test_the_preview_says_what_is_asked_and_the_newest_thought() -> None:
    lines = [spans_text(line) for line in session_preview(LIST[0][1][0], 60, 6, clock=CLOCK)]

    assert "billing" in lines[0]
    assert "claude-code" in lines[1]
    assert lines[2].strip() == "▲ May the chain go on?"
    assert lines[3].split() == ["2", "Newest", "of", "billing"]
    assert all(width(line) <= 60 for line in lines)


@pytest.mark.parametrize("cells", [20, 44, 80, 200])
def test_a_message_at_the_foot_takes_the_room_of_keys(cells: int) -> None:
    foot = spans_text(session_list_keys("this session is gone"[:cells], "~/x", cells))

    assert "this session is" in foot
    assert width(foot) <= cells


def test_what_is_not_counted_yet_shows_no_figure() -> None:
    row = lone_row(ListedSession(session="x", last_change=NOW, name=SafeText("a")))

    assert row.split() == ["now", "a"]


def test_an_empty_list_says_what_to_do() -> None:
    assert "seqthink serve" in "".join(spans_text(line) for line in empty_list_lines("~/x", 44, is_filtered=False))
    assert "Esc" in "".join(spans_text(line) for line in empty_list_lines("~/x", 44, is_filtered=True))


def _write(folder: Path, name: str, journal: JournalBuilder) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(journal.lines))
    return path


def test_a_summary_counts_the_session_and_shows_its_newest_chain(tmp_path: Path) -> None:
    _write(tmp_path, "a", shop_api())
    found = summarize(list_sessions(tmp_path)[0])

    assert found is not None
    assert (found.name, found.client, found.chains, found.thoughts) == ("shop-api", "claude-code", 1, 11)
    assert (found.branches, found.revisions, found.state, found.alive) == (1, 2, State.DONE, False)
    assert found.title == "Symptoms: 502s cluster at the top of each hour"
    assert spans_text(found.sparkline) == "●●●├●●↺●↺"


def test_a_title_stays_through_a_resume_in_the_list_too(tmp_path: Path) -> None:
    journal = JournalBuilder().session(title="Why 502?").thought("one").end("eof").session(resumed=True).thought("two")
    _write(tmp_path, "a", journal)
    [file] = list_sessions(tmp_path)

    summary = summarize(file)

    assert summary is not None
    assert summary.name == "Why 502?"


def test_a_glance_has_name_and_client_without_the_counts(tmp_path: Path) -> None:
    _write(tmp_path, "a", shop_api())
    seen = quick_summary(list_sessions(tmp_path)[0])

    assert (seen.name, seen.client, seen.is_counted) == ("shop-api", "claude-code", False)


def test_a_journal_that_is_too_long_is_counted_in_part_and_says_so(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for number in range(1, 60):
        journal.thought("x" * 10_000, number, 60)
    _write(tmp_path, "a", journal)
    found = summarize(list_sessions(tmp_path)[0], max_bytes=1)

    assert found is not None
    assert found.is_cut
    assert 0 < found.thoughts < 59
    assert f">{found.thoughts}" in lone_row(found)


def test_a_session_that_is_gone_has_no_summary(tmp_path: Path) -> None:
    path = _write(tmp_path, "a", shop_api())
    file = list_sessions(tmp_path)[0]
    path.unlink()

    assert summarize(file) is None


@pytest.mark.slow  # waits for the next look at the folder
def test_a_catalogue_learns_what_grows_and_forgets_what_goes(tmp_path: Path) -> None:
    from seqthink.drawing.text.glyphs import UNICODE

    journal = JournalBuilder().session(host=socket.gethostname()).thought("one", 1, 2)
    path = _write(tmp_path, "a", journal)
    other = _write(tmp_path, "b", JournalBuilder(START - timedelta(days=1)).session().thought("two"))
    catalogue, steps = (
        SessionIndex(SessionCatalog(FolderPlace(tmp_path)), UNICODE, decode, clock=lambda: NOW),
        iter(range(100)),
    )

    def notify() -> None:
        known = [catalogue.summary(file) for file in catalogue.files]
        counted = [one.thoughts for one in known if one is not None and one.is_counted]
        if sorted(counted) == [1, 1]:
            with path.open("ab") as file:
                file.write(journal.thought("three", 2, 2).lines[-1])
            other.unlink()
        if counted == [2] or next(steps) == 99:
            catalogue.stop()

    catalogue.scan(notify)

    assert [file.session for file in catalogue.files] == ["a"]
    known = catalogue.summary(catalogue.files[0])
    assert known is not None
    assert known.thoughts == 2


def test_the_selection_stays_with_its_name_when_the_list_changes() -> None:
    picking = ListCursor("c")
    picking.resize(2)
    picking.set_names([])
    picking.set_names(["a", "b", "c", "d"])
    first = picking.name
    picking.set_names(["new", "a", "b", "c", "d"])

    assert (first, picking.name) == ("c", "c")
    assert picking.top <= picking.selected < picking.top + 2


def test_the_command_lists_the_sessions_for_people_and_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _write(tmp_path, "a", shop_api())
    table_status = command.run(["--journal-dir", str(tmp_path)])
    head, row = capsys.readouterr().out.splitlines()
    json_status = command.run(["--journal-dir", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)

    assert (table_status, json_status) == (0, 0)
    assert head.split()[:3] == ["id", "name", "client"]
    assert row.split()[:3] == ["a", "shop-api", "claude-code"]
    assert (found[0]["session"], found[0]["thoughts"], found[0]["state"]) == ("a", 11, "done")


@pytest.mark.parametrize(
    ("window", "context"),
    [
        (258_400, {"tokens": 221_700, "window": 258_400, "percent": 85}),
        (None, {"tokens": 221_700, "window": None, "percent": None}),
    ],
)
def test_the_command_says_how_full_the_main_agent_s_context_is(
    window: int | None, context: dict[str, int | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = shop_api().event("usage", {"tokens": 221_700, "window": window})
    _write(tmp_path, "a", journal.event("usage", {"tokens": 7, "window": 9, "agent": "sub"}))
    command.run(["--journal-dir", str(tmp_path), "--json"])

    [found] = json.loads(capsys.readouterr().out)
    assert found["context"] == context


def test_the_command_says_that_there_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = command.run(["--journal-dir", str(tmp_path), "--json"])
    said = capsys.readouterr()

    assert (status, json.loads(said.out)) == (0, [])
    assert "no sessions" in said.err


# The end of a session


@pytest.mark.parametrize("build", [shop_api, code_review, questions])
def test_the_end_of_a_session_shows_its_state_at_every_moment(
    build: Callable[[], JournalBuilder], tmp_path: Path
) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    lines = [line.replace(b'"host":"desk"', f'"host":"{HOST}"'.encode()) for line in build().lines]
    for count in range(1, len(lines) + 1):
        path.write_bytes(b"".join(lines[:count]) + b'{"v":1,"seq"')
        for is_live in (True, False):
            with locked_journal(path) if is_live else nullcontext():
                whole, end = load_journal(path).session, fold_ending(path)

            assert session_status(end, None) == session_status(whole, None), lines[count - 1]
            assert last_activity(end) == last_activity(whole)


def test_the_end_of_what_is_no_journal_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(b"\x00\xff{\n[1]\n" * 200)

    assert [fold_ending(tmp_path / name).entry_count for name in ("a.jsonl", "b.jsonl", ".")] == [0, 0, 0]


@pytest.mark.parametrize("text", ["", "a", "twelve chars", "目录应该按任务", "longer than any room there is, by far"])
def test_a_table_cuts_and_pads_as_every_drawing_does(text: str) -> None:
    for room in (0, 1, 2, 12, 13, 60):
        for sign in ("…", "~"):
            assert session_table.cut(text, room, sign) == measured.cut(text, room, sign)
        assert session_table.pad(text, room) == measured.pad(text, room)
    assert session_table.width(text) == measured.width(text)
