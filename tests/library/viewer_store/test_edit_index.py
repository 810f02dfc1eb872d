"""The index of edits: private, made again when it is damaged, shared by processes, and without deleted sessions."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.core.errors import UsageError
from seqthink.library.viewer_store.edit_index import (
    FILE_NAME,
    EditIndex,
    IndexedEdit,
    IndexedGitCommand,
    IndexedSession,
    SessionKey,
)
from seqthink.library.viewer_store.forgetting import forget_sessions
from tests.conftest import PROJECT
from tests.support.depth import first


def session(name: str, stamp: str = "1", source: str = "claude") -> IndexedSession:
    return IndexedSession(SessionKey(source, name), stamp, "{}", "/shop", "", 5, 9, b"")


def put(index: EditIndex, name: str, stamp: str = "1", source: str = "claude") -> None:
    index.put(
        session(name, stamp, source),
        [IndexedEdit("db.py", f"/shop/{name}/db.py", b"edit")],
        [IndexedGitCommand(7, "/shop", "commit")],
    )
    index.save()


def test_what_was_put_is_there_for_the_next_one(tmp_path: Path) -> None:
    index = EditIndex(tmp_path)
    put(index, "a")
    index.close()

    index = EditIndex(tmp_path)
    [(number, edit)] = index.edits_of(index.paths_named("db.py"))
    assert edit == IndexedEdit("db.py", "/shop/a/db.py", b"edit")
    assert index.sessions([number]) == {number: session("a")}
    assert index.git_commands_of(number) == [IndexedGitCommand(7, "/shop", "commit")]
    assert [one for one, _ in index.sessions_between(9, 20)] == [number]
    assert index.sessions_between(10, 20) == []
    assert index.stamps() == {SessionKey("claude", "a"): "1"}


def test_a_session_that_is_put_again_replaces_what_was_kept(tmp_path: Path) -> None:
    index = EditIndex(tmp_path)
    put(index, "a", "1")
    put(index, "a", "2")

    assert index.stamps() == {SessionKey("claude", "a"): "2"}
    assert len(list(index.edits_of(["/shop/a/db.py"]))) == 1


def test_an_edit_keeps_its_session_while_another_process_changes_the_index(tmp_path: Path) -> None:
    index, other = EditIndex(tmp_path), EditIndex(tmp_path)
    put(index, "a")
    [(number, _)] = index.edits_of(["/shop/a/db.py"])

    other.forget_named(["a"])
    put(other, "b")
    [(later, _)] = index.edits_of(["/shop/b/db.py"])

    assert index.sessions([number, later]) == {number: session("a"), later: session("b")}


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    put(EditIndex(tmp_path / "viewer"), "a")

    assert stat.S_IMODE((tmp_path / "viewer" / FILE_NAME).stat().st_mode) == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"mine")
    (tmp_path / FILE_NAME).symlink_to(other)

    with pytest.raises((UsageError, OSError)):
        EditIndex(tmp_path)

    assert other.read_bytes() == b"mine"


def foreign_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE sessions (id INTEGER)")


def older_format(path: Path) -> None:
    put(EditIndex(path.parent), "a")
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 77")


def cut_in_the_middle(path: Path) -> None:
    index = EditIndex(path.parent)
    for number in range(200):
        put(index, f"s{number}")
    index.close()
    os.truncate(path, path.stat().st_size // 2)


def overwritten(path: Path) -> None:
    cut_in_the_middle(path)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(8192))


def no_database(path: Path) -> None:
    path.write_bytes(b"no database at all" * 99)


DAMAGES = (no_database, foreign_database, cut_in_the_middle, overwritten, older_format)


@pytest.mark.parametrize("damage", first(3, DAMAGES))
def test_a_damaged_or_foreign_file_is_made_again(damage: Callable[[Path], None], tmp_path: Path) -> None:
    damage(tmp_path / FILE_NAME)

    index = EditIndex(tmp_path)
    index.stamps()
    list(index.edits_of(index.paths_named("db.py")))
    put(index, "new")

    assert SessionKey("claude", "new") in index.stamps()
    assert len(list(index.edits_of(["/shop/new/db.py"]))) == 1


def test_deleted_sessions_are_forgotten(tmp_path: Path) -> None:
    index = EditIndex(tmp_path)
    for name, source in (("a", "journal"), ("b", "journal"), ("c", "claude")):
        put(index, name, source=source)
    index.close()

    forget_sessions(tmp_path, {"a", "claude-c"})

    index = EditIndex(tmp_path)
    assert list(index.stamps()) == [SessionKey("journal", "b")]
    assert index.paths_named("db.py") == ["/shop/b/db.py"]


def test_forgetting_makes_no_file(tmp_path: Path) -> None:
    (tmp_path / "viewer").mkdir()

    forget_sessions(tmp_path / "viewer", {"a"})

    assert not (tmp_path / "viewer" / FILE_NAME).exists()


_WRITER = """
import sys
from collections.abc import Callable
from pathlib import Path
from tests.library.viewer_store.test_edit_index import EditIndex, put
index = EditIndex(Path(sys.argv[1]))
for number in range(20):
    put(index, f"{sys.argv[2]}{number}")
"""


def test_two_processes_may_write_at_once(tmp_path: Path) -> None:
    EditIndex(tmp_path).close()
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), name], cwd=PROJECT) for name in ("x", "y")
    ]

    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(EditIndex(tmp_path).stamps()) == 40
