"""The list of sessions: its rows to the cell, the summaries behind them, and `seqthink sessions`."""

import json
import socket
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest

from seqthink.chain.state import State
from seqthink.cli import sessions as command
from seqthink.drawing.describe.session import ListedSession, last_activity
from seqthink.drawing.describe.status import session_status
from seqthink.drawing.panels.list_rows import empty_list_lines, session_list_heading, session_row
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.spans import Role, Span, spans_text
from seqthink.journal.decode import decode
from seqthink.journal.store import list_sessions
from seqthink.loading import load_journal
from seqthink.summary import fold_ending, quick_summary, summarize
from seqthink.text import SafeText
from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.journals.code_review_journal import code_review
from tests.support.journals.example_chains import questions
from tests.support.screens.screen_text import HOST, locked_journal
from tui.sources.session_catalog import SessionCatalog
from tui.sources.session_index import SessionIndex
from tui.state.list_cursor import ListCursor

MINUTE, HOUR = 60, 3600
NOW = 1_773_000_000_000_000


def listed(state: State, ago: int, name: str, client: str, title: str, shape: str, thoughts: int) -> ListedSession:
    return ListedSession(
        session="x",
        last_change=NOW - ago * 1_000_000,
        name=SafeText(name),
        client=SafeText(client),
        title=SafeText(title),
        state=state,
        alive=state is State.THINKING,
        sparkline=(Span(shape),),
        thoughts=thoughts,
        is_counted=True,
    )


LIST = [
    listed(
        *(State.THINKING, 12, "shop-api", "claude-code"), "Symptoms: 502s cluster at the top of each hour", "●●●├●●↺", 9
    ),
    listed(State.THINKING, 3, "web-app", "codex", "Retry policy for the image upload", "●●", 27),
    listed(State.THINKING, 4 * MINUTE, "infra", "gemini-cli", "Which VPC peering do we still need?", "●●●", 3),
    listed(State.DONE, 2 * HOUR, "shop-api", "claude-code", "Rename the flag, or keep an alias?", "●", 1),
    listed(State.STOPPED, 5 * HOUR, "docs", "vscode", "目录应该按任务还是按模块划分?", "●●●●", 4),
    listed(State.LOST, 24 * HOUR, "web-app", "codex", "Flaky test: order, clock or network?", "●●├●↺+14", 21),
]

DRAWN = """\
 Sessions   3 live · 38 older                                                              / search
 ● 12s         shop-api     claude-code  Symptoms: 502s cluster at the top of eac…    ●●●├●●↺     9
▌● 3s          web-app      codex        Retry policy for the image upload                 ●●    27
 ○ quiet 4m    infra        gemini-cli   Which VPC peering do we still need?              ●●●     3
 ✓ 2h          shop-api     claude-code  Rename the flag, or keep an alias?                 ●     1
 ■ 5h          docs         vscode       目录应该按任务还是按模块划分?                   ●●●●     4
 ✗ lost 1d     web-app      codex        Flaky test: order, clock or network?        ●●├●↺+14    21"""

NARROW = """\
 ● 12s       shop-api            ●●●├●●↺
▌● 3s        web-app                  ●●
 ○ quiet 4m  infra                   ●●●
 ✓ 2h        shop-api                  ●
 ■ 5h        docs                   ●●●●
 ✗ lost 1d   web-app           ●●├●↺+14"""


def rows(cells: int) -> list[str]:
    return [spans_text(session_row(one, cells, now=NOW, is_selected=number == 1)) for number, one in enumerate(LIST)]


def test_the_list_is_drawn_to_the_cell() -> None:
    head = spans_text(session_list_heading(3, 38, 100, right=[Span("/ search", Role.MUTED)]))

    assert [line.rstrip() for line in (head, *rows(100))] == DRAWN.splitlines()


def test_a_narrow_list_has_state_name_and_shape() -> None:
    assert [line.split() for line in rows(44)] == [line.split() for line in NARROW.splitlines()]


@pytest.mark.parametrize("cells", [40, 44, 59, 60, 72, 80, 99, 100, 140])
def test_every_row_has_exactly_its_width(cells: int) -> None:
    assert {width(row) for row in rows(cells)} == {cells}


def test_what_is_not_counted_yet_shows_no_figure() -> None:
    row = spans_text(session_row(ListedSession(session="x", last_change=NOW, name=SafeText("a")), 100, now=NOW))

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


def test_a_glance_tells_name_and_client_without_the_counts(tmp_path: Path) -> None:
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
    assert f">{found.thoughts}" in spans_text(session_row(found, 100, now=NOW))


def test_a_session_that_is_gone_has_no_summary(tmp_path: Path) -> None:
    path = _write(tmp_path, "a", shop_api())
    file = list_sessions(tmp_path)[0]
    path.unlink()

    assert summarize(file) is None


def test_a_catalogue_learns_what_grows_and_forgets_what_goes(tmp_path: Path) -> None:
    from seqthink.drawing.text.glyphs import UNICODE

    journal = JournalBuilder().session(host=socket.gethostname()).thought("one", 1, 2)
    path = _write(tmp_path, "a", journal)
    other = _write(tmp_path, "b", JournalBuilder(START - timedelta(days=1)).session().thought("two"))
    catalogue, steps = SessionIndex(SessionCatalog(tmp_path), UNICODE, decode), iter(range(100))

    def tell() -> None:
        known = [catalogue.summary(file) for file in catalogue.files]
        counted = [one.thoughts for one in known if one is not None and one.is_counted]
        if sorted(counted) == [1, 1]:
            with path.open("ab") as file:
                file.write(journal.thought("three", 2, 2).lines[-1])
            other.unlink()
        if counted == [2] or next(steps) == 99:
            catalogue.stop()

    catalogue.scan(tell)

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


def test_the_command_says_that_there_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = command.run(["--journal-dir", str(tmp_path), "--json"])
    said = capsys.readouterr()

    assert (status, json.loads(said.out)) == (0, [])
    assert "no sessions" in said.err


# The end of a session


@pytest.mark.parametrize("build", [shop_api, code_review, questions])
def test_the_end_of_a_session_tells_how_it_stands_at_every_moment(
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
