import re
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.servers.commands import JOURNALS, SHOP_API, refusal_line, seqthink

DRAWN = """\
✓ done · shop-api                     8 of 8
   ●  1 Symptoms: 502s cluster at the top o…
 ╭►●  2 Layers: CDN → gateway → checkout… ↻6
 │ ●  3 Hypotheses: gateway pool, DNS, … 5→6
 │ ├─╮ cron-job                       3 of 3
 │ │ ●  1 What runs at :00? The report job,…
 │ │ ●  2 It holds 40 connections for 90 s
 │ │ ●  3 Checkout's pool has 50: it starves
 │ ●  4 DNS is fine: TTL 300, no failed loo…
 │ ●  5 Gateway pool: 12 of 200 in use at :…
 ╰─↺  6 Not the gateway: its pool is … 6→8 ◂
 ╭►●  7 Fix: jitter the report job, … !71 ↻8
 ╰─↺  8 Fix again: also release on time… ✓92
"""

FULL = """
── 1 · 115 chars ─────────────────────────────── 14:02:00 ──
 Symptoms: 502s cluster at the top of each hour
 and are gone two minutes later. Nothing was deployed at
 those times.

 2026-03-10 14:02:00 · 1 of 5 · 115 chars

── 2 · revised by 6 · 8s ─────────────────────── 14:02:08 ──
"""


def test_a_journal_is_drawn_and_nothing_else_is_said() -> None:
    done = seqthink("show", SHOP_API, "--width", "44")

    assert (done.returncode, done.stdout, done.stderr) == (0, DRAWN, "")


def test_the_timeline_is_drawn_when_asked_for() -> None:
    drawn = seqthink("show", SHOP_API, "--timeline", "--width", "60").stdout.splitlines()

    assert drawn[3:7] == [
        " │  ●─╮    3  Hypotheses: gateway pool, DNS, a cr… 5→6  20s",
        " │  ● │    4  DNS is fine: TTL 300, no failed lookups   14s",
        " │  ● │    5  Gateway pool: 12 of 200 in use at :00,…   17s",
        " │  │ ●    1  cron-job: What runs at :00? The report…   21s",
    ]


@pytest.mark.parametrize("order", [[], ["--timeline"]])
def test_below_the_drawing_stands_every_thought_in_full_in_the_same_order(order: list[str]) -> None:
    drawing = seqthink("show", SHOP_API, "--width", "60", *order).stdout
    full = seqthink("show", SHOP_API, "--width", "60", *order, "--full").stdout
    below = full.removeprefix(drawing)
    headings = [line for line in below.splitlines() if re.match(r"── \d", line)]

    assert full.startswith(drawing)
    assert below.startswith(FULL)
    assert len(headings) == 11
    assert [line.split()[1] for line in headings[3:7]] == (["4", "5", "1", "2"] if order else ["1", "2", "3", "4"])
    assert max(map(len, full.splitlines())) <= 60


def test_what_belongs_to_a_thought_stands_below_it_and_no_text_is_cut(tmp_path: Path) -> None:
    long = "word " * 60_000 + "the-end"
    path = JournalBuilder().session().thought(long).audit(verdict="revise", score=71).write(tmp_path / "a.jsonl")
    full = seqthink("show", path, "--full").stdout

    assert full.split().count("word") > 60_000 - 1
    assert full.index("the-end") < full.index("audit !71")


def test_the_last_session_is_shown_by_default(seqthink_home: Path) -> None:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    JournalBuilder().session("20260310T130000.000000Z-aaaaaa").thought("older").write(
        folder / "20260310T130000.000000Z-aaaaaa.jsonl"
    )
    shop_api().thought("newer", 9, 9).write(folder / "20260310T140200.000000Z-k3v9qa.jsonl")

    done = seqthink("show")

    assert "newer" in done.stdout
    assert "older" not in done.stdout


@pytest.mark.parametrize("named", ["option", "variable", "home"])
def test_the_folder_is_the_option_s_else_the_variable_s_else_home_s(tmp_path: Path, named: str) -> None:
    folders = {"option": tmp_path / "a", "variable": tmp_path / "b", "home": tmp_path / "c" / "sessions"}
    for name, folder in folders.items():
        folder.mkdir(parents=True)
        JournalBuilder().session().thought(f"from the {name}").write(folder / "s1.jsonl")
    option = ["--journal-dir", str(folders["option"])] if named == "option" else []
    variable = "" if named == "home" else str(folders["variable"])

    done = seqthink(
        "show", "s1", *option, variables={"SEQTHINK_JOURNAL_DIR": variable, "SEQTHINK_HOME": str(tmp_path / "c")}
    )

    assert f"from the {named}" in done.stdout


def test_columns_is_the_width_where_none_is_asked_for() -> None:
    assert seqthink("show", SHOP_API, variables={"COLUMNS": "44"}).stdout == DRAWN


