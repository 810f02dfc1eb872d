import asyncio
import io
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest

from seqthink.cli.live_print import LivePrinter, print_live
from seqthink.core.events import WriterState
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.journal.reader import JournalReader
from tests.conftest import PROJECT
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.journals.read_faults import IMPOSTORS, Impostor
from tests.support.servers.commands import (
    JOURNALS,
    SHOP_API,
    TIMEOUT_SECONDS,
    command,
    environment,
    refusal_line,
    seqthink,
)

CODEX_SESSION = PROJECT / "tests/sources/transcripts/recorded/codex-plain-resume.jsonl"
CODEX_ID = "01a20457-b8ca-7e52-8af8-6a2a4cbd7e6c"

GROWN = f"""\
shop-api · claude-code · {SESSION}
 ●  1 Symptoms: 502s cluster at the top of …
 ●  2 Layers: CDN → gateway → checkout → pa…
 ●  3 Hypotheses: gateway pool, DNS, a … 5→6
 ●  4 DNS is fine: TTL 300, no failed looku…
 ●  5 Gateway pool: 12 of 200 in use at :00…
 ├─╮ cron-job                        1 of ~3
 │ ●  1 What runs at :00? The report job, a…
 │ ●  2 It holds 40 connections for 90 s
 │ ●  3 Checkout's pool has 50: it starves
 ↺  6 Not the gateway: its pool is id… 6→8 ◂
 ●  7 Fix: jitter the report job, cap its p…
 ↺  8 Fix again: also release on timeout. T…
"""


def grown(path: Path, *, limit: int = 1 << 20) -> list[str]:
    """Return the lines of a journal that is read in pieces of ``limit`` bytes."""
    growing, reader = LivePrinter(width=44, signs=UNICODE), JournalReader(path)
    lines: list[str] = []
    is_at_end = False
    while not is_at_end:
        batch = reader.read(limit)
        lines += growing.feed(batch)
        is_at_end = batch.at_end
    return lines


def test_each_thought_is_one_line_in_order_of_arrival() -> None:
    assert grown(SHOP_API) == GROWN.splitlines()


@pytest.mark.parametrize("limit", [64, 333, 1000])
def test_however_it_comes_in_the_lines_are_the_same(limit: int) -> None:
    assert grown(SHOP_API, limit=limit) == GROWN.splitlines()


def test_gaps_refusals_further_chains_and_resumes_have_lines_of_their_own(tmp_path: Path) -> None:
    builder = (
        JournalBuilder()
        .session()
        .rejected("Invalid thought: must be a string")
        .thought("one", 1, 5)
        .thought("four", 4, 5, next=False)
        .rejected("Invalid thoughtNumber: 0")
        .end()
        .session(resumed=True)
        .thought("another problem", 1, 2)
    )

    assert grown(builder.write(tmp_path / "a.jsonl")) == [
        f"shop-api · claude-code · {SESSION}",
        " ✗ refused: Invalid thought: must be a stri…",
        " ●  1 one",
        " ··· 2 missing",
        " ✓  4 four",
        " ✗ refused: Invalid thoughtNumber: 0",
        f"shop-api · claude-code · {SESSION} · resumed",
        "── 2 ────────────────────────────── 14:02 ──",
        " ●  1 another problem",
    ]


