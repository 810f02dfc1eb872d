"""Marks of thoughts, kept between two runs of the viewer."""

import json
import stat
from pathlib import Path

import pytest

from seqthink.core.errors import UsageError
from seqthink.library.viewer_store.forgetting import forget_sessions
from seqthink.library.viewer_store.marks import MAX_TEXT_CHARS, Mark, Marks
from seqthink.library.viewer_store.read_state import ReadState

A, B = Mark("a", 4, marked=10, name="shop", number=3, text="Layers"), Mark("b", 7, marked=20, text="x")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "viewer"


def test_marks_are_listed_with_the_newest_first(folder: Path) -> None:
    marks = Marks(folder)
    assert (marks.all(), marks.seqs("a")) == ([], frozenset())
    marks.add(A)
    marks.add(B)

    assert marks.all() == [B, A]
    assert (marks.seqs("a"), marks.seqs("c")) == ({4}, frozenset())


def test_a_mark_that_was_taken_away_is_gone_for_every_viewer(folder: Path) -> None:
    marks, others = Marks(folder), Marks(folder)
    marks.add(A)
    assert others.all() == [A]
    others.remove("a", 4)

    assert marks.all() == []
    marks.add(A._replace(marked=30))
    assert others.all() == [A._replace(marked=30)]


def test_what_is_kept_is_private_and_short(folder: Path) -> None:
    Marks(folder).add(A._replace(text="x" * 1000, name="é\x1b[2J\ud800"))

    [mark] = Marks(folder).all()
    assert (len(mark.text), mark.name) == (MAX_TEXT_CHARS, "é\x1b[2J\ud800")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_lines_that_are_no_marks_are_left_out(folder: Path) -> None:
    Marks(folder).add(A)
    strange: list[object] = [{"session": 3, "seq": 1}, {"session": "a", "seq": True}, {"session": "a", "seq": -1}, "x"]
    odd_fields = {"session": "b", "seq": 7, "marked": 20, "text": "x", "name": 3, "number": "7", "more": 1}
    with (folder / "marks.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in [*strange, odd_fields])
        file.write("broken\n")

    assert Marks(folder).all() == [B, A]


def test_a_file_with_mostly_outdated_lines_is_made_small(folder: Path) -> None:
    marks = Marks(folder)
    marks.add(A)
    line = json.dumps({"session": "b", "seq": 1, "removed": True}) + "\n"
    with (folder / "marks.jsonl").open("a", encoding="utf-8") as file:
        file.write(line * 1100)

    assert marks.all() == [A]
    assert (folder / "marks.jsonl").read_text(encoding="utf-8").count("\n") == 1


def test_a_forgotten_session_leaves_nothing_behind(folder: Path) -> None:
    Marks(folder).add(A)
    Marks(folder).add(B)
    ReadState(folder).mark_read("a", 3)
    ReadState(folder).mark_read("b", 3)
    forget_sessions(folder, {"a"})

    assert Marks(folder).all() == [B]
    assert (ReadState(folder).seen_count("a"), ReadState(folder).seen_count("b")) == (0, 3)
    assert b'"a"' not in b"".join(path.read_bytes() for path in folder.iterdir())


def test_nothing_is_made_to_forget_what_was_never_kept(folder: Path) -> None:
    forget_sessions(folder, {"a"})

    assert not folder.exists()


def test_marks_in_a_file_that_is_a_link_are_refused(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (folder / "marks.jsonl").symlink_to(tmp_path / "elsewhere")

    with pytest.raises((OSError, UsageError)):
        Marks(folder).all()
