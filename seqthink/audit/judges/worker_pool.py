"""Pool of processes that judge code: killed when they take too long, replaced when they crash."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import anyio.to_thread
import msgspec
from msgspec.structs import replace

import seqthink
from seqthink.audit.code_units import THOUGHT_PATH, CodeUnit
from seqthink.audit.judges.internal import UnitResult, judge_without_grammar
from seqthink.audit.judges.worker import WorkerRequest
from seqthink.audit.unread_lines import all_unread

UNIT_TIME_LIMIT_SECONDS: Final = 10.0
"""Time limit for judging one unit."""
_MAX_IDLE_WORKERS: Final = 1
_REHEARSED_UNIT: Final = CodeUnit(path=THOUGHT_PATH, text="def f(x):\n    return x\n", language="python")


class WorkerPool:
    """Starts as many workers as are needed at the same time; keeps one for the next audit."""

    def __init__(self, seconds: float = UNIT_TIME_LIMIT_SECONDS) -> None:
        self._seconds = seconds
        self._idle_workers: list[JudgeWorker] = []

    def start_worker(self) -> None:
        """Start an idle worker, if there is none, and let it judge something: that loads what a judge needs.

        A worker that cannot be started now is started by the first audit.
        """
        if not self._idle_workers:
            with suppress(OSError):
                worker = JudgeWorker()
                worker.rehearse(_line(_REHEARSED_UNIT))
                self._idle_workers.append(worker)

    async def judge_unit(self, unit: CodeUnit, missing_packages: tuple[str, ...]) -> UnitResult:
        """Return the result for one unit; if no worker can give it, what is found without a grammar."""
        readable = replace(unit, text=unit.text.encode("utf-8", "replace").decode())
        answer = b""
        with anyio.move_on_after(self._seconds) as limit:
            answer = await self._ask(_line(readable, missing_packages))
        if answer:
            return msgspec.json.decode(answer, type=UnitResult)
        problem = f"took longer than {self._seconds:g} s" if limit.cancelled_caught else "was not possible"
        findings = await anyio.to_thread.run_sync(judge_without_grammar, unit, abandon_on_cancel=True)
        return UnitResult(findings, unread=(all_unread(unit, f"reading it {problem}"),))

    def close(self) -> None:
        """End the idle worker."""
        while self._idle_workers:
            self._idle_workers.pop().end()

    async def _ask(self, line: bytes) -> bytes:
        """Return the answer to ``line``; empty if the worker crashed."""
        worker = self._idle_workers.pop() if self._idle_workers else JudgeWorker()
        try:
            answer = await anyio.to_thread.run_sync(worker.ask, line, abandon_on_cancel=True)
        except BaseException:
            worker.end()
            raise
        if answer and len(self._idle_workers) < _MAX_IDLE_WORKERS:
            self._idle_workers.append(worker)
        else:
            worker.end()
        return answer


class JudgeWorker:
    """One worker process; it ends when the server closes its stdin."""

    def __init__(self) -> None:
        home = str(Path(seqthink.__file__).parents[1])
        paths = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH", "")]))
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "seqthink.audit.judges.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd="/", env={**os.environ, "PYTHONPATH": paths}, start_new_session=True,
        )  # fmt: skip
        self._unread_answers = 0

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def rehearse(self, line: bytes) -> None:
        """Send a request whose answer nobody wants, without waiting for it. ``line`` must fit into an empty pipe."""
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()
        self._unread_answers += 1

    def ask(self, line: bytes) -> bytes:
        """Return the complete answer to ``line``; empty if there is none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            for _ in range(self._unread_answers):
                self._process.stdout.readline()
            self._unread_answers = 0
            answer = self._process.stdout.readline()
        except (OSError, ValueError):
            return b""
        return answer if answer.endswith(b"\n") else b""

    def end(self) -> None:
        """Kill the process and its children."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # unwritten data of a crashed worker
                    pipe.close()


def _line(unit: CodeUnit, missing_packages: tuple[str, ...] = ()) -> bytes:
    return msgspec.json.encode(WorkerRequest(unit, missing_packages)) + b"\n"
