"""The viewer as a person has it: whole screens, keys, and journals that come, grow, break and go."""

import os
from pathlib import Path

import pytest
from textual import events

from seqthink.drawing.panels.welcome_screen import CONNECT_CHOICES
from seqthink.drawing.text.glyphs import ASCII
from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.screens.screen_text import (
    HOST,
    after,
    colours_of,
    fail_in,
    locked_journal,
    running_viewer,
    settings_of,
)
from tui.app import Viewer
from tui.settings import Demo

LATER = "20260310T150000.000000Z-zzzzzz"
NARROW, WIDE = (44, 20), (120, 35)


def _write(journal: JournalBuilder, folder: Path, session: str = SESSION, *, lines: int | None = None) -> Path:
    """Write a journal, or its first lines, as a server of this host would."""
    path = folder / f"{session}.jsonl"
    data = b"".join(journal.lines[:lines]).replace(b'"host":"desk"', f'"host":"{HOST}"'.encode())
    path.write_bytes(data)
    return path


def _append(path: Path, journal: JournalBuilder, first: int) -> None:
    with path.open("ab") as file:
        file.write(b"".join(journal.lines[first:]))


def _straight(count: int, total: int = 30) -> JournalBuilder:
    journal = JournalBuilder().session(host=HOST)
    for number in range(1, count + 1):
        journal.thought(f"Step {number} of a long way", number, total)
    return journal


def _moment(seconds: float) -> int:
    return int((START.timestamp() + seconds) * 1_000_000)


# Whole screens (docs/screens.md)


async def test_a_straight_chain_on_a_narrow_screen(tmp_path: Path) -> None:
    path = _write(shop_api(), tmp_path, lines=6)

    with locked_journal(path):
        async with running_viewer(path, NARROW, settings_of(tmp_path, now=_moment(59 + 12))) as stage:
            assert stage.text == "\n".join(
                (
                    "● thinking 12s · shop-api            5 of ~6",
                    " ●  1 Symptoms: 502s cluster at the top of …",
                    " ●  2 Layers: CDN → gateway → checkout → pa…",
                    " ●  3 Hypotheses: gateway pool, DNS, a … 5→6",
                    " ●  4 DNS is fine: TTL 300, no failed looku…",
                    "▌●  5 Gateway pool: 12 of 200 in use at :00…",
                    " ○  6 expected",
                    "── 5 · 17s ────────────── ? keys · q quit ──",
                    "",
                    " Gateway pool: 12 of 200 in use at :00, and",
                    " the slowest acquire took 3 ms. So the",
                    " gateway does not starve: what answers 502",
                    " sits behind it.",
                )
            )


async def test_a_branch_and_a_revision_on_a_narrow_screen(tmp_path: Path) -> None:
    path = _write(shop_api(), tmp_path, lines=10)

    with locked_journal(path):
        async with running_viewer(path, NARROW, settings_of(tmp_path, now=_moment(116 + 12))) as stage:
            assert stage.text == "\n".join(
                (
                    "● thinking 12s · shop-api            6 of ~8",
                    "   ●  1 Symptoms: 502s cluster at the top o…",
                    " ╭►●  2 Layers: CDN → gateway → checkout… ↻6",
                    " │ ●  3 Hypotheses: gateway pool, DNS, … 5→6",
                    " │ ├─╮ cron-job                       3 of 3",
                    " │ │ ●  1 What runs at :00? The report job,…",
                    " │ │ ●  2 It holds 40 connections for 90 s",
                    " │ │ ●  3 Checkout's pool has 50: it starves",
                    " │ ●  4 DNS is fine: TTL 300, no failed loo…",
                    " │ ●  5 Gateway pool: 12 of 200 in use at :…",
                    "▌╰─↺  6 Not the gateway: its pool is … 6→8 ◂",
                    "   ○ 7–8 expected",
                    "── 6 · revises 2 · 16s ── ? keys · q quit ──",
                    "",
                    " Not the gateway: its pool is idle while",
                    " 502s happen. The 502 is checkout's own",
                    " pool, starved by the report job on branch",
                    " cron-job. This replaces thought 2.",
                    "",
                    " brings back branch cron-job",
                )
            )


