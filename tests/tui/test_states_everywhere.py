"""Every place that names a session says about each state what the table of states says."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.chain.attention import Attention, Doing, Standing, StuckReason, attention_of
from seqthink.chain.fold import Fold
from seqthink.chain.overview.session_groups import group_of
from seqthink.chain.overview.states import (
    STATES,
    SessionGroup,
    ShownState,
    chain_state_shown,
    counts_by_sign,
    is_brief,
    shown_state,
)
from seqthink.chain.state import State
from seqthink.cli.overview import status as status_command
from seqthink.cli.overview.listed_rows import ListedRow, shown_of
from seqthink.cli.overview.session_table import people_lines
from seqthink.core.events import WriterState
from seqthink.core.text import SafeText
from seqthink.drawing.describe.now_line import present_of
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.describe.status import counts_text
from seqthink.drawing.panels.list_preview import session_preview
from seqthink.drawing.panels.list_rows import (
    ListClock,
    group_heading,
    list_layout,
    session_list_heading,
    session_row,
)
from seqthink.drawing.panels.status_line import compact_statuses, status_line
from seqthink.drawing.panels.wall import WallCount, wall_heading
from seqthink.drawing.panels.wall_facts import wall_status
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import Role, Span, spans_text
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.share.web.live.session_list import SessionList
from seqthink.share.web.settings import WebSettings
from tests.support.journals.build import JournalBuilder
from tui.state.attention_news import AttentionNews, news_text
from tui.state.next_session import SessionNeed, counted_states, rank

SECOND = 1_000_000
NOW = 2_000_000_000 * SECOND
STALE = 60
FRESH = NOW - 12 * SECOND

THINKING = Standing(Attention.THINKING, since=FRESH)
STANDINGS = {
    ShownState.ASKING: Standing(Attention.ASKING, since=FRESH, question="Go on?"),
    ShownState.STUCK: Standing(Attention.STUCK, StuckReason.SILENT, FRESH),
    ShownState.THINKING: THINKING,
    ShownState.ACTING: THINKING._replace(doing=Doing.ACTING),
    ShownState.AUDITING: THINKING._replace(doing=Doing.AUDITING),
    ShownState.SAMPLING: THINKING._replace(doing=Doing.SAMPLING),
    ShownState.WAITING: THINKING._replace(doing=Doing.WAITING),
    ShownState.QUIET: THINKING._replace(since=NOW - 120 * SECOND),
    ShownState.DONE: Standing(Attention.DONE, since=FRESH),
    ShownState.STOPPED: Standing(Attention.STOPPED, since=FRESH),
    ShownState.LOST: Standing(Attention.LOST, since=FRESH),
    ShownState.OPEN: Standing(Attention.OPEN, since=FRESH),
}
SHOWN = pytest.mark.parametrize(("state", "standing"), STANDINGS.items())


@dataclass
class Expected:
    """What the table says about a state."""

    sign: str
    word: str
    role: Role

    @classmethod
    def of(cls, state: ShownState) -> "Expected":
        row = STATES[state]
        return cls(getattr(UNICODE, row.sign), row.word, Role(row.role))

    @property
    def text(self) -> str:
        return f"{self.sign} {self.word}"

    @property
    def count(self) -> str:
        return f"{self.sign}1"


def listed(standing: Standing) -> ListedSession:
    return ListedSession(
        session="one", last_change=FRESH, name=SafeText("one"), standing=standing, has_unread=True, is_counted=True
    )


def file() -> SessionFile:
    return SessionFile("one", Path("one.jsonl"), 0, datetime.fromtimestamp(FRESH / SECOND, UTC))


def of_text(spans: list[Span], text: str) -> Span:
    """Return the span that begins with a text, or with blanks and the text."""
    return next(span for span in spans if span.text.lstrip().startswith(text))


def test_each_state_of_a_session_has_a_standing_here_and_a_line_in_the_table() -> None:
    assert {*STATES} == {*ShownState}
    assert {*STANDINGS} == {*ShownState} - {ShownState.LEFT}
    assert {state: shown_state(standing, NOW, STALE) for state, standing in STANDINGS.items()} == {
        state: state for state in STANDINGS
    }


def test_on_the_wall_what_is_over_has_a_line_after_a_moment_and_what_nobody_attends_to_after_five_minutes() -> None:
    def brief(seconds: float) -> set[ShownState]:
        return {state for state in ShownState if is_brief(state, seconds)}

    over = {ShownState.DONE, ShownState.STOPPED, ShownState.LOST}
    assert (brief(9), brief(10), brief(299)) == (set(), over, over)
    assert brief(300) == over | {ShownState.WAITING, ShownState.QUIET, ShownState.OPEN}
    assert not any(STATES[state].group is SessionGroup.NEEDS_YOU for state in brief(10**9))


@SHOWN
def test_viewer_wall_list_and_page_draw_a_state_alike(state: ShownState, standing: Standing) -> None:
    expected = Expected.of(state)
    fold = Fold()
    for event in JournalBuilder().session().thought("a", 1, 3).events:
        fold.evolve(event)
    session, clock = fold.session(WriterState.ALIVE), ListClock(now=NOW, stale_seconds=STALE)

    present = present_of(session, standing, NOW, STALE)
    top = status_line(session, 120, present.status, words=present.words)
    [compact, *_] = compact_statuses(present, NOW)
    tile = wall_status(present)
    groups = [(SessionGroup.EARLIER, [listed(standing)])]
    [layout] = list_layout(groups, 120, clock).values()
    [row] = session_row(listed(standing), layout, 120, clock=clock)
    page = SessionList(WebSettings(catalog=SessionCatalog(FolderPlace(Path())), clock=lambda: NOW, stale_seconds=STALE))
    on_page = page._session(file(), listed(standing), NOW)  # pyright: ignore[reportPrivateUsage] - its JSON, without a server

    assert of_text(top, expected.text).role is expected.role
    assert (compact.text.startswith(expected.text), compact.role) == (True, expected.role)
    assert (tile.sign, tile.role) == (expected.sign, expected.role)
    assert tile.word.startswith(expected.word)
    assert of_text(row, expected.text).role is expected.role
    assert on_page["state"] == {"role": expected.role, "sign": expected.sign, "word": expected.word}


@SHOWN
def test_the_table_of_the_command_line_says_the_same(state: ShownState, standing: Standing) -> None:
    row = ListedRow(file(), shown_of(listed(standing)), "", listed(standing))
    [_, line] = people_lines([row], [file()], UNICODE, NOW)

    assert Expected.of(state).text in line


@SHOWN
def test_title_first_line_wall_list_status_and_page_count_a_state_by_the_same_sign(
    state: ShownState, standing: Standing
) -> None:
    expected = Expected.of(state)
    need = SessionNeed("one", "one", standing, is_unread=True)

    class Unread(status_command._Reading):  # pyright: ignore[reportPrivateUsage] - what nobody has read
        @override
        def is_unread(self, session: str, newest: int) -> bool:
            return bool(session and newest)

    found = status_command._Found("one", standing, state, is_recent=True)  # pyright: ignore[reportPrivateUsage] - what a line is made of
    counts = status_command.count_sessions([found], Unread())

    assert counts_text(counted_states([need], NOW, STALE)) == expected.count
    assert spans_text(wall_heading(WallCount(states=(state,)), 120, UNICODE)).split("   ")[1].strip() == (
        f"{expected.count} {expected.word}"
    )
    assert expected.count in spans_text(session_list_heading(1, [state], 120, right=[]))
    assert expected.word in spans_text(group_heading(SessionGroup.GOING_ON, 1, 120, states=[state]))
    assert counts_text(counts.shown) == expected.count
    assert {*counts_by_sign(counts.shown)} == {(STATES[state].sign, STATES[state].role)}


@SHOWN
def test_a_state_has_the_group_the_rank_and_the_notification_of_the_table(
    state: ShownState, standing: Standing
) -> None:
    row, need = STATES[state], SessionNeed("one", "one", standing, is_unread=True)
    news = AttentionNews(started=0)
    news.look([SessionNeed("one", "one", Standing(Attention.OPEN, since=1))], 0)
    before = Standing(Attention.THINKING if standing.attention is Attention.OPEN else Attention.OPEN, since=1)
    news.look([SessionNeed("one", "one", before)], 10)
    due = news.look([need], 100)

    assert group_of(standing, FRESH, NOW, has_unread=True) is row.group
    assert rank(need) == row.rank
    assert [one.key for one in due] == (["one"] if row.news else [])
    assert news_text(due).startswith(f"one {row.news}" if row.news else "")
    assert bool(row.news) is (row.group is SessionGroup.NEEDS_YOU or state in {ShownState.DONE, ShownState.LOST})


def test_a_question_is_plain_text_in_the_list_its_preview_the_page_and_the_notification() -> None:
    one = listed(Standing(Attention.ASKING, since=FRESH, question="Is *this* so?\n$$\nx^2\n$$"))
    clock = ListClock(now=NOW, stale_seconds=STALE)
    [layout] = list_layout([(SessionGroup.NEEDS_YOU, [one])], 160, clock).values()
    page = SessionList(WebSettings(catalog=SessionCatalog(FolderPlace(Path())), clock=lambda: NOW, stale_seconds=STALE))

    preview = session_preview(one, 100, 9, clock=clock)

    asked = "Is this so? x²"
    assert asked in spans_text(session_row(one, layout, 160, clock=clock)[0])
    assert any(asked in spans_text(line) for line in preview)
    assert page._session(file(), one, NOW)["question"] == asked  # pyright: ignore[reportPrivateUsage] - as above
    assert news_text([SessionNeed("one", "one", one.standing)]).endswith(asked)


def test_a_chain_is_shown_as_its_session_is() -> None:
    for state in set(State) - {State.LEFT}:
        assert chain_state_shown(state) is shown_state(Standing(attention_of(state)))
    assert chain_state_shown(State.LEFT) is ShownState.LEFT


def test_only_what_is_done_has_the_sign_and_colour_of_done() -> None:
    for field in ("sign", "role"):
        alike = [
            state for state, row in STATES.items() if getattr(row, field) == getattr(STATES[ShownState.DONE], field)
        ]
        assert alike == [ShownState.DONE]


def test_only_what_needs_you_has_the_colour_of_attention() -> None:
    assert [state for state, row in STATES.items() if row.role == "warn"] == [ShownState.ASKING, ShownState.STUCK]


def test_nine_done_and_nine_stopped_are_not_eighteen_done() -> None:
    shown = [ShownState.DONE] * 9 + [ShownState.STOPPED] * 9 + [ShownState.QUIET] * 4 + [ShownState.THINKING] * 3

    assert counts_text(shown) == "●3 ○4 ✓9 ■9"
    assert counts_text(shown, ASCII) == "o3 .4 v9 #9"
