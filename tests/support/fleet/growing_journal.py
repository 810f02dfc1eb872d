"""A journal that a thread writes as a server would, with its lock held: texts of all kinds, lines in pieces, damage."""

import fcntl
import os
import random
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from tests.support.journals.build import JournalBuilder

_WORDS = ("pool", "starves", "zwölf", "日本語", "\r", "\u2028", "🧵", '"quoted"', "back\\slash", "tab\there", "e\u0301")
_DAMAGE = (b"no JSON at all\n", b"\xff\xfe broken \r bytes\n", b'{"v":1,"seq":1,"type":"thou\n', b"\n")


class GrowingJournal:
    """Writes lines until it is asked to end; a context manager, at whose end the journal has its last line."""

    def __init__(
        self,
        path: Path,
        seed: int,
        *,
        lines_per_second: float = 300,
        start: datetime | None = None,
        damage: float = 0.01,
    ) -> None:
        self.path = path
        self._random = random.Random(seed)
        self._pause = 1 / lines_per_second
        self._builder = JournalBuilder(start or datetime.fromtimestamp(time.time(), UTC))
        self._damage = damage
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Write the last line, if it is not there yet, and give the lock back."""
        if not self._is_over.is_set():
            self._is_over.set()
            self._thread.join()
            os.close(self._file)

    @property
    def data(self) -> bytes:
        """What the journal holds."""
        return self.path.read_bytes()

    def _run(self) -> None:
        self._write(self._builder.session(self.path.stem, host="origin"))
        number = 0
        while not self._is_over.wait(self._pause * self._random.uniform(0.2, 1.8)):
            if self._random.random() < self._damage:
                self._put(self._random.choice(_DAMAGE))
                continue
            number += 1
            text = " ".join(self._random.choices(_WORDS, k=self._random.choice((3, 20, 60, 400))))
            self._write(self._builder.thought(f"t{number}. {text}", number, number + 5, after=self._pause))
        self._write(self._builder.end())

    def _write(self, builder: JournalBuilder) -> None:
        data = builder.data
        following = JournalBuilder(builder.now)
        following.seq = builder.seq
        self._builder = following
        if self._random.random() < 0.1:  # as a reader sees it between two writes
            cut = self._random.randrange(1, len(data))
            self._put(data[:cut])
            self._is_over.wait(0.002)
            data = data[cut:]
        self._put(data)

    def _put(self, data: bytes) -> None:
        """Write all of it, however long there is no room for it."""
        while data:
            try:
                data = data[os.write(self._file, data) :]
            except OSError:
                threading.Event().wait(0.01)
