"""The journal in memory of a transcript: private, complete, mended, and gone with its viewer."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.core.events import ThoughtEvent
from seqthink.sources.transcripts.facts import Result
from seqthink.sources.transcripts.source import FactBatch, FoundSession
from seqthink.sources.transcripts.spool import Spool, SpoolFolder, spool_name
from tests.support.journals.build import JournalBuilder
from tests.support.screens.payloads import PAYLOADS
from tests.support.transcripts.fake_source import NOW, FakeFeed, FakeSource, call, events_of, found, kinds, prompt


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
from seqthink.sources.transcripts.spool import SpoolFolder
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


def test_a_transcript_that_was_replaced_is_translated_again(spool: Spool, source: FakeSource) -> None:
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


def test_a_journal_that_was_cut_is_read_again(spool: Spool, source: FakeSource, tmp_path: Path) -> None:
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
