"""How full the contexts are: what is drawn of it in each place, what gives way, and what a past moment shows."""

from pathlib import Path

import pytest

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.attention import plain_standing
from seqthink.chain.columns.context_columns import ContextUse
from seqthink.chain.fold import fold
from seqthink.chain.session import Session
from seqthink.core.events import WriterState
from seqthink.core.text import SafeText
from seqthink.drawing.describe.context_use import context_words, gauge, use_spans
from seqthink.drawing.describe.now_line import present_of
from seqthink.drawing.describe.status import session_status
from seqthink.drawing.detail.thought_page import ThoughtPage
from seqthink.drawing.panels.status_line import status_line
from seqthink.drawing.panels.wall_facts import wall_tile
from seqthink.drawing.panels.wall_tiles import draw_tile
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import BOLD, Role, spans_text, spans_width
from seqthink.library.live_session import load_journal
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import full_contexts, used


def use(tokens: int, window: int = 0) -> ContextUse:
    return ContextUse(tokens, window, "", 0)


def session() -> Session:
    return fold(full_contexts().events, WriterState.ALIVE)


def line(session: Session, cells: int) -> str:
    spans = status_line(session, cells, session_status(session, None))
    assert spans_width(spans) == cells
    return spans_text(spans).rstrip()


@pytest.mark.parametrize(
    ("tokens", "window", "drawn"),
    [
        (0, 1_000, "░░░░░ 0%"),
        (10, 1_000, "█░░░░ 1%"),
        (399, 1_000, "█░░░░ 39%"),
        (400, 1_000, "██░░░ 40%"),
        (999, 1_000, "████░ 99%"),
        (1_000, 1_000, "█████ 100%"),
        (5_000, 1_000, "█████ 100%"),
        (118_400, 0, "118k"),
    ],
)
def test_the_bar_is_full_only_when_the_context_is(tokens: int, window: int, drawn: str) -> None:
    assert gauge(use(tokens, window)) == drawn


def test_the_bar_has_ascii_signs() -> None:
    assert gauge(use(620, 1_000), ASCII) == "###.. 62%"


def test_without_a_window_only_the_tokens_are_said() -> None:
    assert [span.text for span in use_spans(use(118_400))] == ["ctx 118k"]
    assert context_words(use(118_400)) == "context 118k tokens"
    assert context_words(use(118_400, 200_000)) == "context 59%, 118k of 200k tokens"


@pytest.mark.parametrize(("tokens", "role", "face"), [(799, Role.MUTED, 0), (800, Role.TEXT, BOLD)])
def test_a_nearly_full_context_is_bold_and_never_amber(tokens: int, role: Role, face: int) -> None:
    assert {(span.role, span.face) for span in use_spans(use(tokens, 1_000))} == {(role, face)}


def test_the_first_line_gives_up_the_bar_then_the_counts() -> None:
    lines = [line(session(), cells) for cells in (80, 67, 62)]

    assert lines == [
        "● thinking   ledger · codex   5 of ~6   ctx █░░░░ 23%   2 sub-agents",
        "● thinking   ledger · codex   5 of ~6   ctx 23%   2 sub-agents",
        "● thinking   ledger · codex   5 of ~6   ctx 23%",
    ]


def test_a_narrow_first_line_has_the_figure_where_the_name_has_room() -> None:
    assert line(session(), 44) == "● thinking · ledger         5 of ~6  ctx 23%"
    assert line(session(), 28) == "● thinking · ledger  5 of ~6"


def test_a_client_that_records_nothing_has_no_gauge() -> None:
    plain = fold(JournalBuilder().session().thought("a", 1, 3).events, WriterState.ALIVE)

    assert plain.agents.context_of(MAIN_AGENT) is None
    assert "ctx" not in line(plain, 120)


def test_a_tile_gives_up_the_shape_before_the_figure() -> None:
    def state_row(cells: int) -> str:
        shown = wall_tile(
            session(),
            present_of(session(), plain_standing(session()), 0),
            name=SafeText("ledger"),
            newest="",
            changed=0,
            now=0,
            signs=UNICODE,
        )
        return " ".join(spans_text(draw_tile(shown, cells, 8, UNICODE)[1]).strip("│ ").split())

    assert [state_row(cells) for cells in (50, 36, 28, 16)] == [
        "● thinking ctx █░░░░ 23% ●●●●├●",
        "● thinking ctx 23% ●●●●├●",
        "● thinking ctx 23%",
        "● thinking",
    ]


def test_each_sub_agent_has_its_own_figure_beside_its_name(tmp_path: Path) -> None:
    shown = list(overview_lines(load_journal(full_contexts().write(tmp_path / "a.jsonl")), width=80, signs=UNICODE))

    assert [row.split() for row in shown if "read the log  " in row] == [
        ["├─╮", "read", "the", "log", "1", "of", "~3", "ctx", "82%"]
    ]
    assert any(row.rstrip().endswith("1 of ~3 ctx 8.6k") for row in shown)


def test_the_text_of_a_thought_has_the_figures_of_its_moment_where_it_is_read_or_the_newest(tmp_path: Path) -> None:
    texts = load_journal(full_contexts().write(tmp_path / "a.jsonl"))

    def figures(index: int, *, is_reading: bool) -> list[str]:
        page = ThoughtPage(
            session=texts.session, texts=texts, index=index, width=80, screen_width=80, is_reading=is_reading
        )
        return [text for shown in page.footer_lines() if "context" in (text := spans_text(shown).strip())]

    newest = texts.session.thought_count - 1
    assert figures(2, is_reading=False) == []
    assert figures(2, is_reading=True) == ["context 85%, 221k of 258k tokens · gpt-5.6-sol · 14:00:39"]
    assert figures(newest, is_reading=False) == ["context 23%, 61k of 258k tokens · gpt-5.6-sol · 14:01:11"]


def test_a_past_moment_has_its_own_figure_and_a_compaction_makes_it_fall() -> None:
    shown = session()
    percents = [
        found.percent if (found := shown.at(count).agents.context_of(MAIN_AGENT)) is not None else None
        for count in range(shown.entry_count + 1)
    ]

    assert [percent for place, percent in enumerate(percents) if percent != percents[place - 1]] == [
        None, 15, 37, 85, 14, 16, 23,
    ]  # fmt: skip


def test_a_sub_agent_that_has_ended_is_not_nearly_full_any_more() -> None:
    working = full_contexts()
    assert fold(working.events).agents.nearly_full == [1]

    ended = full_contexts().event("turn", {"text": "It begins at 3.", "agent": "a1"})
    assert fold(ended.events).agents.nearly_full == []

    used(ended, 230_000)
    assert fold(ended.events).agents.nearly_full == [MAIN_AGENT]