async def test_the_same_moment_on_a_wide_screen(tmp_path: Path) -> None:
    path = _write(shop_api(), tmp_path, lines=10)
    state = "● thinking 12s   shop-api · claude-code   6 of ~8   1 branch   1 revision"
    tree = [
        "     ●  1  Symptoms: 502s cluster at the top of each hour          ",
        "  ╭─►●  2  Layers: CDN → gateway → checkout → paymen… ↻ by 6    8s ",
        "  │  ●  3  Hypotheses: gateway pool, DNS, a cron job     5→6   20s ",
        "  │  ├─╮ cron-job                                     3 of 3   41s ",
        "  │  │ ●  1  What runs at :00? The report job, alone           21s ",
        "  │  │ ●  2  It holds 40 connections for 90 s                   9s ",
        "  │  │ ●  3  Checkout's pool has 50: it starves                11s ",
        "  │  ●  4  DNS is fine: TTL 300, no failed lookups             14s ",
        "  │  ●  5  Gateway pool: 12 of 200 in use at :00, and the …    17s ",
        "▌ ╰──↺  6  Not the gateway: its pool is i… 6→8 ◂ cron-job ↺2   16s ",
        "     ○ 7–8 expected                                                ",
    ]
    text = [
        "── 6 · revises 2 · 16s ───────────────── 14:03:56 ──",
        "",
        " Not the gateway: its pool is idle while 502s",
        " happen. The 502 is checkout's own pool, starved by",
        " the report job on branch cron-job. This replaces",
        " thought 2.",
        "",
        " brings back branch cron-job",
        "",
        "── 2, as it was ────────────────────────── d diff ──",
        "",
        " Layers: CDN → gateway → checkout → payments. The",
        " gateway answers the 502, so I suspect its pool",
        " first.",
    ]
    chart = [
        "── thoughts left · trunk ──────────────── 6 of ~8 ──",
        " 4  ──────╮",
        " 3        ╰─────●─────╮",
        " 2                    ╰─────╮     ●─────",
        " 1                          ╰─────╯     ·",
        " 0                                            ·",
        "    1     2     3     4     5     6     7     8",
    ]
    time = [
        "  14:02:00                         5→6                                        ├ cron-job               ↺ 6→8",
        "  live      ▃▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁"
        "▁▃▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁╋  14:03:56",
    ]

    with locked_journal(path):
        async with running_viewer(path, WIDE, settings_of(tmp_path, now=_moment(116 + 12))) as stage:
            lines = stage.lines
            assert lines[0].rstrip() == state
            assert [line[:67] for line in lines[1:12]] == tree
            assert {line[67] for line in lines[1:32]} == {"│"}
            assert [line[68:].rstrip() for line in lines[1:15]] == text
            assert not "".join(line[:67] for line in lines[12:32]).strip()
            assert not "".join(line[68:] for line in lines[15:25]).strip()
            assert [line[68:].rstrip() for line in lines[25:32]] == chart
            assert [line.rstrip() for line in lines[32:34]] == time
            assert lines[34].startswith(" ↑↓ move  ←→ fold  Enter read  r revised/by ")
            assert lines[34].endswith(" following ")


async def test_one_thought_that_is_done(tmp_path: Path) -> None:
    text = (
        "Use a partial index on orders(status) where status = 'open': 2 % of the rows, every slow query filters on it, "
        "and writes to closed orders stay free. A full index would be 40 times larger. Build it CONCURRENTLY, outside "
        "the migration's transaction."
    )
    journal = JournalBuilder().session().thought(text, next=False).end()
    path = _write(journal, tmp_path)

    async with running_viewer(path, NARROW, settings_of(tmp_path, now=after(journal, 120))) as stage:
        assert stage.text == "\n".join(
            (
                "✓ done 2m ago · shop-api              1 of 1",
                "▌✓  1 Use a partial index on orders(status)…",
                "── 1 · 247 chars ──────── ? keys · q quit ──",
                "",
                " Use a partial index on orders(status)",
                " where status = 'open': 2 % of the rows,",
                " every slow query filters on it, and writes",
                " to closed orders stay free. A full index",
                " would be 40 times larger. Build it",
                " CONCURRENTLY, outside the migration's",
                " transaction.",
            )
        )


async def test_the_waiting_screen_says_how_to_connect_a_client(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path / "sessions", now=_moment(0))) as stage:
        assert stage.lines[0] == "○ waiting                         0 sessions"
        assert "    seqthink setup\n" in stage.text
        assert "    or one: claude-code claude-desktop codex\n            cursor vscode gemini-cli\n" in stage.text
        assert "Enter play the demo   y copy   q quit" in stage.text
        assert stage.lines[-1].endswith("? keys ")


async def test_on_a_very_narrow_screen_no_client_s_name_is_broken(tmp_path: Path) -> None:
    async with running_viewer(None, (20, 30), settings_of(tmp_path)) as stage:
        assert set(CONNECT_CHOICES[1:]) <= set(stage.text.split())


