"""A row of actions, opened: each call with what it touched, how long it took and how it ended."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from seqthink.chain.model import AsideKind
from seqthink.core.events import WriterState
from seqthink.drawing.describe.calls import MAX_CALLS_LISTED
from seqthink.drawing.detail.aside_page import AsidePage
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import Role, spans_text, spans_width
from seqthink.library.live_session import load_journal
from seqthink.share.export.document import document
from seqthink.share.export.html import html
from seqthink.share.export.markdown import markdown
from tests.support.journals.build import JournalBuilder
from tests.support.journals.native_journal import native_journal
from tests.support.screens.payloads import PAYLOADS


def _started() -> JournalBuilder:
    return JournalBuilder().event("session", {"session": "s", "cwd": "/home/ada/shop"}).event("prompt", {"text": "?"})


def _begin(journal: JournalBuilder, call: str, tool: str, summary: str) -> JournalBuilder:
    return journal.event("action", {"tool": tool, "summary": summary, "call": call})


def _end(journal: JournalBuilder, call: str, after: float = 1, **how: object) -> JournalBuilder:
    return journal.event("action", {"tool": "?", "call": call, **how}, after=after)


def _journal() -> JournalBuilder:
    journal = _started()
    _end(_begin(journal, "a", "Read", "/home/ada/shop/lib/checkout/registry.ex"), "a", 0.5, ended="done")
    _end(_begin(journal, "b", "Bash", "mix test --seed 0"), "b", 41, failed=True, error="exit code 2: no pool/0")
    _end(_begin(journal, "c", "Bash", "sleep 100"), "c", 4, ended="interrupted")
    _end(_begin(journal, "d", "Bash", "sleep 200"), "d", 4, ended="unknown")
    return _begin(journal, "e", "Edit", "/home/ada/shop/lib/pool.ex")


def _page(
    journal: JournalBuilder, folder: Path, width: int = 60, *, is_alive: bool = False, at: int | None = None
) -> AsidePage:
    texts = load_journal(journal.write(folder / "s.jsonl"))
    session = texts.session.at(at) if at is not None else texts.session
    session = session.with_writer(WriterState.ALIVE if is_alive else WriterState.GONE)
    row = next(row for row in range(session.asides.count) if session.asides.get(row).kind is AsideKind.ACTIONS)
    return AsidePage(session=session, texts=texts, ordinal=row, width=width)


def _drawn(page: AsidePage) -> list[str]:
    return [spans_text(line).rstrip() for line in page.lines()]


def test_each_call_of_a_row_has_what_it_touched_its_duration_and_its_result(tmp_path: Path) -> None:
    page = _page(_journal(), tmp_path, is_alive=True)

    assert _drawn(page) == [
        " 14:02:00 Read lib/checkout/registry.ex           0.5s done",
        " 14:02:00 Bash mix test --seed 0                 41s failed",
        " exit code 2: no pool/0",
        " 14:02:41 Bash sleep 100                     4s interrupted",
        " 14:02:45 Bash sleep 200                          not known",
        " 14:02:49 Edit lib/pool.ex           running since 14:02:49",
    ]
    roles = [span.role for line in page.lines() for span in line if span.text.strip() in {"failed", "done"}]
    assert (roles, page.lines()[2][-1].role) == ([Role.GOOD, Role.BAD], Role.BAD)


def test_in_a_narrow_pane_the_time_gives_way_to_what_was_touched_and_a_command_is_whole_below(tmp_path: Path) -> None:
    assert _drawn(_page(_journal(), tmp_path, 28, is_alive=True))[:4] == [
        " Read registry.ex 0.5s done",
        " 14:02:00 Bash   41s failed",
        " mix test --seed 0",
        " exit code 2: no pool/0",
    ]


def test_nothing_of_a_long_command_is_hidden(tmp_path: Path) -> None:
    command = "mix test " + " ".join(f"test/registry_{number}_test.exs" for number in range(6))
    drawn = _drawn(_page(_end(_begin(_started(), "a", "Bash", command), "a", ended="done"), tmp_path, is_alive=True))

    assert (drawn[0].split()[:2], drawn[0].split()[-1]) == (["14:02:00", "Bash"], "done")
    assert " ".join(" ".join(drawn[1:]).split()) == command


def test_a_call_without_an_end_ran_on_only_if_its_agent_still_runs(tmp_path: Path) -> None:
    assert _drawn(_page(_journal(), tmp_path))[-1].endswith(" not known")


def test_at_an_earlier_position_a_call_has_not_ended_yet(tmp_path: Path) -> None:
    assert _drawn(_page(_journal(), tmp_path, at=5, is_alive=True))[1].endswith(" running since 14:02:00")


def test_an_old_journal_knows_failures_and_claims_nothing_of_other_calls(tmp_path: Path) -> None:
    drawn = _drawn(_page(native_journal(), tmp_path))

    assert [line.split("  ")[-1].strip() for line in drawn] == ["not known", "1s failed", "not known"]
    assert "actions" not in document(load_journal(tmp_path / "s.jsonl"))


@pytest.mark.parametrize("ended", ["ended-otherwise", ""])
def test_an_end_of_a_newer_version_is_not_known(ended: str, tmp_path: Path) -> None:
    journal = _end(_begin(_started(), "a", "Read", "a.ex"), "a", ended=ended)

    assert _drawn(_page(journal, tmp_path, is_alive=True)) == [f"{' 14:02:00 Read a.ex':<50}not known"]


def test_a_call_whose_beginning_was_lost_is_listed_if_it_failed(tmp_path: Path) -> None:
    journal = _end(_end(_started(), "x", ended="done"), "y", failed=True, error="no")

    assert [line.split() for line in _drawn(_page(journal, tmp_path))] == [["14:02:02", "?", "failed"], ["no"]]


def test_of_many_calls_the_newest_are_listed_everywhere(tmp_path: Path) -> None:
    journal = _started()
    for number in range(MAX_CALLS_LISTED + 7):
        _begin(journal, f"c{number}", "Read", f"f{number}.ex")
    _end(journal, "c0", ended="done")
    page = _page(journal, tmp_path)
    drawn = _drawn(page)

    assert (len(drawn), drawn[0].split(maxsplit=1)[1]) == (MAX_CALLS_LISTED + 1, "7 earlier calls not listed")
    assert [" f7.ex " in drawn[1], "f106.ex" in drawn[-1]] == [True, True]
    for written in ("".join(html(page.texts)), "".join(markdown(page.texts))):
        assert "7 earlier calls not listed" in written
        assert "f106.ex" in written
    assert len(document(page.texts)["actions"]) == MAX_CALLS_LISTED + 7


@pytest.mark.parametrize("width", [10, 20, 28, 40, 60, 100])
def test_no_line_is_wider_than_the_pane_and_none_holds_a_control(width: int, tmp_path: Path) -> None:
    journal = _started()
    for number, text in enumerate([*PAYLOADS, "日本語" * 30]):
        _begin(journal, f"c{number}", text, f"/home/ada/shop/{text}")
        _end(journal, f"c{number}", failed=True, error=text)
    page = _page(journal, tmp_path, width)

    for signs in (UNICODE, ASCII):
        lines = replace(page, signs=signs).lines()
        assert [line for line in lines if spans_width(line) > width or not spans_text(line).isprintable()] == []


def test_reports_and_pages_list_the_calls_and_mark_the_failures(tmp_path: Path) -> None:
    texts = _page(_journal(), tmp_path).texts
    report, page = "".join(markdown(texts)), "".join(html(texts))

    assert "- Read `lib/checkout/registry.ex` · 0.5s, done\n" in report
    assert "- Bash mix test --seed 0 · **41s, failed**: `exit code 2: no pool/0`\n" in report
    assert "- Bash sleep 200 · not known\n" in report
    assert '<dt>Bash</dt><dd>mix test --seed 0 · <span class="bad">41s, failed: exit code 2: no pool/0</span>' in page
    assert '<dd>lib/pool.ex · <span class="muted">not known</span>' in page


def test_the_document_has_every_call_with_its_end(tmp_path: Path) -> None:
    actions = document(_page(_journal(), tmp_path).texts)["actions"]

    assert actions[1] == {
        "seq": 5,
        "tool": "Bash",
        "summary": "mix test --seed 0",
        "time": "2026-03-10T14:02:00.500000Z",
        "durationMs": 41000.0,
        "result": "failed",
        "error": "exit code 2: no pool/0",
    }
    assert [action["result"] for action in actions] == ["done", "failed", "interrupted", "not known", "not known"]
    assert [action.get("durationMs") for action in actions] == [500.0, 41000.0, 4000.0, None, None]
