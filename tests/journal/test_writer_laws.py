"""Whatever fails, whenever: what was accepted is in the journal, once and in order, and a viewer sees just that."""

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.errors import JournalWriteError
from seqthink.core.events import ThoughtEvent
from seqthink.journal import writer as writer_module
from seqthink.journal.journal_file import JournalFile as ReadFile
from seqthink.journal.locked_journal import LockedJournal
from seqthink.journal.maintenance.check import JournalCheck
from seqthink.journal.reader import JournalReader
from seqthink.journal.writer import JournalWriter, WriterEnvironment
from tests.journal.test_writer import ABOUT, Clock, draft, forget
from tests.support.servers.wire import events, journals

ERRORS = st.sampled_from([errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
STEPS = st.one_of(
    st.tuples(st.just("append"), st.integers(1, 4)),
    st.tuples(st.just("append"), st.integers(1, 4)),
    st.tuples(st.just("look")),
    st.tuples(st.just("fail"), st.sampled_from(["write", "fsync", "ftruncate", "open", "fstat"]), ERRORS),
    st.tuples(st.just("fail"), st.just("write"), st.integers(-900, 0)),  # that many bytes are written
    st.tuples(st.just("mend")),
    st.tuples(st.just("mend")),
    st.tuples(st.just("delete")),
    st.tuples(st.just("kill")),
)


class Story:
    """A writer, what fails around it, and what it has promised so far."""

    def __init__(self, folder: Path, *, sync: bool, required: bool) -> None:
        self._folder = folder
        self._sync, self._required = sync, required
        letters = iter(range(100_000, 1_000_000))
        self._edges = WriterEnvironment(Clock(), lambda: str(next(letters)), lambda _: None)
        self._faults: dict[str, int] = {}
        self._written: list[str] = []
        self._waiting: list[str] = []
        self._count = 0
        self._writer = self._begun()
        self._view: tuple[Path, JournalReader, list[str]] | None = None

    def patched(self, name: str) -> Callable[..., Any]:
        """Return a call of the system that fails when the story says so."""
        real = getattr(os, name)

        def call(target: Any, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as the call has it
            outcome = self._faults.get(name)
            if outcome is None or (name == "open" and not str(target).endswith(".jsonl")):
                return real(target, *rest, **more)
            if outcome > 0:
                raise OSError(outcome, os.strerror(outcome))
            return real(target, rest[0][:-outcome])

        return call

    def append(self, count: int) -> None:
        texts = [f"thought {self._count + n}" for n in range(count)]
        self._count += count
        try:
            receipt = self._writer.append([draft(text) for text in texts])
        except JournalWriteError:
            return
        both = [*self._waiting, *texts]
        done = max(0, len(both) - receipt.waiting)  # the line of the session may wait, too
        self._written += both[:done]
        self._waiting = both[done:]

    def fail(self, name: str, outcome: int) -> None:
        self._faults[name] = outcome

    def mend(self) -> None:
        self._faults = {}

    def delete(self) -> None:
        for path in journals(self._folder):
            path.unlink()
        self._written = []

    def kill(self) -> None:
        """Let the writer go as a killed process does, and go on in its journal, if it has one."""
        self._faults = dict.fromkeys(("write", "ftruncate", "open"), errno.EIO)
        self._writer.end("error")  # which can do no more than close the file
        self.mend()
        found = journals(self._folder)
        if not found:
            self._written, self._waiting = [], []
            self._writer = self._begun()
            return
        left = _thoughts(found[-1])
        assert left[: len(self._written)] == self._written, "what was acknowledged is lost"
        # What waited may have been written in part, as the replies that bear a mark say.
        self._written, self._waiting = left, []
        self._writer = self._begun(found[-1])

    def look(self) -> None:
        """Let a viewer look, who follows the newest journal; nothing fails for those who read."""
        with patch.object(self, "_faults", dict[str, int]()):
            self._look()

    def _look(self) -> None:
        found = journals(self._folder)
        if not found:
            return
        if self._view is None or self._view[0] != found[-1]:
            self._view = (found[-1], JournalReader(found[-1]), [])
        _, reader, seen = self._view
        at_end = False
        while not at_end:
            batch = reader.read()
            at_end = batch.at_end
            if batch.restarted:
                seen.clear()
            assert not batch.corrupt_lines
            seen += [event.thought for event, _, _ in batch.events if isinstance(event, ThoughtEvent)]

    def close(self) -> None:
        """Come to a good end, and hold all against what was promised."""
        self.mend()
        self.append(1)
        assert self._writer.end("eof") == ""
        self.look()
        path = journals(self._folder)[-1]
        assert self._waiting == []
        assert _thoughts(path) == self._written
        assert self._view is not None
        assert self._view[2] == self._written
        assert [event["seq"] for event in events(path)] == list(range(1, len(events(path)) + 1))
        assert list(JournalCheck(ReadFile.open(path)).findings()) == []

    def _begun(self, path: Path | None = None) -> JournalWriter:
        held = path and (path.stem, LockedJournal.open(path, lambda _: None))
        writer = JournalWriter(self._folder, self._edges, resumed=held, sync=self._sync, required=self._required)
        writer.begin(ABOUT, forget)
        return writer


def _thoughts(path: Path) -> list[str]:
    return [event["thought"] for event in events(path) if event["type"] == "thought"]


@given(
    steps=st.lists(STEPS, max_size=30),
    sync=st.booleans(),
    required=st.booleans(),
    batch=st.sampled_from([600, 1 << 20]),
)
def test_what_is_accepted_is_written_once_and_in_order_whatever_fails(
    steps: list[tuple[Any, ...]], *, sync: bool, required: bool, batch: int
) -> None:
    names = ("write", "fsync", "ftruncate", "open", "fstat")
    with tempfile.TemporaryDirectory() as folder, patch.object(writer_module, "_BATCH_BYTES", batch):
        story = Story(Path(folder) / "sessions", sync=sync, required=required)
        patches = [patch.object(os, name, story.patched(name)) for name in names]
        for one in patches:
            one.start()
        try:
            for name, *rest in steps:
                getattr(story, name)(*rest)
            story.close()
        finally:
            for one in patches:
                one.stop()