def test_a_journal_that_was_replaced_says_so_and_starts_again(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("before").write(tmp_path / "a.jsonl")
    growing, reader = LivePrinter(width=44, signs=ASCII), JournalReader(path)
    before = list(growing.feed(reader.read()))
    JournalBuilder().thought("after").write(tmp_path / "b.jsonl").replace(path)

    after = [line for _ in range(3) for line in growing.feed(reader.read())]

    assert before[1:] == [" o  1 before"]
    assert after == ["... the journal starts again: it was replaced", " o  1 after"]


def test_nothing_hostile_is_printed() -> None:
    lines = grown(JOURNALS / "hostile.jsonl")

    assert all(line.isprintable() for line in lines)


def test_the_finished_tree_follows_and_bad_lines_are_reported() -> None:
    growing, reader = LivePrinter(width=44, signs=UNICODE), JournalReader(JOURNALS / "corrupt.jsonl")

    lines = [*growing.feed(reader.read()), *growing.final_lines(WriterState.GONE)]

    assert lines[1:] == [
        " ●  1 Before the damage",
        " ✓  2 After the damage",
        "",
        "✓ done · shop-api                     2 of 2",
        " ●  1 Before the damage",
        " ✓  2 After the damage",
    ]
    assert growing.unread_messages()[0].startswith("11 lines could not be read: 3 (byte 454): blank line; ")


async def test_printing_ends_when_the_server_has_recorded_its_end(tmp_path: Path) -> None:
    whole, path, out = shop_api().lines, tmp_path / "a.jsonl", io.StringIO()
    path.write_bytes(b"".join(whole[:5]))

    with anyio.fail_after(TIMEOUT_SECONDS):
        async with anyio.create_task_group() as tasks:

            async def write_on() -> None:
                while "Hypotheses" not in out.getvalue():  # noqa: ASYNC110 - what it waits for has no event
                    await anyio.sleep(0.01)
                with path.open("ab") as file:
                    file.write(b"".join(whole[5:]))

            tasks.start_soon(write_on)
            await print_live(path, out, width=44, signs=UNICODE, until_done=True)

    log, _, tree = out.getvalue().partition("\n\n")
    assert log + "\n" == GROWN
    assert tree.startswith("✓ done · shop-api                     8 of 8\n")


async def test_printing_ends_when_it_is_stopped(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("only", 1, 2).write(tmp_path / "a.jsonl")
    out, stop = io.StringIO(), asyncio.Event()

    with anyio.fail_after(TIMEOUT_SECONDS):
        async with anyio.create_task_group() as tasks:

            async def stop_it() -> None:
                while "only" not in out.getvalue():  # noqa: ASYNC110 - what it waits for has no event
                    await anyio.sleep(0.01)
                stop.set()

            tasks.start_soon(stop_it)
            await print_live(path, out, width=44, signs=UNICODE, until_done=False, stop=stop)

    assert out.getvalue().count("only") == 2


@pytest.mark.slow  # waits for the next look at the file
@pytest.mark.parametrize("kind", IMPOSTORS)
async def test_a_journal_that_cannot_be_read_for_a_while_is_said_and_printed_on(tmp_path: Path, kind: str) -> None:
    path = JournalBuilder().session().thought("only", 1, 3).write(tmp_path / "a.jsonl")
    out, stop = io.StringIO(), asyncio.Event()

    async def printed(words: str) -> None:
        while words not in out.getvalue():  # noqa: ASYNC110 - what it waits for has no event
            await anyio.sleep(0.01)

    with anyio.fail_after(TIMEOUT_SECONDS):
        async with anyio.create_task_group() as tasks:

            async def disturb() -> None:
                await printed("only")
                impostor = Impostor(path, kind)
                await printed("cannot read a.jsonl: ")
                impostor.journal.write_bytes(
                    impostor.journal.read_bytes() + JournalBuilder().thought("more", 2, 3).data
                )
                impostor.leave()
                await printed("the journal can be read again")
                await printed("more")
                stop.set()

            tasks.start_soon(disturb)
            await print_live(path, out, width=44, signs=UNICODE, until_done=False, stop=stop)

    assert out.getvalue().count("cannot read") == 1


@contextmanager
def watching(*arguments: str | Path) -> Generator[subprocess.Popen[str], None, None]:
    """Run `seqthink watch` into a pipe for as long as the block lasts."""
    process = subprocess.Popen(
        command("watch", *arguments),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def next_line(process: subprocess.Popen[str]) -> str:
    """Return the next line that comes out, which has been flushed; the runner's own bound ends a silence."""
    assert process.stdout is not None
    return process.stdout.readline()


def test_watch_prints_a_thought_as_soon_as_it_is_journaled_until_interrupted(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("first", 1, 3)
    path = builder.write(tmp_path / "a.jsonl")

    with watching(path, "--width", "44") as process:
        first = [next_line(process), next_line(process)]
        builder.thought("second", 2, 3).append_to(path)
        second = next_line(process)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=TIMEOUT_SECONDS)

    assert first == [f"shop-api · claude-code · {SESSION}\n", " ●  1 first\n"]
    assert second == " ●  2 second\n"
    assert (rest, errors, process.returncode) == ("", "", 130)


def test_watch_prints_the_tree_and_ends_when_the_session_does(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("first", 1, 2)
    path = builder.write(tmp_path / "a.jsonl")

    with watching(path, "--width", "44") as process:
        assert [next_line(process), next_line(process)][1] == " ●  1 first\n"
        builder.thought("second", 2, 2, next=False).end().append_to(path)
        rest, errors = process.communicate(timeout=TIMEOUT_SECONDS)

    assert rest.startswith(" ✓  2 second\n\n✓ done")
    assert (errors, process.returncode) == ("", 0)


def test_watch_without_a_session_waits_for_a_recent_one(seqthink_home: Path) -> None:
    folder = seqthink_home / "sessions"
    folder.mkdir()
    old = (
        JournalBuilder()
        .session("20200101T000000.000000Z-aaaaaa")
        .thought("yesterday's")
        .write(folder / "20200101T000000.000000Z-aaaaaa.jsonl")
    )
    os.utime(old, (0, 0))

    with watching() as process:
        assert process.stderr is not None
        waiting = process.stderr.readline()
        builder = JournalBuilder(datetime.fromtimestamp(time.time(), UTC)).session(SESSION).thought("today's")
        builder.write(folder / f"{SESSION}.jsonl")
        shown = [next_line(process), next_line(process)]

    assert waiting == f"seqthink: waiting for a session in {folder}\n"
    assert "today's" in shown[1]


def test_without_journals_among_its_sources_a_pipe_gets_the_session_of_a_client(
    seqthink_home: Path, tmp_path: Path
) -> None:
    (seqthink_home / "sessions").mkdir()
    JournalBuilder().session(SESSION).thought("of a journal").write(seqthink_home / "sessions" / f"{SESSION}.jsonl")
    rollout = tmp_path / "home/.codex/sessions/2026/11/22" / f"rollout-2026-11-22T17-39-47-{CODEX_ID}.jsonl"
    rollout.parent.mkdir(parents=True)
    shutil.copy(CODEX_SESSION, rollout)
    variables = {"HOME": str(tmp_path / "home")}
    of_codex = seqthink("watch", "--sources", "codex", variables=variables)
    of_none = seqthink("watch", "--sources", "none", variables=variables)

    assert "of a journal" not in of_codex.stdout
    assert of_codex.stdout == seqthink("watch", rollout, variables=variables).stdout
    assert (of_codex.returncode, of_codex.stderr) == (0, "")
    assert "the sources (none) have no session yet" in refusal_line(of_none)


def test_a_journal_on_stdin_is_watched_to_its_end() -> None:
    done = seqthink("watch", "-", "--width", "44", stdin=SHOP_API.read_text(encoding="utf-8"))

    log, _, tree = done.stdout.partition("\n\n")
    assert log + "\n" == GROWN
    assert tree.startswith("✓ done · shop-api                     8 of 8\n")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("stdin", ["", "hello\n", "{}\n"])
def test_what_is_no_journal_on_stdin_is_refused(stdin: str) -> None:
    refused = "stdin is not a seqthink journal: no line of it could be read; pipe in the file alone"
    assert refusal_line(seqthink("watch", "-", stdin=stdin)) == refused


@pytest.mark.parametrize("stale", ["0", "-1", "soon"])
def test_an_invalid_time_is_refused(stale: str) -> None:
    assert "argument --stale: " in refusal_line(seqthink("watch", SHOP_API, f"--stale={stale}"))
