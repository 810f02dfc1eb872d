"""The journal in memory of a transcript: private, complete, mended, and gone with its viewer."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.events import Event, ThoughtEvent, UnknownEvent, WriterState
from seqthink.journal.decode import decode
from seqthink.transcripts.counts import ReadCounts
from seqthink.transcripts.facts import Fact, Prompt, Result, ToolCall, TurnEnded
from seqthink.transcripts.source import FactBatch, FoundSession
from seqthink.transcripts.spool import Spool, SpoolFolder, spool_name
from seqthink.transcripts.work_watch import DEAD_SILENT_SECONDS, MAX_SILENT_SECONDS
from tests.support.journals.build import JournalBuilder
from tests.support.screens.payloads import PAYLOADS
from tests.support.screens.screen_text import HOST, locked_journal

NOW = 1_800_000_000_000_000
SECOND = 1_000_000


class FakeSource:
    """A source whose one session says what a test gives it, a batch at each look."""

    name = label = "gemini"

    def __init__(self, *batches: FactBatch | OSError) -> None:
        self.batches = list(batches)
        self.open_count = self.close_count = 0
        self.runs: bool | None = None

    def say(self, *facts: Fact, at_end: bool = True, restarted: bool = False) -> None:
        self.batches.append(FactBatch(list(facts), at_end, restarted))

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        return home / environ.get("FOLDER", "")

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        return [found(path=folder)][:limit]

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        return [folder]

    def recognises(self, path: Path, head: bytes) -> bool:
        return bool(path and head)

    def sessions_in(self, path: Path) -> list[FoundSession]:
        return [found(path=path)]

    def is_running(self, found: FoundSession) -> bool | None:
        return self.runs if found.id else None

    def open(self, found: FoundSession) -> "FakeFeed":
        self.open_count += bool(found.id)
        return FakeFeed(self)


class FakeFeed:
    def __init__(self, source: FakeSource) -> None:
        self.source = source
        self.counts = ReadCounts()
        self.agent_files: Sequence[Path] = ()
        self.batches = iter(list(source.batches)) if source.open_count > 1 else None

    def read(self, limit_bytes: int) -> FactBatch:
        assert limit_bytes > 0
        if self.batches is not None:  # opened again: from the beginning
            batch = next(self.batches, None)
            if batch is not None:
                return self._given(batch)
            self.batches = None
            self.source.batches.clear()
        return self._given(self.source.batches.pop(0)) if self.source.batches else FactBatch([], at_end=True)

    @staticmethod
    def _given(batch: FactBatch | OSError) -> FactBatch:
        if isinstance(batch, OSError):
            raise batch
        return batch

    def settle(self) -> list[Fact]:
        return []

    def close(self) -> None:
        self.source.close_count += 1


def found(identifier: str = "s1", *, path: Path = Path("t.jsonl"), changed: int = NOW) -> FoundSession:
    return FoundSession("gemini", identifier, path, changed, 10)


def prompt(identifier: str, time: int = 1, agent: str | None = None) -> Prompt:
    return Prompt(id=identifier, time=time, agent=agent, text=identifier)


def call(identifier: str, text: str, time: int, agent: str | None = None) -> ToolCall:
    arguments = {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}
    return ToolCall(id=identifier, time=time, agent=agent, tool="sequentialthinking", arguments=arguments)


def events_of(path: Path) -> list[Event]:
    events = [decode(line) for line in path.read_bytes().splitlines()]
    known = [event for event in events if not isinstance(event, UnknownEvent)]
    assert [event.seq for event in known] == list(range(1, len(events) + 1))
    return known


def kinds(path: Path) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events_of(path)]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "runtime"
    folder.mkdir()
    return folder


@pytest.fixture
def environ(base: Path) -> dict[str, str]:
    return {"XDG_RUNTIME_DIR": str(base)}


@pytest.fixture
def folder(environ: dict[str, str]) -> Generator[SpoolFolder]:
    made = SpoolFolder(environ)
    yield made
    made.close()


@pytest.fixture
def source() -> FakeSource:
    return FakeSource()


@pytest.fixture
def spool(folder: SpoolFolder, source: FakeSource) -> Generator[Spool]:
    made = Spool(source, found(), folder.path_of(found()))
    yield made
    made.close()


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# The folder


def test_folder_and_files_are_for_this_user_only(base: Path, folder: SpoolFolder, spool: Spool) -> None:
    old = os.umask(0)
    try:
        other = Spool(FakeSource(), found("other"), folder.path_of(found("other")))
    finally:
        os.umask(old)

    assert folder.path.parent == base
    assert mode_of(folder.path) == 0o700
    assert {mode_of(file) for file in folder.path.iterdir()} == {0o600}
    assert {spool.path, other.path} < set(folder.path.iterdir())
    other.close()


def test_the_folder_goes_with_its_viewer(environ: dict[str, str], base: Path) -> None:
    folder = SpoolFolder(environ)
    (folder.path / "x.jsonl").write_bytes(b"x")

    folder.close()
    folder.close()

    assert list(base.iterdir()) == []


CHILD = """
import sys
from seqthink.transcripts.spool import SpoolFolder
folder = SpoolFolder({"XDG_RUNTIME_DIR": sys.argv[1]})
(folder.path / "secret.jsonl").write_text("x")
print(folder.path, flush=True)
sys.stdin.read()
"""


def test_what_a_killed_viewer_left_behind_is_removed_by_the_next_but_nothing_of_a_live_one(
    environ: dict[str, str], base: Path
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(base)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert child.stdin is not None
    assert child.stdout is not None
    with child, child.stdin, child.stdout:
        left = Path(child.stdout.readline().strip())
        beside_it = SpoolFolder(environ)
        is_live_kept = left.is_dir()
        child.send_signal(signal.SIGKILL)
        child.wait()
    after_it = SpoolFolder(environ)

    assert is_live_kept
    assert not left.exists()
    assert beside_it.path.is_dir()
    beside_it.close()
    after_it.close()


def _abandoned(base: Path, name: str = "seqthink-spool-old") -> Path:
    folder = base / name
    folder.mkdir()
    (folder / "lock").touch()
    return folder


def test_an_abandoned_folder_is_removed(environ: dict[str, str], base: Path) -> None:
    left = _abandoned(base)

    SpoolFolder(environ).close()

    assert not left.exists()


def test_nothing_else_is_removed(environ: dict[str, str], base: Path, tmp_path: Path) -> None:
    other = _abandoned(base, "another-program")
    unlocked = base / "seqthink-spool-just-made"
    unlocked.mkdir()
    target = _abandoned(tmp_path, "target")
    (base / "seqthink-spool-link").symlink_to(target)
    (base / "seqthink-spool-file").touch()
    linked_lock = base / "seqthink-spool-linked-lock"
    linked_lock.mkdir()
    (linked_lock / "lock").symlink_to(target / "lock")

    SpoolFolder(environ).close()

    assert all(path.exists() for path in (other, unlocked, target, linked_lock, target / "lock"))
    assert (base / "seqthink-spool-link").is_symlink()


def test_a_folder_of_another_user_is_never_touched(
    environ: dict[str, str], base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = _abandoned(base)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)

    SpoolFolder(environ).close()

    assert left.is_dir()


def test_a_folder_has_its_lock_before_another_viewer_can_take_it_for_abandoned(
    environ: dict[str, str], base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[bool] = []
    lock = fcntl.flock

    def watch(descriptor: int, operation: int) -> None:
        taken.append((next(base.glob("seqthink-spool-*")) / "lock").exists())
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", watch)
    folder = SpoolFolder(environ)

    assert taken == [False]
    assert (folder.path / "lock").exists()
    folder.close()


@pytest.mark.parametrize("named", ["", "relative", "/nowhere/at/all"])
def test_without_a_folder_for_the_users_programs_there_is_another(named: str) -> None:
    folder = SpoolFolder({"XDG_RUNTIME_DIR": named})

    assert mode_of(folder.path) == 0o700
    folder.close()


# Names


@pytest.mark.parametrize(
    "identifier", ["../../etc/x", "/etc/passwd", ".", "", "a/b", "x" * 5000, "-x", "a.notes", *PAYLOADS.values()]
)
def test_an_id_of_any_characters_names_a_file_in_the_folder(folder: SpoolFolder, identifier: str) -> None:
    path = folder.path_of(found(identifier))

    assert path.parent == folder.path
    assert path.name.isascii()
    assert path.name.isprintable()
    assert path.name.count(".") == 1
    made = Spool(FakeSource(), found(identifier), path)
    made.close()


def test_names_differ_as_ids_and_sources_do() -> None:
    ids = ["a", "A", "a/b", "a.b", "a b", "\ud800", "\udfff"]
    names = {spool_name(FoundSession(source, name, Path(), 0, 0)) for source in ("claude", "codex") for name in ids}

    assert len(names) == 2 * len(ids)


def test_a_file_that_is_there_already_is_not_written_to(folder: SpoolFolder, source: FakeSource) -> None:
    path = folder.path_of(found())
    path.symlink_to(folder.path / "elsewhere")

    with pytest.raises(FileExistsError):
        Spool(source, found(), path)

    assert not (folder.path / "elsewhere").exists()


# Reading on


def test_facts_become_lines_as_they_come(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("a"), at_end=False)
    source.say(prompt("b"))

    looks = [spool.is_empty, spool.advance(NOW), spool.is_whole, spool.advance(NOW), spool.is_whole, spool.is_empty]

    assert looks == [True, False, False, True, True, False]
    assert kinds(spool.path) == ["session", "prompt", "prompt"]


def test_a_transcript_that_was_replaced_is_translated_anew(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("a"), prompt("b"))
    spool.advance(NOW)
    source.say(prompt("c"), restarted=True)

    spool.advance(NOW)

    assert kinds(spool.path) == ["session", "prompt"]
    assert b'"text":"c"' in spool.path.read_bytes()


def test_a_transcript_that_is_gone_leaves_what_it_said(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("a"))
    spool.advance(NOW)
    source.batches.append(FileNotFoundError())

    at_end = spool.advance(NOW)

    assert at_end
    assert kinds(spool.path) == ["session", "prompt"]


def test_a_transcript_that_cannot_be_opened_is_an_empty_journal(folder: SpoolFolder) -> None:
    class Closed(FakeSource):
        @override
        def open(self, found: FoundSession) -> FakeFeed:
            raise PermissionError(found.path)

    spool = Spool(Closed(), found(), folder.path_of(found()))

    assert spool.advance(NOW)
    assert spool.path.read_bytes() == b""
    spool.close()


def test_a_full_disk_ends_the_journal_at_a_whole_line(
    spool: Spool, source: FakeSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.say(prompt("a"))
    spool.advance(NOW)
    before, write = spool.path.read_bytes(), os.write

    def cut(descriptor: int, data: memoryview) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:-10])

    monkeypatch.setattr(os, "write", cut)
    source.say(prompt("b"))
    at_end = spool.advance(NOW)
    monkeypatch.undo()
    source.say(prompt("c"))

    assert at_end
    assert spool.advance(NOW)
    assert spool.path.read_bytes() == before


def test_a_closed_spool_does_nothing_more(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("a"))
    spool.advance(NOW)
    source.say(prompt("b"))

    spool.close()
    spool.close()
    spool.attach([Path("j.jsonl")])

    assert spool.advance(NOW)
    assert not spool.path.exists()
    assert source.close_count == 1


def test_a_spool_that_was_given_up_does_not_remove_the_one_in_its_place(folder: SpoolFolder, spool: Spool) -> None:
    spool.remove_file()
    other = Spool(FakeSource(prompt_batch := FactBatch([prompt("x")], at_end=True)), found(), spool.path)
    other.advance(NOW)

    spool.remove_file()
    spool.close()

    assert prompt_batch.facts
    assert kinds(folder.path_of(found())) == ["session", "prompt"]
    other.close()


def test_two_threads_translate_each_fact_once(spool: Spool, source: FakeSource) -> None:
    for number in range(200):
        source.say(prompt(str(number)), at_end=number == 199)
    begun = threading.Barrier(4)

    def advance() -> None:
        begun.wait()
        for _ in range(200):
            spool.advance(NOW)
            assert spool.watched_files

    threads = [threading.Thread(target=advance) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    texts = [getattr(event, "text", None) for event in events_of(spool.path)]
    assert texts == [None, *map(str, range(200))]


# With journals of ours


def _journal(path: Path, *texts: str) -> Path:
    journal = JournalBuilder().session(client="gemini-cli")
    for text in texts:
        journal.thought(text, 1, 1, hint="ours")
    return journal.write(path)


def thoughts_of(path: Path) -> list[ThoughtEvent]:
    return [event for event in events_of(path) if isinstance(event, ThoughtEvent)]


def test_a_journal_that_joins_later_leads_from_the_beginning(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    journal = _journal(tmp_path / "j.jsonl", "x")
    source.batches[:] = [
        FactBatch([prompt("p"), call("c", "x", 2), Result(id="c", time=3, is_error=False)], at_end=True)
    ]
    given = list(source.batches)
    spool.advance(NOW)
    before = [event.hint for event in thoughts_of(spool.path)]
    source.batches[:] = given

    spool.attach([journal, journal])
    spool.attach([journal])
    while not spool.advance(NOW):
        pass

    assert before == [None]
    assert [(event.hint, event.call) for event in thoughts_of(spool.path)] == [("ours", "c")]
    assert spool.journals == [journal]
    assert journal in spool.watched_files


def test_a_misplaced_line_is_mended_once(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    spool.attach([_journal(tmp_path / "j.jsonl", "x")])
    source.say()
    spool.advance(NOW)
    source.say()
    misplaced = [event.agent for event in thoughts_of(spool.path)]
    batch = FactBatch([call("c", "x", 2, agent="a"), Result(id="c", time=3, agent="a", is_error=False)], at_end=True)
    source.batches[:] = [batch]

    is_first_whole = spool.advance(NOW)
    source.batches[:] = [batch]
    is_second_whole = spool.advance(NOW)

    assert misplaced == [None]
    assert (is_first_whole, is_second_whole) == (False, True)
    assert [(event.agent, event.hint) for event in thoughts_of(spool.path)] == [("a", "ours")]


def test_our_journal_goes_on_when_the_transcript_is_gone(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    path = _journal(tmp_path / "j.jsonl", "x")
    source.say(prompt("p"))
    spool.attach([path])
    spool.advance(NOW)
    source.batches[:] = [FileNotFoundError()]
    _journal(path, "x", "y")

    spool.advance(NOW)

    assert [event.thought for event in thoughts_of(spool.path)] == ["x", "y"]


def test_a_journal_that_was_cut_is_read_anew(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    path = _journal(tmp_path / "j.jsonl", "x", "y", "z")
    spool.attach([path])
    source.say(prompt("p"))
    spool.advance(NOW)
    _journal(path, "x", "other")

    while not spool.advance(NOW):
        pass

    assert [event.thought for event in thoughts_of(spool.path)] == ["x", "other"]


def test_lines_of_a_journal_that_cannot_be_read_are_left_out(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    path = _journal(tmp_path / "j.jsonl", "x")
    bad = [
        b"no json",
        b"[1]",
        b'{"v":1,"seq":3,"time":"2026-03-10T14:02:00Z","type":"thought","thought":["x"]}',
        b'{"v":1,"seq":4,"time":"2026-03-10T14:02:00Z","type":"note","of":1,"id":"n","text":"t","agent":["a"]}',
        b'{"v":1,"seq":"5","time":"2026-03-10T14:02:00Z","type":"end","reason":"eof"}',
        b'{"v":1,"seq":6,"time":1,"type":"end","reason":"eof"}',
        b'{"v":1,"seq":7,"time":"2026-03-10T14:02:00Z","type":"rejected","error":"e","arguments":1e999}',
    ]
    path.write_bytes(path.read_bytes() + b"\n".join([*bad, b""]))
    spool.attach([path])
    source.say(prompt("p"))

    spool.advance(NOW)

    assert [event.thought for event in thoughts_of(spool.path)] == ["x"]
    assert "rejected" in kinds(spool.path)


# Whether its agent is at work


def test_a_turn_that_has_not_ended_is_running_for_a_while(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("p"))
    spool.advance(NOW)
    times = (NOW, NOW + (MAX_SILENT_SECONDS - 1) * SECOND, NOW + MAX_SILENT_SECONDS * SECOND, NOW)
    states = [spool.writer(now) for now in times]
    source.say(prompt("q", agent="a"), TurnEnded(id="s", time=2, agent="a"))
    spool.advance(NOW)
    states.append(spool.writer(NOW))
    source.say(TurnEnded(id="t", time=2))
    spool.advance(NOW)

    assert [*states, spool.writer(NOW)] == [
        WriterState.ALIVE,
        WriterState.ALIVE,
        WriterState.UNKNOWN,
        WriterState.ALIVE,
        WriterState.ALIVE,
        WriterState.UNKNOWN,
    ]


def test_an_agent_in_the_background_is_running_when_the_main_agent_s_turn_is_over(
    spool: Spool, source: FakeSource
) -> None:
    states: list[WriterState] = []
    for facts in (
        [prompt("p"), prompt("q", agent="a"), TurnEnded(id="t", time=2)],
        [TurnEnded(id="s", time=3, agent="a")],
        [prompt("r"), prompt("u", agent="b"), TurnEnded(id="v", time=4, is_aborted=True)],
    ):
        source.say(*facts)
        spool.advance(NOW)
        states.append(spool.writer(NOW))

    assert states == [WriterState.ALIVE, WriterState.UNKNOWN, WriterState.UNKNOWN]


def test_a_turn_that_was_open_in_a_transcript_that_was_replaced_is_not(spool: Spool, source: FakeSource) -> None:
    source.say(prompt("p"))
    spool.advance(NOW)
    source.say(prompt("q"), TurnEnded(id="t", time=2), restarted=True)
    spool.advance(NOW)

    assert spool.writer(NOW) is WriterState.UNKNOWN


def test_a_turn_in_a_transcript_from_a_clock_that_is_ahead_is_not_running(spool: Spool, source: FakeSource) -> None:
    spool.found = found(changed=NOW + 3600 * SECOND)
    source.say(prompt("p"))
    spool.advance(NOW)

    assert spool.writer(NOW) is WriterState.UNKNOWN


SILENT = NOW + DEAD_SILENT_SECONDS * SECOND


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """The journal of a server that left no `end` line."""
    return JournalBuilder().session(client="gemini-cli", host=HOST).thought("x", 1, 1).write(tmp_path / "j.jsonl")


def in_a_turn(spool: Spool, source: FakeSource, journal: Path) -> Spool:
    source.say(prompt("p"), call("1", "x", 2))
    spool.attach([journal])
    spool.advance_to_end(NOW, 1 << 20)
    return spool


def test_a_session_whose_server_runs_is_running(spool: Spool, journal: Path) -> None:
    spool.attach([journal])
    spool.advance_to_end(NOW, 1 << 20)
    with locked_journal(journal):
        during = spool.writer(NOW)

    assert (during, spool.writer(NOW)) == (WriterState.ALIVE, WriterState.UNKNOWN)


def test_a_session_whose_server_was_killed_in_the_middle_of_a_turn_is_lost(
    spool: Spool, source: FakeSource, journal: Path
) -> None:
    in_a_turn(spool, source, journal)
    with locked_journal(journal):
        during = spool.writer(SILENT)
    states = [spool.writer(now) for now in (NOW, SILENT, NOW + 86_400 * SECOND)]

    assert (during, states) == (WriterState.ALIVE, [WriterState.ALIVE, WriterState.GONE, WriterState.GONE])


def test_a_session_that_goes_on_without_its_server_is_not_lost(spool: Spool, source: FakeSource, journal: Path) -> None:
    in_a_turn(spool, source, journal)
    lost = spool.writer(SILENT)
    spool.found = found(changed=SILENT + SECOND)

    assert (lost, spool.writer(SILENT + 10 * SECOND)) == (WriterState.GONE, WriterState.ALIVE)


def test_a_session_whose_client_runs_is_not_lost_with_its_server(
    spool: Spool, source: FakeSource, journal: Path
) -> None:
    in_a_turn(spool, source, journal)
    source.runs = True

    assert spool.writer(SILENT) is WriterState.ALIVE


def test_a_session_whose_client_was_killed_in_the_middle_of_a_turn_is_lost_also_without_a_journal(
    spool: Spool, source: FakeSource
) -> None:
    source.runs = False
    source.say(prompt("p"))
    spool.advance(NOW)
    during = spool.writer(SILENT)
    source.say(TurnEnded(id="t", time=2))
    spool.advance(NOW)

    assert (during, spool.writer(SILENT)) == (WriterState.GONE, WriterState.UNKNOWN)


def test_a_session_whose_server_ended_by_itself_is_not_lost(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
    journal = JournalBuilder().session(client="gemini-cli", host=HOST).thought("x", 1, 1).end()
    in_a_turn(spool, source, journal.write(tmp_path / "ended.jsonl"))

    assert spool.writer(SILENT) is WriterState.ALIVE


def test_a_subagent_whose_server_was_killed_does_not_make_the_session_lost(
    spool: Spool, source: FakeSource, journal: Path
) -> None:
    source.say(prompt("p"), call("1", "x", 2, agent="a"))
    spool.attach([journal])
    spool.advance_to_end(NOW, 1 << 20)

    assert spool.writer(SILENT) is WriterState.ALIVE
