import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from seqthink.sources.transcripts.facts import Prompt, SessionDescribed
from seqthink.sources.transcripts.opencode.database import Database
from seqthink.sources.transcripts.opencode.private_copy import PrivateCopies
from seqthink.sources.transcripts.opencode.source import OpenCodeSource
from seqthink.sources.transcripts.source import Source
from tests.sources.transcripts.opencode.client_database import ClientDatabase

CLIENT = """
import sys
from pathlib import Path
from tests.sources.transcripts.opencode.client_database import ClientDatabase
database = ClientDatabase(Path(sys.argv[1]))
database.session("ses_root", "a title")
database.message("ses_root", "m1", "user")
database.part("ses_root", "m1", "p1", type="text", text="go")
print("ready", flush=True)
sys.stdin.read()
"""
"""Writes a session, and holds the database open until it is killed."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "opencode"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def database(folder: Path) -> Iterator[ClientDatabase]:
    database = ClientDatabase(folder / "opencode.db")
    database.session("old")
    database.session("new")
    yield database
    database.close()


def test_it_is_a_source() -> None:
    source: Source = OpenCodeSource()
    assert source.name == "opencode"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "/home/ada/.local/share/opencode"),
        ({"XDG_DATA_HOME": ""}, "/home/ada/.local/share/opencode"),
        ({"XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/opencode"),
        ({"XDG_DATA_HOME": "/data"}, "/data/opencode"),
    ],
)
def test_the_folder_is_where_the_client_keeps_its_data(environ: dict[str, str], expected: str) -> None:
    assert OpenCodeSource().folder(environ, Path("/home/ada")) == Path(expected)


def test_the_newest_session_comes_first_and_a_subagent_counts_for_its_root(
    folder: Path, database: ClientDatabase
) -> None:
    source = OpenCodeSource()
    assert [found.id for found in source.find(folder, 9)] == ["new", "old"]

    database.session("child", parent="old")
    database.session("grandchild", parent="child")
    found = source.find(folder, 9)
    assert [each.id for each in found] == ["old", "new"]
    assert found[0].changed == database.now * 1000
    assert source.find(folder, 1) == found[:1]


def test_sessions_that_are_each_others_subagents_are_one_session(folder: Path, database: ClientDatabase) -> None:
    database.session("a", parent="b")
    database.session("b", parent="a")

    assert len(OpenCodeSource().find(folder, 9)) == 3


def test_a_subagent_of_a_deleted_session_is_a_session(folder: Path, database: ClientDatabase) -> None:
    database.session("orphan", parent="gone")

    assert OpenCodeSource().find(folder, 1)[0].id == "orphan"


def test_databases_of_preview_channels_are_read_too(folder: Path, database: ClientDatabase) -> None:
    preview = ClientDatabase(folder / "opencode-next.db")
    preview.now = database.now + 10
    preview.session("preview")
    other = ClientDatabase(folder / "other.db")
    other.session("other")

    assert [found.id for found in OpenCodeSource().find(folder, 9)] == ["preview", "new", "old"]
    preview.close()
    other.close()


@pytest.mark.usefixtures("database")
def test_links_and_what_is_no_database_are_left_out(folder: Path, tmp_path: Path) -> None:
    elsewhere = ClientDatabase(tmp_path / "elsewhere.db")
    elsewhere.session("elsewhere")
    (folder / "opencode-link.db").symlink_to(elsewhere.path)
    (folder / "opencode-text.db").write_text("no database", encoding="utf-8")
    (folder / "opencode-folder.db").mkdir()
    (folder / "opencode-cut.db").write_bytes(b"SQLite format 3\0" + b"\0" * 200)

    assert [found.id for found in OpenCodeSource().find(folder, 9)] == ["new", "old"]
    elsewhere.close()


def test_a_folder_that_is_not_there_has_no_sessions(tmp_path: Path) -> None:
    source = OpenCodeSource()

    assert source.find(tmp_path / "none", 9) == []
    assert source.watched_folders(tmp_path / "none") == []
    assert source.watched_folders(tmp_path) == [tmp_path]


def test_its_databases_are_recognised_by_their_tables(database: ClientDatabase, tmp_path: Path) -> None:
    source = OpenCodeSource()
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE session (id)")
    connection.close()
    text = tmp_path / "text.db"
    text.write_text("{}", encoding="utf-8")

    assert source.recognises(database.path, database.path.read_bytes()[:1000])
    assert not source.recognises(other, other.read_bytes()[:1000])
    assert not source.recognises(text, text.read_bytes())
    assert not source.recognises(tmp_path / "gone.db", b"SQLite format 3\0")


def test_a_file_gives_its_root_sessions_or_an_error(database: ClientDatabase, tmp_path: Path) -> None:
    source = OpenCodeSource()
    database.session("child", parent="old")
    wrong = tmp_path / "wrong.db"
    wrong.write_bytes(b"SQLite format 3\0" + b"\0" * 200)

    assert [found.id for found in source.sessions_in(database.path)] == ["old", "new"]
    with pytest.raises(OSError, match="has a format that this version cannot read"):
        source.sessions_in(wrong)
    with pytest.raises(OSError, match="no database"):
        source.sessions_in(tmp_path / "gone.db")


@pytest.mark.usefixtures("database")
def test_a_found_session_is_opened(folder: Path) -> None:
    source = OpenCodeSource()
    feed = source.open(source.find(folder, 1)[0])

    assert [(type(fact), fact.id) for fact in feed.read(1).facts] == [(SessionDescribed, "new")]
    feed.close()
    feed.close()


def test_everything_may_stand_in_the_write_ahead_log(folder: Path, database: ClientDatabase) -> None:
    assert database.path.stat().st_size < (folder / "opencode.db-wal").stat().st_size

    assert len(OpenCodeSource().find(folder, 9)) == 2


def test_many_sessions_of_an_idle_database_are_read_from_one_copy(folder: Path, database: ClientDatabase) -> None:
    database.close()
    copies = PrivateCopies()
    first, second = Database(database.path, copies), Database(database.path, copies)
    for each in (first, second):
        with each.reading() as connection:
            assert connection.execute("SELECT count(*) FROM session").fetchone() == (2,)
    copy = copies.of(database.path)
    assert copy.path.parent.stat().st_mode & 0o777 == 0o700
    assert [name.name for name in folder.iterdir()] == ["opencode.db"]

    first.close()
    second.close()
    left = copy.path.parent
    copies.forget(database.path)
    del copy
    assert not left.exists()


def test_a_copy_has_what_stands_in_the_write_ahead_log_alone(folder: Path, database: ClientDatabase) -> None:
    assert database.path.stat().st_size < (folder / "opencode.db-wal").stat().st_size

    copy = PrivateCopies().of(database.path)

    with closing(sqlite3.connect(copy.path)) as connection:
        assert connection.execute("SELECT count(*) FROM session").fetchone() == (2,)


def test_a_copy_that_finds_no_room_is_an_error_and_leaves_nothing(
    database: ClientDatabase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    database.close()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def full(_: Path) -> SimpleNamespace:
        return SimpleNamespace(free=0)

    monkeypatch.setattr("shutil.disk_usage", full)
    before = set(tmp_path.iterdir())

    with pytest.raises(OSError, match="no room"), Database(database.path).reading():
        pass
    assert set(tmp_path.iterdir()) == before


def test_the_copy_of_a_killed_viewer_is_removed_by_the_next(
    database: ClientDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / "seqthink-copy-old"
    left.mkdir()
    (left / "lock").touch()
    (left / "copy.db").write_bytes(b"gigabytes")
    copies = PrivateCopies()
    other = copies.of(database.path)

    PrivateCopies().of(database.path)

    assert not left.exists()
    assert other.path.exists()


def _states(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


@pytest.mark.parametrize("is_running", [True, False], ids=["running", "killed"])
def test_not_even_the_shared_memory_of_a_client_is_written(folder: Path, *, is_running: bool) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(folder / "opencode.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert child.stdin is not None
    assert child.stdout is not None
    with child, child.stdin, child.stdout:
        child.stdout.readline()
        if not is_running:
            child.kill()
            child.wait()
        before = _states(folder)
        found = OpenCodeSource().find(folder, 10)
        with closing(OpenCodeSource().open(found[0])) as feed:
            facts = feed.read(1 << 20).facts
        after = _states(folder)
        child.kill()

    assert set(before) == {"opencode.db", "opencode.db-wal", "opencode.db-shm"}
    assert [fact.text for fact in facts if isinstance(fact, Prompt)] == ["go"]
    assert after == before
