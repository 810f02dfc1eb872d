"""Kills servers under a load of calls, round by round, and counts what their journals hold afterwards."""

import json
import os
import random
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck
from tests.support.servers.server_paths import call, lines
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import Wire, journals, start, thought

_CALLS_PER_ROUND = 400
_TEXT_CHARS = (20, 500, 500, 2_000, 60_000)
_MAX_DELAY_SECONDS = 0.08
_ROUNDS_PER_SESSION = 8
_TORN_EVERY = 3
_TORN_LINE = b'{"v":1,"seq":'
"""The rest of a line after a power failure; kills rarely cause one, so every third journal gets one."""


@dataclass
class Tally:
    """Counts over all rounds; the last six count broken promises."""

    rounds: int = 0
    acknowledged: int = 0
    found: int = 0
    torn: int = 0
    resumes: int = 0
    lost: int = 0
    twice: int = 0
    gaps: int = 0
    miscounts: int = 0
    faults: int = 0
    strays: int = 0

    @property
    def broken(self) -> tuple[int, ...]:
        """How often each promise was broken."""
        return self.lost, self.twice, self.gaps, self.miscounts, self.faults, self.strays


class Killer:
    """Kills servers on one server path, each resuming the session of the one before, and counts the results."""

    def __init__(self, folder: Path, options: Sequence[str], warm: WarmServer, seed: int) -> None:
        self.tally = Tally()
        self._folder = folder
        self._path_options = options
        self._warm = warm
        self._random = random.Random(seed)
        self._start_session()

    def run(self, rounds: int) -> Tally:
        """Kill ``rounds`` servers; a session is resumed several times, then ended cleanly."""
        for number in range(1, rounds + 1):
            self._kill(number)
            if number % _ROUNDS_PER_SESSION == 0 or number == rounds:
                self._finish_session()
        return self.tally

    def _start_session(self) -> None:
        self._path: Path | None = None
        self._acknowledged: list[str] = []
        self._in_journal: list[str] = []

    def _kill(self, number: int) -> None:
        texts = [f"{number}/{place} " + "x" * self._random.choice(_TEXT_CHARS) for place in range(_CALLS_PER_ROUND)]
        load = lines(*(call(thought(text), place) for place, text in enumerate(texts) if place))
        delay = self._random.uniform(0, _MAX_DELAY_SECONDS)
        with self._start() as wire:
            self._call(wire, texts[0])
            killer = threading.Timer(delay, os.kill, (wire.pid, signal.SIGKILL))
            killer.start()
            wire.send_until_refused(load)
            answers = wire.remaining_answers()
            killer.join()
            assert wire.status() == -signal.SIGKILL
        self._acknowledged += [texts[answer["id"]] for answer in answers]
        self.tally.rounds += 1
        self.tally.acknowledged += 1 + len(answers)
        self._read_journal()
        if number % _TORN_EVERY == 0:
            self._write_torn_line()

    def _write_torn_line(self) -> None:
        assert self._path is not None
        with self._path.open("ab") as file:
            file.write(_TORN_LINE)
        self.tally.torn += 1

    def _finish_session(self) -> None:
        """Resume once more, exit cleanly, and check the journal completely."""
        with self._start() as wire:
            self._call(wire, "the end")
            wire.hang_up()
            assert wire.status() == 0
        self._read_journal()
        assert self._path is not None
        self.tally.faults += sum(1 for _ in JournalCheck(JournalFile.open(self._path)).findings())
        self.tally.found += len(self._in_journal)
        self._start_session()

    def _start(self) -> Wire:
        resume = ("--resume", self._path.stem) if self._path else ()
        self.tally.resumes += bool(resume)
        environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(self._folder)}
        return start(*self._path_options, *resume, warm=self._warm, environ=environ)

    def _call(self, wire: Wire, text: str) -> None:
        """Make a server's first call, which counts on from the journal."""
        count = wire.call(thought(text))["structuredContent"]["thoughtHistoryLength"]
        self.tally.miscounts += count != len(self._in_journal) + 1
        self._acknowledged.append(text)

    def _read_journal(self) -> None:
        known = self._path
        self._path = journals(self._folder)[-1]
        self.tally.strays += known is not None and known != self._path
        *whole, torn = self._path.read_bytes().split(b"\n")
        events: list[dict[str, Any]] = [json.loads(line) for line in whole]
        self._in_journal = [event["thought"] for event in events if event["type"] == "thought"]
        self.tally.torn += bool(torn)
        self.tally.twice += len(self._in_journal) - len(set(self._in_journal))
        self.tally.gaps += [event["seq"] for event in events] != list(range(1, len(events) + 1))
        rest = iter(self._in_journal)
        self.tally.lost += sum(text not in rest for text in self._acknowledged)  # once each, and in order
