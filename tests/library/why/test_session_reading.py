"""The index of edits is brought up to date: only what changed is read, and what is gone is forgotten."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.journal.store import list_sessions
from seqthink.library.viewer_store.edit_index import EditIndex, SessionKey
from seqthink.library.why import session_reading
from seqthink.library.why.line_digests import digest_of, plain_digest
from seqthink.library.why.recorded_edits import RecordedEdit
from seqthink.library.why.session_reading import Reading, about_of, decoded, encoded, minutes_of, update_index
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.source import FoundSession
from tests.support.journals.native_journal import native_journal
from tests.support.transcripts.agents_at_work import BEGIN, MINUTE, WorkFeed, World

TEXT = "import pool\npool.open(size=20)\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def index(tmp_path: Path) -> EditIndex:
    return EditIndex(tmp_path / "viewer")


def update(
    index: EditIndex, world: World, *, budget: Budget | None = None, report: Callable[[int, int], object] = max
) -> Reading:
    return update_index(index, world.all_sessions(), [], {"claude"}, budget=budget or Budget(), report=report)


def edits_of(index: EditIndex, path: str) -> list[RecordedEdit]:
    found = [decoded(edit.edit) for _, edit in index.edits_of([path])]
    assert None not in found
    return [one for one in found if one is not None]


def test_each_edit_is_kept_as_digests_with_its_call_and_time(world: World, index: EditIndex) -> None:
    ada = world.agent("ada")
    call = ada.write("db.py", TEXT, agent="sub")

    update(index, world)

    [edit] = edits_of(index, f"{world.root}/db.py")
    assert (edit.call, edit.agent, edit.kind, edit.time) == (call, "sub", "write", world.time)
    assert [plain_digest(one) for one in edit.after] == [digest_of(line) for line in TEXT.splitlines()]
    [session] = index.sessions([1]).values()
    assert (about_of(session).title, session.folder) == ("ada at work", str(world.root))
    assert list(minutes_of(session)) == [BEGIN // MINUTE]


def test_no_text_of_a_file_or_a_command_is_in_the_index(world: World, index: EditIndex, tmp_path: Path) -> None:
    ada = world.agent("ada")
    ada.write("db.py", "password = 'correct horse'\n")
    ada.run("cat > a.py <<E\nbattery = staple\nE")

    update(index, world)

    kept = (tmp_path / "viewer" / "edits.sqlite").read_bytes()
    assert b"db.py" in kept
    assert not any(word in kept for word in (b"correct", b"battery", b"cat >"))


def test_what_failed_or_was_refused_changed_nothing(world: World, index: EditIndex) -> None:
    world.agent("ada").write("db.py", TEXT, is_error=True)

    update(index, world)

    assert index.paths_named("db.py") == []


def test_only_sessions_that_changed_are_read_again(world: World, index: EditIndex) -> None:
    ada, bob = world.agent("ada"), world.agent("bob")
    ada.write("a.py", TEXT)
    bob.write("b.py", TEXT)
    assert update(index, world).read == 2
    assert update(index, world).read == 0

    bob.write("c.py", TEXT)

    assert update(index, world).read == 1
    assert (ada.source.opened, bob.source.opened) == (1, 2)
    assert index.paths_named("c.py") == [f"{world.root}/c.py"]


def test_a_session_that_is_gone_is_forgotten(world: World, index: EditIndex) -> None:
    world.agent("ada").write("a.py", TEXT)
    update(index, world)

    world.agents.clear()
    update(index, world)

    assert index.stamps() == {}
    assert index.paths_named("a.py") == []


def test_a_source_that_was_not_listed_keeps_its_sessions(world: World, index: EditIndex) -> None:
    world.agent("ada").write("a.py", TEXT)
    update(index, world)

    update_index(index, [], [], {"codex"}, budget=Budget(), report=max)

    assert list(index.stamps()) == [SessionKey("claude", "ada")]


def test_ctrl_c_keeps_what_was_read(world: World, index: EditIndex, tmp_path: Path) -> None:
    for name in ("ada", "bob", "cyd"):
        world.agent(name).write(f"{name}.py", TEXT)

    def interrupt(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update(index, world, report=interrupt)
    index.close()

    assert len(EditIndex(tmp_path / "viewer").stamps()) == 2


def test_what_the_budget_does_not_allow_is_counted(world: World, index: EditIndex) -> None:
    for name in ("ada", "bob"):
        world.agent(name).write(f"{name}.py", TEXT)

    done = update(index, world, budget=Budget(seconds=0))

    assert (done.read, done.unread) == (0, 2)


def test_a_full_index_takes_in_no_more(world: World, index: EditIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqthink.library.viewer_store.edit_index.MAX_BYTES", 1)
    world.agent("ada").write("a.py", TEXT)

    done = update(index, world)

    assert (done.read, done.unread, done.is_full) == (0, 1, True)


def test_an_unreadable_session_is_counted_and_hurts_no_other(world: World, index: EditIndex) -> None:
    ada, bob = world.agent("ada"), world.agent("bob")
    bob.write("b.py", TEXT)

    class Broken(type(ada.source)):
        @override
        def open(self, found: FoundSession) -> WorkFeed:
            raise PermissionError(found.id)

    ada.source = Broken([])

    done = update(index, world)

    assert (done.read, done.unreadable) == (1, 1)


def test_a_moved_file_is_kept_under_both_names(world: World, index: EditIndex) -> None:
    ada = world.agent("ada")
    ada.write("a.py", TEXT)
    ada.run("mv a.py b.py")

    update(index, world)

    [named, moved] = edits_of(index, f"{world.root}/b.py")
    assert {named.kind, moved.kind} == {"command", "move"}
    assert [edit.kind for edit in edits_of(index, f"{world.root}/a.py")] == ["write", "command", "move"]


def test_a_journal_names_files_and_minutes(index: EditIndex, tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    native_journal().write(folder / "native.jsonl")

    update_index(index, [], list_sessions(folder), {"journal"}, budget=Budget(), report=max)

    [session] = index.sessions([1]).values()
    assert session.key == SessionKey("journal", "native")
    assert [path.rpartition("/")[2] for path in index.paths_named("report.py")] == ["report.py"]
    assert len(minutes_of(session)) > 1


def test_a_damaged_edit_is_left_out() -> None:
    edit = RecordedEdit(call="c1", time=5, path="/a", kind="edit")

    assert decoded(encoded(edit)) == edit
    assert decoded(encoded(edit)[:-1]) is None
    assert decoded(b"") is None


def test_the_index_is_saved_while_it_is_read(
    world: World, index: EditIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_reading, "_SAVE_SECONDS", 0)
    for name in ("ada", "bob"):
        world.agent(name).write(f"{name}.py", TEXT)
    seen: list[int] = []

    def report(_done: int, _total: int) -> None:
        seen.append(len(EditIndex(tmp_path / "viewer").stamps()))

    update(index, world, report=report)

    assert seen == [0, 1]
