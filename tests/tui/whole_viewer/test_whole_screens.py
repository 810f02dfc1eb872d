"""Whole screens (docs/screens.md), as a person has them."""

from pathlib import Path

from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.screen_text import (
    after,
    locked_journal,
    running_viewer,
    settings_of,
)
from tests.tui.whole_viewer.conftest import NARROW, WIDE, moment, write
from tui.state.connect_choices import CONNECT_CHOICES


async def test_a_straight_chain_on_a_narrow_screen(tmp_path: Path) -> None:
    path = write(shop_api(), tmp_path, lines=6)

    with locked_journal(path):
        async with running_viewer(path, NARROW, settings_of(tmp_path, now=moment(59 + 12))) as stage:
            assert stage.text == "\n".join(
                (
                    "● thinking 12s · shop-api            5 of ~6",
                    " now  thinking · 12 s",
                    " ●  1 Symptoms: 502s cluster at the top of",
                    " │    each hour and are gone two minutes la…",
                    " ●  2 Layers: CDN → gateway → checkout →",
                    " │    payments. The gateway answers the 502…",
                    " ●  3 Hypotheses: gateway pool, DNS, a   5→6",
                    " │    cron job · The hour's beginning speak…",
                    " ●  4 DNS is fine: TTL 300, no failed",
                    " │    lookups",
                    "▌●  5 Gateway pool: 12 of 200 in use at :00,",
                    "▌│    and the slowest acquire took 3 ms. So…",
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
    path = write(shop_api(), tmp_path, lines=10)

    with locked_journal(path):
        async with running_viewer(path, NARROW, settings_of(tmp_path, now=moment(116 + 12))) as stage:
            assert stage.text == "\n".join(
                (
                    "● thinking 12s · shop-api            6 of ~8",
                    " now  thinking · 12 s",
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
                    " Not the gateway: its pool is idle while",
                    " 502s happen. The 502 is checkout's own",
                    " pool, starved by the report job on branch",
                    " cron-job. This replaces thought 2.",
                    "",
                    " brings back branch cron-job",
                )
            )


async def test_the_same_moment_on_a_wide_screen(tmp_path: Path) -> None:
    path = write(shop_api(), tmp_path, lines=10)
    state = "● thinking 12s   shop-api · claude-code   6 of ~8   1 branch   1 revision"
    tree = [
        "     ●  1  Symptoms: 502s cluster at the top of each hour          ",
        "     │     and are gone two minutes later. Nothing was             ",
        "     │     deployed at those times.                                ",
        "  ╭─►●  2  Layers: CDN → gateway → checkout →         ↻ by 6    8s ",
        "  │  │     payments. The gateway answers the 502, so I             ",
        "  │  │     suspect its pool first.                                 ",
        "  │  ●  3  Hypotheses: gateway pool, DNS, a cron job ·   5→6   20s ",
        "  │  │     The hour's beginning speaks for the job, the 502        ",
        "  │  │     for the pool.                                           ",
        "  │  ├─╮ cron-job                                     3 of 3   41s ",
        "  │  │ ●  1  What runs at :00? The report job, alone           21s ",
        "  │  │ ●  2  It holds 40 connections for 90 s                   9s ",
        "  │  │ ●  3  Checkout's pool has 50: it starves                11s ",
        "  │  ●  4  DNS is fine: TTL 300, no failed lookups             14s ",
        "  │  ●  5  Gateway pool: 12 of 200 in use at :00, and the      17s ",
        "  │  │     slowest acquire took 3 ms. So the gateway does          ",
        "  │  │     not starve: what answers 502 sits behind it.            ",
        "▌ ╰──↺  6  Not the gateway: its pool is    6→8 ◂ cron-job ↺2   16s ",
        "▌    │     idle while 502s happen. The 502 is checkout's           ",
        "▌    │     own pool, starved by the report job on branch c…        ",
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
        " 4  ⠤⠤⠤⠤⠤⠤⡄",
        " 3        ⠧⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⡄",
        " 2                    ⠧⠤⠤⠤⠤⠤⡄     ●⠤⠤⠤⠤⠤",
        " 1                          ⠧⠤⠤⠤⠤⠤⠇     ⠄⠄⠄⠄⠄⠄",
        " 0                                            ⠄",
        "    1     2     3     4     5     6     7     8",
    ]
    time = [
        "  14:02:00                         5→6                                        ├ cron-job               ↺ 6→8",
        "  live      ▃▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁"
        "▁▃▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▃▁▁▁▁▁▁▁▁▁▁▁▁╋  14:03:56",
    ]

    with locked_journal(path):
        async with running_viewer(path, WIDE, settings_of(tmp_path, now=moment(116 + 12))) as stage:
            lines = stage.lines
            assert lines[0].rstrip() == state
            assert lines[1].rstrip() == " now  thinking · 12 s"
            assert [line[:67] for line in lines[2:23]] == tree
            assert {line[67] for line in lines[2:32]} == {"│"}
            assert [line[68:].rstrip() for line in lines[2:16]] == text
            assert not "".join(line[:67] for line in lines[23:32]).strip()
            assert not "".join(line[68:] for line in lines[16:25]).strip()
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
    path = write(journal, tmp_path)

    async with running_viewer(path, NARROW, settings_of(tmp_path, now=after(journal, 120))) as stage:
        assert stage.text == "\n".join(
            (
                "✓ done 2m ago · shop-api              1 of 1",
                "▌✓  1 Use a partial index on orders(status)",
                "▌     where status = 'open': 2 % of the",
                "▌     rows, every slow query filters on it,…",
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
    async with running_viewer(None, NARROW, settings_of(tmp_path / "sessions", now=moment(0))) as stage:
        assert stage.lines[0] == "○ waiting                         0 sessions"
        assert "    seqthink setup\n" in stage.text
        assert "    or one: claude-code claude-desktop codex\n            cursor vscode copilot-cli\n" in stage.text
        assert "Enter play the demo   y copy   q quit" in stage.text
        assert stage.lines[-1].endswith("? keys ")


async def test_on_a_very_narrow_screen_no_client_s_name_is_broken(tmp_path: Path) -> None:
    async with running_viewer(None, (20, 30), settings_of(tmp_path)) as stage:
        assert set(CONNECT_CHOICES[1:]) <= set(stage.text.split())
