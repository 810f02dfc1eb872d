"""What `seqthink sessions` remembers: the same rows as without it, whatever the file of the cache says."""

import json
import os
import time
from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest

from seqthink.cli.overview import sessions as command
from seqthink.library.viewer_store import list_cache
from seqthink.library.viewer_store.folder import viewer_folder
from seqthink.library.viewer_store.forgetting import forget_sessions
from tests.support.depth import first
from tests.support.journals.build import START, JournalBuilder, shop_api
from tests.support.journals.code_review_journal import code_review
from tests.support.journals.example_chains import questions
from tests.support.screens.screen_text import HOST, locked_journal

FORMS = ((), ("--json",), ("--ascii",), ("--json", "--redact"))
SECRET = "AKIAIOSFODNN7EXAMPLE"


def _as_ours(journal: JournalBuilder) -> bytes:
    return b"".join(journal.lines).replace(b'"host":"desk"', f'"host":"{HOST}"'.encode())


@pytest.fixture
def folder(seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with sessions of every kind, all of which changed a while ago."""
    monkeypatch.setattr(list_cache, "MIN_SESSIONS", 1)
    monkeypatch.setattr(list_cache, "_now_ns", lambda: time.time_ns() + 60 * 10**9)
    monkeypatch.setattr(command, "_now", lambda: int(time.time() // 3600 + 240) * 3_600_000_000)
    folder = seqthink_home / "sessions"
    folder.mkdir()
    kinds = {
        "shop": shop_api(),
        "review": code_review(),
        "asks": questions(),
        "lost": JournalBuilder().session(host=HOST).thought(f"目录 → {SECRET}\x1b[31m", 1, 3).thought("so", 2, 3),
        "far": JournalBuilder().session(host="elsewhere").thought("x" * 70_000, 1, 3),
        "stopped": JournalBuilder(START).session().thought("one", 1, 3).end(),
        "refused": JournalBuilder().session().thought("one", 1, 3).rejected("no").end(),
        "empty": JournalBuilder(),
    }
    for name, journal in kinds.items():
        (folder / f"{name}.jsonl").write_bytes(_as_ours(journal))
    (folder / "odd.jsonl").write_bytes(b"\x00\xff{\n[1]\n" * 20)
    return folder


def listed(folder: Path, capsys: pytest.CaptureFixture[str], *form: str) -> str:
    assert command.run(["--journal-dir", str(folder), *form]) == 0
    return capsys.readouterr().out


def cache_file(home: Path) -> Path:
    [path] = viewer_folder(home).glob("list-*")
    return path


def _never(_: object) -> bool:
    return False


def _fail(*_: object, **__: object) -> None:
    pytest.fail("read whole")


def read_again(folder: Path, capsys: pytest.CaptureFixture[str], *form: str) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seqthink.cli.overview.listed_rows.is_worth_remembering", _never)
        return listed(folder, capsys, *form)


@pytest.mark.parametrize("is_live", first(1, [False, True]))
def test_what_is_remembered_is_what_is_read(
    folder: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str], *, is_live: bool
) -> None:
    plain = {form: read_again(folder, capsys, *form) for form in FORMS}
    for _ in range(3):
        for form in FORMS:
            assert listed(folder, capsys, *form) == plain[form]

    with locked_journal(folder / "lost.jsonl") if is_live else nullcontext():
        for form in FORMS:
            assert listed(folder, capsys, *form) == read_again(folder, capsys, *form)
    assert cache_file(seqthink_home).stat().st_mode & 0o777 == 0o600
    assert SECRET not in listed(folder, capsys, "--redact")


def test_the_second_list_reads_no_journal_whole(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "asks.jsonl").unlink()  # what asks a person is never remembered
    first = listed(folder, capsys, "--json")
    monkeypatch.setattr("seqthink.library.summary.summarize", _fail)

    assert listed(folder, capsys, "--json") == first


def test_a_journal_that_changed_is_read_again_even_with_its_old_size_and_time(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed(folder, capsys)
    path, old = folder / "stopped.jsonl", (folder / "stopped.jsonl").stat()
    path.write_bytes(path.read_bytes().replace(b"one", b"two"))
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))

    assert "two" in listed(folder, capsys)
    with path.open("ab") as file:
        file.write(b"".join(JournalBuilder().session(resumed=True).thought("three", 2, 3).lines))
    assert listed(folder, capsys, "--json") == read_again(folder, capsys, "--json")


def test_what_changed_just_now_is_not_remembered(
    folder: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_cache, "_now_ns", lambda: min(path.stat().st_mtime_ns for path in folder.iterdir()))
    listed(folder, capsys)

    assert not viewer_folder(seqthink_home).exists()


def _hostile(data: bytes) -> dict[str, bytes]:
    head, _, body = data.partition(b"\n")
    fields = json.loads(head)

    def file(new_body: bytes, **changes: object) -> bytes:
        checksum = list_cache.checksum_of(new_body)
        return json.dumps(fields | {"checksum": checksum} | changes).encode() + b"\n" + new_body

    def changed(place: int, value: object) -> bytes:
        entries = msgspec.json.decode(body)
        for _, shown in entries.values():
            shown[place] = value
        return file(msgspec.json.encode(entries))

    return {
        "empty": b"",
        "half": data[: len(data) // 2],
        "flipped": data.replace(b"shop", b"shep"),
        "no JSON": b"\x00\xff\n\x00",
        "a newer version": file(body, format="seqthink.list/2"),
        "another program": file(body, program="x"),
        "another host": file(body, host="x"),
        "another folder": file(body, folder="/x"),
        "other types": file(b'{"shop":[[1,2,3,4],["a"]]}'),
        "deep": file(b"[" * 100_000),
        "controls in texts": changed(2, "\x1b]0;evil\x07"),
        "an unknown state": changed(5, "\x1b[31m"),
        "times out of the calendar": changed(8, 2**62),
        "counts below zero": changed(10, -1),
        "a text beyond the end": changed(15, [0, 2**62]),
        "a text that is not a line": changed(15, [1, 7]),
        "huge": data + b" " * list_cache.MAX_BYTES,
    }


@pytest.mark.slow  # many files
def test_a_wrong_cache_is_ignored_and_rewritten(
    folder: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = listed(folder, capsys, "--json")
    path = cache_file(seqthink_home)
    sound = path.read_bytes()
    for name, data in _hostile(sound).items():
        path.write_bytes(data)
        assert listed(folder, capsys, "--json") == plain, name
        path.write_bytes(data)
        assert "\x1b" not in listed(folder, capsys), name


def test_a_cache_that_is_a_link_a_folder_or_not_writable_is_left_alone(
    folder: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plain = listed(folder, capsys)
    path, aside = cache_file(seqthink_home), tmp_path / "aside"
    path.rename(aside)
    path.symlink_to(aside)
    (folder / "stopped.jsonl").unlink()
    changed = listed(folder, capsys)
    assert changed != plain
    assert aside.read_bytes().partition(b"\n")[0]
    path.unlink(missing_ok=True)
    path.mkdir()
    assert listed(folder, capsys) == changed
    path.rmdir()
    viewer_folder(seqthink_home).rmdir()
    viewer_folder(seqthink_home).write_bytes(b"a file")
    assert listed(folder, capsys) == changed


def test_deleted_sessions_leave_nothing_behind(
    folder: Path, seqthink_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed(folder, capsys)
    path = cache_file(seqthink_home)
    assert b"Symptoms" in path.read_bytes()

    (folder / "shop.jsonl").unlink()
    listed(folder, capsys)
    assert b"Symptoms" not in path.read_bytes()

    forget_sessions(viewer_folder(seqthink_home), {"review"})
    assert not path.exists()