# Keys


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return _write(shop_api(), tmp_path)


async def test_j_and_k_and_the_arrows_move_the_selection(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        for key, number in (("k", 7), ("up", 6), ("k", 5), ("j", 6), ("down", 7)):
            await stage.press(key)
            assert f"  {number} " in stage.cursor


async def test_g_and_home_select_the_first_row_and_capital_g_the_last(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        for key, number in (("g", 1), ("G", 8), ("home", 1), ("f", 8), ("g", 1), ("end", 8)):
            await stage.press(key)
            assert f"  {number} " in stage.cursor


async def test_a_page_is_a_window_less_one_row(tmp_path: Path) -> None:
    path = _write(_straight(30), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("pageup")
        assert " 18 " in stage.cursor
        await stage.press("pagedown", "pagedown")
        assert " 30 " in stage.cursor


async def test_enter_gives_the_text_the_screen_and_escape_gives_it_back(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        before = stage.text
        for back in ("escape", "q", "enter"):
            reading = await stage.press("enter")
            assert stage.lines[1].startswith("── 8 · revises 7")
            assert "7, as it was" in reading
            assert not stage.cursor
            assert await stage.press(back) == before


async def test_reading_leaves_the_window_of_the_tree_where_it_is(tmp_path: Path) -> None:
    path = _write(_straight(30), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        before = await stage.press("k", "k", "k")

        assert await stage.press("enter", "escape") == before


async def test_enter_is_the_way_to_the_text_of_a_small_screen(tmp_path: Path) -> None:
    for size in ((44, 13), (30, 20), (20, 5)):
        path = _write(_straight(3), tmp_path)
        async with running_viewer(path, size, settings_of(tmp_path)) as stage:
            before = stage.text
            assert "Step 3" in "".join((await stage.press("enter")).splitlines()[2:4])
            assert await stage.press("q") == before


async def test_escape_at_the_root_does_nothing(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("escape", "escape")
        assert stage.app.is_running


async def test_q_at_the_root_quits(shop: Path) -> None:
    for key in ("q", "ctrl+c"):
        async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
            await stage.press(key)
            await stage.until(lambda: not stage.app.is_running)
            assert stage.app.return_value is None


async def test_control_c_quits_whatever_is_open(shop: Path) -> None:
    for open_it in ("enter", "question_mark", "tab"):
        async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
            await stage.press(open_it, "ctrl+c")
            await stage.until(lambda: not stage.app.is_running)


async def test_space_holds_and_follows_again(tmp_path: Path) -> None:
    journal = _straight(9)
    path = _write(journal, tmp_path, lines=6)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("space")
        _append(path, journal, 6)
        await stage.shows("4 new · f")
        assert "  5 " in stage.cursor

        await stage.press("space")
        assert "  9 " in stage.cursor
        assert "new · f" not in stage.text


async def test_h_and_l_fold_and_unfold_a_branch(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("g", "j", "j", "j")
        folded = await stage.press("h")
        assert "├─ cron-job  ●●●" in folded
        assert "It holds 40" not in "\n".join(stage.lines[:10])
        assert "It holds 40" in await stage.press("l")
        assert "├─ cron-job  ●●●" in await stage.press("left")
        assert "It holds 40" in await stage.press("right")


async def test_r_jumps_to_the_revised_and_back_and_says_when_there_is_none(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("r")
        assert "  7 " in stage.cursor
        await stage.press("r")
        assert "  8 " in stage.cursor
        assert "no revision here" in await stage.press("g", "r")
        assert "no revision here" not in await stage.press("j")


async def test_tab_lets_the_arrows_move_the_text_and_q_gives_them_back(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("\n\n".join(f"line {n}" for n in range(1, 41)))
    path = _write(journal, tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "line 2" in stage.text
        assert "line 12" not in stage.text
        moved = await stage.press("tab", "j", "j")
        assert "3 lines above" in moved
        assert "line 9" in moved
        assert "line 40" in await stage.press("G")
        assert "lines above" not in await stage.press("g")
        await stage.press("q")
        assert stage.app.is_running
        assert "lines above" not in await stage.press("j")


async def test_tab_does_nothing_where_there_is_no_text(tmp_path: Path) -> None:
    async with running_viewer(_write(_straight(3), tmp_path), (44, 12), settings_of(tmp_path)) as stage:
        await stage.press("tab", "k")
        assert "  2 " in stage.cursor
    async with running_viewer(None, NARROW, settings_of(tmp_path / "none")) as stage:
        await stage.press("tab", "q")
        await stage.until(lambda: not stage.app.is_running)


async def test_keys_move_the_tree_again_when_a_focused_text_leaves_the_screen(tmp_path: Path) -> None:
    async with running_viewer(_write(_straight(3), tmp_path), NARROW, settings_of(tmp_path)) as stage:
        await stage.press("tab")
        await stage.resize(44, 12)
        await stage.press("k")
        assert "  2 " in stage.cursor


async def test_y_copies_the_thought_and_says_so(tmp_path: Path) -> None:
    path = _write(JournalBuilder().session().thought("one \x1b]52;c;QQ==\x07 two"), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "copied" in await stage.press("y")
        assert stage.app.clipboard == "one ␛]52;c;QQ==␇ two"


async def test_y_copies_the_command_while_waiting(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("down", "y")
        assert "copied" in stage.text
        assert stage.app.clipboard == "seqthink setup claude-code"
        await stage.press("up", "left", "y")
        assert stage.app.clipboard == "seqthink setup zed"
        assert "Enter play the demo   y copy   q quit" in stage.text
        assert "or: all claude-code " in stage.text


async def test_whichever_client_is_chosen_the_rows_stay_where_they_are(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path)) as stage:
        rows = set[int]()
        for _ in CONNECT_CHOICES:
            await stage.press("right")
            rows |= {row for row, line in enumerate(stage.lines) if line.startswith(" 2  Restart them")}
        assert len(rows) == 1


async def test_the_help_page_opens_and_closes(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        before = stage.text
        for key in ("question_mark", "escape", "q", "enter"):
            page = await stage.press("question_mark")
            assert "Signs" in page
            assert "Move" in page
            assert await stage.press(key) == before


async def test_the_help_page_scrolls_on_a_low_screen(shop: Path) -> None:
    async with running_viewer(shop, (44, 12), settings_of(shop.parent)) as stage:
        top = await stage.press("question_mark")
        assert "Signs" in top
        assert "thought" in top
        assert "this page" not in top
        assert "more lines" in top
        await stage.press("G")
        assert "this page" in stage.text
        assert "the end" in stage.text
        await stage.press("pageup")
        assert "more lines" in stage.text
        for _ in range(60):
            await stage.press("k")
        assert stage.text == top


async def test_a_sign_within_a_thought_is_not_explained(tmp_path: Path) -> None:
    path = _write(
        JournalBuilder().session().thought("Fix x or y: 2x as fast, 5>6. 3... ^2", 1, 1, next=False), tmp_path
    )
    async with running_viewer(path, NARROW, settings_of(tmp_path, signs=ASCII)) as stage:
        page = await stage.press("question_mark")
        told = [words for words in ("refused", "expected", "moved", "again", "missing", "not drawn") if words in page]
        assert told == []
        assert "final; done" in page or "thought" in page


async def test_the_help_page_of_a_tiny_screen_names_no_signs_where_there_are_none(tmp_path: Path) -> None:
    path = _write(_straight(3), tmp_path)
    with locked_journal(path):
        async with running_viewer(path, (60, 8), settings_of(tmp_path, now=_moment(22))) as stage:
            page = await stage.press("question_mark")
            assert "Signs" not in page
            assert "Move" in page


async def test_q_typed_twice_on_the_help_page_closes_it_and_quits(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("question_mark")

        for _ in range(2):
            stage.app.post_message(events.Key("q", "q"))

        await stage.until(lambda: not stage.app.is_running)


async def test_pasted_text_does_not_act_as_keys(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        stage.app.post_message(events.Paste("qqq"))
        await stage.shows("paste ignored")
        assert stage.app.is_running


# Mouse


async def test_a_click_selects_and_a_double_click_reads(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.pilot.click("#tree", offset=(10, 1))
        await stage.pilot.pause()
        assert "  2 " in stage.cursor
        await stage.pilot.click("#tree", offset=(10, 0), times=2)
        await stage.until(lambda: stage.lines[1].startswith("── 1 "))


async def test_a_click_on_a_fork_folds_it_and_another_unfolds_it(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.pilot.click("#tree", offset=(10, 3))
        await stage.shows("├─ cron-job  ●●●")
        await stage.pilot.click("#tree", offset=(10, 3))
        await stage.shows("├─╮ cron-job")


async def test_the_wheel_moves_the_window_and_not_the_selection(tmp_path: Path) -> None:
    path = _write(_straight(30), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        heading = stage.lines[14]
        stage.app.post_message(_wheel())
        await stage.until(lambda: " 15 " in stage.lines[1])
        assert stage.lines[14] == heading
        assert not stage.cursor


def _wheel() -> events.MouseScrollUp:
    return events.MouseScrollUp(None, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False)


# Journals that come and go


async def test_a_viewer_started_before_the_folder_is_there_shows_the_first_thought_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "sessions"
    async with running_viewer(None, NARROW, settings_of(folder, now=_moment(59))) as stage:
        await stage.shows("waiting", "0 sessions")
        folder.mkdir(parents=True)
        path = _write(shop_api(), folder, lines=3)
        await stage.shows("2 Layers")
        _append(path, shop_api(), 3)
        await stage.shows("8 Fix again", "8 of 8")


async def test_a_viewer_of_a_journal_that_is_not_there_yet_shows_it_when_it_comes(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.shows("waiting")
        assert "gone" not in stage.text
        _write(_straight(3), tmp_path)
        await stage.shows("3 of ~30")


async def test_a_viewer_started_late_shows_earlier_and_new_thoughts(tmp_path: Path) -> None:
    journal = _straight(5)
    path = _write(journal, tmp_path, lines=4)
    async with running_viewer(None, NARROW, settings_of(tmp_path, now=_moment(30))) as stage:
        await stage.shows("3 of ~30")
        _append(path, journal, 4)
        await stage.shows("5 of ~30")
        assert "  5 " in stage.cursor


async def test_yesterdays_session_is_named_and_not_opened(tmp_path: Path) -> None:
    _write(shop_api(), tmp_path)
    async with running_viewer(None, NARROW, settings_of(tmp_path, now=_moment(86_400))) as stage:
        await stage.shows("Last: shop-api, 23h ago", "no session now")
        assert "Symptoms" not in stage.text


async def test_a_newer_session_takes_over_while_following_one_that_is_done(tmp_path: Path) -> None:
    _write(shop_api(), tmp_path)
    async with running_viewer(None, NARROW, settings_of(tmp_path, now=_moment(200))) as stage:
        await stage.shows("8 of 8")
        _write(JournalBuilder(START.replace(minute=5)).session(LATER).thought("Something else", 1, 2), tmp_path, LATER)
        await stage.shows("Something else")


@pytest.mark.parametrize("size", [NARROW, (80, 24), WIDE])
async def test_a_newer_session_is_only_named_while_the_one_shown_thinks(tmp_path: Path, size: tuple[int, int]) -> None:
    path = _write(_straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER, title="web-app").thought("Something else", 1, 2)
    with locked_journal(path):
        async with running_viewer(None, size, settings_of(tmp_path, now=_moment(50))) as stage:
            await stage.shows("3 of ~30", "thinking")
            _write(other, tmp_path, LATER)
            await stage.until(lambda: stage.session.state.folder.newer_session)
            assert "Something else" not in stage.text


async def test_a_newer_session_takes_over_from_one_that_is_quiet(tmp_path: Path) -> None:
    path = _write(_straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER).thought("Something else", 1, 2)
    with locked_journal(path):
        async with running_viewer(None, NARROW, settings_of(tmp_path, now=_moment(200))) as stage:
            await stage.shows("quiet 3m")
            _write(other, tmp_path, LATER)
            await stage.shows("Something else")


async def test_a_newer_session_takes_over_when_the_end_of_the_one_shown_has_been_seen(tmp_path: Path) -> None:
    path = _write(_straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER, title="web-app").thought("Something else", 1, 2)
    async with running_viewer(None, (80, 24), settings_of(tmp_path, now=_moment(50)), is_ready=False) as stage:
        with locked_journal(path):
            await stage.shows("3 of ~30", "thinking")
            _write(other, tmp_path, LATER)
            await stage.until(lambda: stage.session.state.folder.newer_session)
        await stage.shows("lost", "web-app lost · ! next")
        await stage.press("escape")
        await stage.shows("Something else")


async def test_a_newer_session_is_only_named_while_the_user_reads_on(tmp_path: Path) -> None:
    _write(_straight(3), tmp_path)
    other = JournalBuilder(START.replace(minute=5)).session(LATER, title="web-app").thought("Something else", 1, 2)
    async with running_viewer(None, (80, 24), settings_of(tmp_path, now=_moment(200))) as stage:
        await stage.press("k")
        _write(other, tmp_path, LATER)
        await stage.shows("web-app lost · ! next")
        assert "  2 " in stage.cursor
        await stage.press("f")
        await stage.shows("Something else")


async def test_a_torn_line_waits_for_its_end(tmp_path: Path) -> None:
    journal = _straight(4)
    path = _write(journal, tmp_path, lines=4)
    line = journal.lines[4]
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        with path.open("ab", buffering=0) as file:
            file.write(line[:40])
            await stage.press("j", "k")
            assert "3 of ~30" in stage.text
            assert "corrupt" not in stage.text
            file.write(line[40:])
        await stage.shows("4 of ~30")


async def test_a_journal_that_was_replaced_is_read_anew_with_its_own_text(tmp_path: Path) -> None:
    path = _write(_straight(4), tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.press("g")
        new = tmp_path / "new"
        new.write_bytes(JournalBuilder().session().thought("All is different now", 1, 9).data)
        new.replace(path)
        await stage.shows("1 of ~9", "reloaded")
        assert stage.text.count("All is different now") == 2
        assert "Step 1" not in stage.text


async def test_a_journal_that_was_cut_off_is_read_anew(tmp_path: Path) -> None:
    journal = _straight(6)
    path = _write(journal, tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        os.truncate(path, sum(map(len, journal.lines[:4])))
        await stage.shows("3 of ~30", "reloaded")
        os.truncate(path, 0)
        await stage.shows("waiting", "reloaded")
        _append(path, journal, 0)
        await stage.shows("6 of ~30")


@pytest.mark.parametrize("size", [NARROW, (80, 24), WIDE])
async def test_a_journal_that_was_deleted_stays_on_the_screen_with_a_remark(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = _write(_straight(4), tmp_path)
    async with running_viewer(path, size, settings_of(tmp_path)) as stage:
        aside = path.rename(tmp_path / "aside")
        await stage.shows("the journal is gone")
        assert "Step 4" in stage.text
        await stage.press("k")
        aside.rename(path)
        await stage.until(lambda: "gone" not in stage.text)
        assert "Step 4" in stage.text


async def test_corrupt_lines_are_counted_and_show_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "garbage.jsonl"
    path.write_bytes(b"\x00\xff\xfe\n{}\n[1]\nnull\n" + b"x" * 70_000 + b"\n")
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.shows("5 lines corrupt")
        for key in ("j", "k", "g", "G", "f", "space", "h", "l", "r", "tab", "enter", "y", "pageup", "pagedown"):
            await stage.press(key)


CORRUPT, UNREAD = b"{nothing\n", b'{"v":2,"seq":9,"type":"thought"}\n'


@pytest.mark.parametrize("size", [NARROW, (80, 24), WIDE])
@pytest.mark.parametrize(("line", "said"), [(CORRUPT, "1 line corrupt"), (UNREAD, "1 line unknown")])
async def test_lines_that_were_not_read_are_counted(
    tmp_path: Path, size: tuple[int, int], line: bytes, said: str
) -> None:
    path = _write(_straight(2).raw(line), tmp_path)
    async with running_viewer(path, size, settings_of(tmp_path)) as stage:
        await stage.shows(said, "2 of ~30")


async def test_both_kinds_of_lines_that_were_not_read_are_counted(tmp_path: Path) -> None:
    path = _write(_straight(2).raw(CORRUPT).raw(UNREAD).raw(CORRUPT), tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.shows("2 lines corrupt · 1 line unknown", "2 of ~30")


async def test_refused_calls_alone_are_shown(tmp_path: Path) -> None:
    journal = JournalBuilder().session().rejected("Invalid thought: must be a string").rejected("Invalid total")
    path = _write(journal, tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "✗ refused: Invalid thought: must be a st" in stage.text
        assert "Invalid total" in stage.cursor
        for key in ("k", "enter", "enter", "r", "y", "h", "l", "tab"):
            await stage.press(key)
        _append(path, JournalBuilder().session().thought("A thought at last"), 1)
        await stage.shows("1 A thought at last")


async def test_an_empty_journal_waits(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.shows("waiting")


# Replay


async def test_a_replay_opens_at_the_thought_that_was_asked_for(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent, is_replay=True, replay_at=7)) as stage:
        assert stage.lines[0].startswith("paused 1× · 7 of 11")
        assert stage.lines[0].rstrip().endswith("14:03:29")
        assert "2 It holds 40" in stage.cursor
        assert "Not the gateway" not in stage.text


async def test_a_replay_at_its_end_shows_all(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent, is_replay=True, replay_at=0)) as stage:
        assert "thought 11 of 11" in stage.lines[0]
        assert "  8 " in stage.cursor
        await stage.press("k", "f")
        assert "  8 " in stage.cursor


@pytest.mark.parametrize("at", [0, 12, 1_000_000])
async def test_a_replay_past_the_end_stands_at_the_end_and_says_so(shop: Path, at: int) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent, is_replay=True, replay_at=at)) as stage:
        assert stage.lines[0].startswith("paused 1× · 11 of 11")
        assert (f"no thought {at}" in stage.text) == (at > 0)


# Sizes and looks


@pytest.mark.parametrize("size", [(20, 5), (1, 1), (3, 2), (39, 40), (44, 14), (240, 70), (100, 6), (200, 2)])
async def test_every_size_is_drawn(shop: Path, size: tuple[int, int]) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        for key in ("k", "enter", "j", "enter", "question_mark", "q", "g", "tab", "G"):
            await stage.press(key)
        assert [len(line) for line in stage.lines] == [size[0]] * size[1]


async def test_sizes_that_change_during_loading_and_reading_do_no_harm(tmp_path: Path) -> None:
    path = _write(_straight(2000, 5000), tmp_path)
    sizes = [(44, 20), (1, 1), (120, 35), (20, 5), (100, 14), (99, 13), (240, 70), (39, 6), (80, 24)]
    async with running_viewer(path, (44, 20), settings_of(tmp_path), is_ready=False) as stage:
        for size in sizes * 2:
            await stage.resize(*size)
        await stage.shows("2000 of ~5000")
        await stage.press("k", "k", "enter")
        for size in sizes:
            await stage.resize(*size)
        await stage.press("escape")
        assert " 1998 " in stage.cursor
        assert stage.lines[0].rstrip().endswith("2000 of ~5000")


async def test_a_resize_keeps_the_selection_and_the_place(tmp_path: Path) -> None:
    path = _write(_straight(80, 90), tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.press("g", "pagedown", "k")
        cursor, place = stage.cursor.rstrip(), stage.lines[1]
        for size in ((80, 30), (80, 40), (80, 24), (80, 35)):
            await stage.resize(*size)
            assert stage.cursor.rstrip() == cursor
            assert stage.lines[1] == place


async def test_without_colours_nothing_is_coloured_and_the_selection_is_reversed(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent, theme="mono")) as stage:
        assert colours_of(stage.app) == set()
        await stage.press("question_mark")
        assert colours_of(stage.app) == set()


async def test_the_dark_theme_has_colours(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent)) as stage:
        assert {"#15181e", "#2a3342", "#e4e7ec"} <= colours_of(stage.app)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_ascii_signs_are_all_ascii(tmp_path: Path, size: tuple[int, int]) -> None:
    journal = _straight(3).thought("Anew\n" * 60, 4, 31, revises=2).thought("b", 1, 3, branch="b", from_=1)
    journal.rejected("no").thought("Anew\n" * 60, 9, 31, revises=4)
    path = _write(journal, tmp_path)
    async with running_viewer(path, size, settings_of(tmp_path, signs=ASCII)) as stage:
        for keys in ([], ["enter"], ["j"], ["enter"], ["k"], ["question_mark"]):
            assert (await stage.press(*keys)).isascii(), stage.text
    async with running_viewer(None, size, settings_of(tmp_path / "none", signs=ASCII)) as stage:
        assert stage.text.isascii()


# The demo


async def test_a_demo_says_that_its_agent_starts_in_as_many_lines_as_it_takes(tmp_path: Path) -> None:
    demo = Demo(find_journal=lambda: None, error=lambda: "")
    async with running_viewer(None, NARROW, settings_of(tmp_path, demo=demo)) as stage:
        assert "The agent is starting: its first thought\n shows up here.\n\n q quit" in stage.text
        await stage.press("enter")
        assert stage.app.is_running


async def test_a_demo_shows_its_journal_as_soon_as_there_is_one_and_no_other(tmp_path: Path) -> None:
    _write(shop_api(), tmp_path)
    found: list[Path] = []
    demo = Demo(find_journal=lambda: found[0] if found else None, error=lambda: "")
    async with running_viewer(None, NARROW, settings_of(tmp_path, demo=demo)) as stage:
        found.append(_write(_straight(2), tmp_path, LATER))
        await stage.shows("Step 2")
        _write(shop_api(), tmp_path, LATER.replace("15", "16", 1))
        await stage.press("j", "k", "f")
        assert "Step 2" in stage.text


async def test_a_demo_that_is_over_rests_in_replay_and_says_how_to_see_it_again(shop: Path) -> None:
    demo = Demo(find_journal=lambda: shop, error=lambda: "")
    async with running_viewer(None, WIDE, settings_of(shop.parent, demo=demo)) as stage:
        assert stage.lines[0].startswith("paused   1×")
        assert "thought 11 of 11" in stage.lines[0]
        assert "Home Space: again" in stage.text
        await stage.press("home")
        assert "thought 1 of 11" in stage.lines[0]
        await stage.press("space")
        assert stage.lines[0].startswith("playing")


@pytest.mark.parametrize("size", [(120, 35), (100, 24), (80, 24), (60, 20), (44, 20), (44, 14)])
async def test_a_demo_that_is_over_says_how_to_quit(shop: Path, size: tuple[int, int]) -> None:
    demo = Demo(find_journal=lambda: shop, error=lambda: "")
    async with running_viewer(shop, size, settings_of(shop.parent, demo=demo)) as stage:
        assert "Home Space: again, q: quit" in stage.text
        assert "q quit" in await stage.press("g")
        assert "q back" in await stage.press("enter")
        assert "q quit" in await stage.press("q")


# How to quit


@pytest.mark.parametrize("size", [(99, 40), (80, 40), (44, 30)])
async def test_a_narrow_screen_with_rows_to_spare_has_a_line_of_keys(shop: Path, size: tuple[int, int]) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        keys = stage.lines[-1]
        assert keys.startswith(" ↑↓ move  ←→ fold ")
        assert keys.endswith(" q quit ")
        await stage.press("slash", *"pool", "enter")
        await stage.until(lambda: "of" in stage.lines[-1].rstrip()[-12:])
        await stage.press("escape", "enter")
        assert stage.lines[-1].endswith(" q back ")


@pytest.mark.parametrize("size", [(80, 24), (44, 20)])
async def test_a_narrow_screen_says_how_to_quit_above_the_text_unless_something_is_typed(
    shop: Path, size: tuple[int, int]
) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        assert "? keys · q quit ──" in stage.text
        assert "? keys · q back ──" in await stage.press("tab")
        await stage.press("tab", "slash")
        assert "? keys" not in stage.text
        await stage.press("escape")
        assert "? keys · q quit ──" in stage.text


async def test_a_heading_without_room_for_all_keeps_the_key_that_explains(tmp_path: Path) -> None:
    journal = _straight(3).thought("On a branch", 1, 3, branch="a-branch-with-a-name-so-long", from_=2)
    async with running_viewer(_write(journal, tmp_path), (44, 20), settings_of(tmp_path)) as stage:
        assert "── 1 · a-branch-with-a-name-so-… ─ ? keys ──" in stage.text


async def test_a_demo_whose_agent_fails_closes_the_screen(tmp_path: Path) -> None:
    demo = Demo(find_journal=lambda: None, error=lambda: "the server left")
    async with running_viewer(None, NARROW, settings_of(tmp_path, demo=demo), is_ready=False) as stage:
        await stage.until(lambda: not stage.app.is_running)


async def test_enter_on_the_waiting_screen_asks_for_the_demo(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("enter")
        await stage.until(lambda: not stage.app.is_running)
        assert stage.app.return_value == "demo"


# A journal on a pipe


async def test_a_journal_that_comes_in_on_a_pipe_is_shown_as_it_grows(tmp_path: Path) -> None:
    journal = _straight(3)
    end, begin = os.pipe()
    try:
        async with running_viewer(None, NARROW, settings_of(tmp_path, pipe=end)) as stage:
            await stage.shows("Nothing has come in yet")
            os.write(begin, b"".join(journal.lines[:2]))
            await stage.shows("1 of ~30")
            os.write(begin, b"".join(journal.lines[2:]))
            await stage.shows("3 of ~30")
            os.close(begin)
            begin = -1
            await stage.press("k")
            assert "  2 " in stage.cursor
    finally:
        os.close(end)
        if begin >= 0:
            os.close(begin)


# The end


async def test_a_failure_of_the_viewer_itself_is_kept_and_not_shown(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Viewer(shop, settings_of(shop.parent))
    monkeypatch.setattr(Viewer, "is_headless", property(lambda _: False))

    fail_in(app, ValueError("a thought \x1b[31m in a report"))

    assert isinstance(app.failure, ValueError)
    assert app.return_code == 1


async def test_a_file_without_a_thought_is_named_and_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()
    async with running_viewer(path, WIDE, settings_of(tmp_path)) as stage:
        assert "a.jsonl yet" in stage.text
        assert "0 sessions" not in stage.text