def test_lines_are_as_wide_as_asked_for_at_most() -> None:
    for width in (20, 33, 60, 100, 200):
        done = seqthink("show", SHOP_API, "--width", str(width))

        assert max(map(len, done.stdout.splitlines())) <= width


@pytest.mark.parametrize("width", first(2, ["19", "0", "-5", "10001", "wide", "٣٠", "9" * 5000]))
def test_a_width_that_makes_no_sense_is_refused(width: str) -> None:
    assert "argument --width: " in refusal_line(seqthink("show", SHOP_API, f"--width={width}"))


@pytest.mark.parametrize("variables", first(1, [{}, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}]))
def test_ascii_signs_are_drawn_when_asked_for_or_where_others_may_not_show(variables: dict[str, str]) -> None:
    option = [] if variables else ["--ascii"]

    done = seqthink("show", JOURNALS / "minimal.jsonl", *option, variables=variables)

    assert done.stdout.isascii()
    assert "v done" in done.stdout


def test_text_that_stdout_cannot_encode_is_replaced() -> None:
    done = seqthink("show", JOURNALS / "full.jsonl", variables={"PYTHONIOENCODING": "ascii"})

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "Schon gelesen: ????" in done.stdout


@pytest.mark.parametrize("options", first(1, [[], ["--timeline"], ["--full"]]))
def test_hostile_text_reaches_a_terminal_as_stand_ins_only(options: list[str]) -> None:
    done = seqthink("show", JOURNALS / "hostile.jsonl", *options)

    assert done.returncode == 0
    assert all(character.isprintable() or character in "\n\u200d\ufe0f\u00ad" for character in done.stdout)


def test_lines_that_cannot_be_read_are_named_after_the_drawing() -> None:
    done = seqthink("show", JOURNALS / "corrupt.jsonl")

    assert "Before the damage" in done.stdout
    assert "After the damage" in done.stdout
    assert done.stderr.startswith("seqthink: 11 lines could not be read: 3 (byte 454): blank line; 4 (byte 455): ")
    assert done.stderr.endswith("; and 8 more\n")
    assert done.returncode == 0


def test_a_line_that_cannot_be_read_harms_no_terminal(tmp_path: Path) -> None:
    builder = JournalBuilder().session().raw(b'{"v":1,"type":"end","reason":"\\u001b[2J\\u202e"}\n')

    done = seqthink("show", builder.write(tmp_path / "a.jsonl"))

    assert done.stderr.count("\n") == 1
    assert done.stderr.rstrip("\n").isprintable()


def test_lines_of_a_newer_version_are_counted() -> None:
    done = seqthink("show", JOURNALS / "unknown.jsonl")

    assert done.stderr == "seqthink: 4 lines that a newer version wrote were skipped\n"
    assert "Known again" in done.stdout


def test_a_torn_line_is_waited_for_and_no_fault() -> None:
    done = seqthink("show", JOURNALS / "torn.jsonl")

    assert "Whole" in done.stdout
    assert "cut of" not in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("content", [b"", JournalBuilder().session().data], ids=["empty", "only its session"])
def test_a_journal_without_thoughts_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)

    done = seqthink("show", path)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n no thoughts yet\n")


def test_all_chains_are_open(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("first", next=False).thought("second", 1, 2)

    done = seqthink("show", builder.write(tmp_path / "a.jsonl"), "--width", "44")

    assert [line[:12] for line in done.stdout.splitlines()[1:]] == [
        "── 1 ───────",
        " ✓  1 first",
        "── 2 ───────",
        " ●  1 second",
        " ○  2 expect",
    ]


def test_replay_without_a_terminal_draws_the_requested_position() -> None:
    done = seqthink("replay", SHOP_API, "--at", "3", "--width", "44")

    assert done.stdout.splitlines() == [
        "● thinking · shop-api                3 of ~6",
        " ●  1 Symptoms: 502s cluster at the top of …",
        " ●  2 Layers: CDN → gateway → checkout → pa…",
        " ●  3 Hypotheses: gateway pool, DNS, a … 5→6",
        " ○ 4–6 expected",
    ]


@pytest.mark.parametrize("at", [[], ["--at", "end"], ["--at", "11"]])
def test_replay_without_a_terminal_draws_the_end_by_default(at: list[str]) -> None:
    assert seqthink("replay", SHOP_API, "--width", "44", *at).stdout == DRAWN


@pytest.mark.parametrize("at", first(2, ["0", "-1", "x", "1.5", "", "١", "99999999999999999999"]))
def test_a_position_that_is_not_a_number_is_refused(at: str) -> None:
    message = refusal_line(seqthink("replay", SHOP_API, f"--at={at}"))

    assert message.startswith(f"replay: argument --at: must be a whole number above 0, or `end`, got {at!r}")


def test_a_position_after_the_end_is_refused_and_the_last_one_named() -> None:
    assert refusal_line(seqthink("replay", SHOP_API, "--at", "12")) == (
        "replay: no thought 12; the session has 11, and --at counts them in order of arrival"
    )
