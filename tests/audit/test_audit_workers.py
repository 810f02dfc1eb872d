"""Code is parsed in worker processes: crashes and hangs there do not reach the server."""

import os
import resource
import time
from collections.abc import Iterator

import anyio
import pytest

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges import worker_pool
from seqthink.audit.judges.internal import judge_unit
from seqthink.audit.judges.worker_pool import WorkerPool
from tests.support.depth import sized
from tests.support.proc import needs_prlimit
from tests.support.servers.warm_server import TIMEOUT_SECONDS

FLAWED = CodeUnit(
    path="a.py", text="def load(text):\n    return eval(text)\n", language="python", added_lines=frozenset({2})
)
FATAL = "- " * 300 + "a\n"
"""Crashes a process that parses it with this release of the grammar."""
SLOW = "cat <<EOF\nx\n" * 6000
BOMBS = {
    "ruby": '"#{' * 50_000,
    "php": "<?php " + "a," * 100_000,
    "csharp": '$"{' * 40_000,
    "kotlin": "/*" * 100_000,
    "swift": '"\\(' * 40_000,
    "scala": "/*" * 2000 + "*/" * 2000 + "\nobject A {\n",
    "lua": "not " * 60_000,
    "sql": "SELECT (SELECT " * 10_000,
    "html": "<div>" * 40_000,
    "css": "a{" * 80_000,
    "toml": "a." * 100_000 + "b = 1\n",
    "dockerfile": "RUN <<A\n" * 30_000,
}
"""Deep or endless code, which holds a grammar up for long or makes it give up."""
ODD = ["\0" * 9000, "\ufeffa = 1\n", "a = 1\r" * 3000, "\ud800" * 5000, "x" * (1 << 20), "(" * 40_000]
"""Odd in any language: NUL, a byte order mark, CR alone, lone surrogates, one line of 1 MiB, brackets."""


async def test_a_worker_finds_the_same_as_this_process(pool: WorkerPool) -> None:
    there = await pool.judge_unit(FLAWED, ())

    assert there == await judge_unit(FLAWED)
    assert [finding.line for finding in there.findings] == [2]


@pytest.mark.deep  # a worker that goes on after a crash is tried above
async def test_one_worker_judges_many_units_one_after_another(pool: WorkerPool, processes: list[int]) -> None:
    results = [await pool.judge_unit(FLAWED, ()) for _ in range(3)]

    assert results[0] == results[1] == results[2]
    assert len(processes) == 1


@pytest.mark.deep  # one that is started when it is needed is tried always
async def test_a_worker_that_was_started_early_gives_its_first_audit_the_right_answer(
    pool: WorkerPool, processes: list[int]
) -> None:
    pool.start_worker()
    pool.start_worker()
    results = [await pool.judge_unit(FLAWED, ()) for _ in range(2)]

    assert results == [await judge_unit(FLAWED)] * 2
    assert len(processes) == 1


async def test_code_that_crashes_its_worker_is_not_judged_and_the_next_is(pool: WorkerPool) -> None:
    broken = await pool.judge_unit(CodeUnit(path="b.yaml", text="# TODO\n" + FATAL, language="yaml"), ())
    next_one = await pool.judge_unit(FLAWED, ())

    assert [(one.place, one.reason) for one in broken.unread] == [("b.yaml (yaml)", "reading it was not possible")]
    assert [finding.comment.split(";")[0] for finding in broken.findings] == ["TODO left in an added line"]
    assert next_one == await judge_unit(FLAWED)


async def test_code_that_takes_too_long_is_not_judged_and_its_worker_is_killed(processes: list[int]) -> None:
    began = time.monotonic()
    slow = await WorkerPool(0.5).judge_unit(CodeUnit(path="s.sh", text=SLOW, language="bash"), ())

    assert time.monotonic() - began < TIMEOUT_SECONDS
    assert [(one.place, one.reason) for one in slow.unread] == [("s.sh (bash)", "reading it took longer than 0.5 s")]
    assert not _is_there(processes[-1])


@needs_prlimit
async def test_a_worker_that_allocates_beyond_its_limit_ends_and_the_next_judges(
    pool: WorkerPool, processes: list[int]
) -> None:
    await pool.judge_unit(FLAWED, ())
    soft, hard = resource.prlimit(processes[0], resource.RLIMIT_AS)
    resource.prlimit(processes[0], resource.RLIMIT_AS, (1 << 20, hard))  # less than it has: it gets no more
    greedy = CodeUnit(path="g.js", text="a = 1;\n" * 60_000, language="javascript")
    result = await pool.judge_unit(greedy, ())

    assert soft == 4 << 30
    assert [(one.place, one.reason) for one in result.unread] == [("g.js (javascript)", "reading it was not possible")]
    assert not _is_there(processes[0])
    assert await pool.judge_unit(FLAWED, ()) == await judge_unit(FLAWED)
    assert len(processes) == 2


async def test_a_worker_ends_when_its_audit_is_cancelled(pool: WorkerPool, processes: list[int]) -> None:
    with anyio.move_on_after(0.5):
        await pool.judge_unit(CodeUnit(path="s.sh", text=SLOW, language="bash"), ())

    assert not _is_there(processes[-1])


@pytest.mark.deep  # each language takes a worker to its limit; one that takes too long is beside it
@pytest.mark.parametrize("language", sized(["css"], list(BOMBS)))
async def test_hostile_code_in_any_language_is_given_up_in_time_and_the_next_is_judged(language: str) -> None:
    pool = WorkerPool(0.5)
    for text in (BOMBS[language], *ODD):
        began = time.monotonic()
        result = await pool.judge_unit(CodeUnit(path="thought", text=text, language=language), ())

        assert time.monotonic() - began < TIMEOUT_SECONDS
        assert text != BOMBS[language] or result.unread or result.findings
    pool.close()
    calm = WorkerPool(TIMEOUT_SECONDS)
    next_one = await calm.judge_unit(FLAWED, ())
    calm.close()

    assert next_one == await judge_unit(FLAWED)


async def test_text_that_cannot_be_encoded_is_judged_all_the_same(pool: WorkerPool) -> None:
    odd = CodeUnit(path="o.py", text="x = '\ud800'  # TODO\n", language="python")

    assert [finding.line for finding in (await pool.judge_unit(odd, ())).findings] == [1]


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool()
    yield pool
    pool.close()


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that collects the ids of new processes."""
    made: list[int] = []
    begin = worker_pool.JudgeWorker.__init__

    def count(self: worker_pool.JudgeWorker) -> None:
        begin(self)
        made.append(self.pid)

    monkeypatch.setattr(worker_pool.JudgeWorker, "__init__", count)
    return made


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
