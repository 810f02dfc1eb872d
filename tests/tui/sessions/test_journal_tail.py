"""The last lines of a journal, read backwards, whatever these lines hold."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.model import NativeKind
from seqthink.journal.decode import decode
from seqthink.library.live_session import load_journal
from tests.support.journals.build import JournalBuilder
from tui.sessions import journal_tail
from tui.sessions.journal_tail import read_tail


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_tail, "MIN_JOURNAL_BYTES", 1)
    monkeypatch.setattr(journal_tail, "TAIL_BYTES", 1 << 12)
    monkeypatch.setattr(journal_tail, "MAX_TAIL_BYTES", 1 << 16)


def texts(path: Path) -> list[str]:
    return [thought.text.text for thought in read_tail(path, decode)]


def test_the_newest_thoughts_are_there_as_their_lines_have_them(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for number in range(1, 200):
        journal.thought(f"Step {number}", number, 300)
    journal.thought("Back", 200, 300, revises=7, branch="cache", from_=3)
    path = journal.write(tmp_path / "a.jsonl")

    found, whole = read_tail(path, decode), load_journal(path).session
    newest = whole.thoughts.get(whole.thought_count - 1)
    assert 2 < len(found) < 100
    assert (found[-1].number, found[-1].revises, found[-1].branch, found[-1].is_revision) == (200, 7, "cache", True)
    assert (found[-1].offset, found[-1].time) == (
        whole.thoughts.line_extent_of(newest.index)[0],
        whole.thoughts.time_of(newest.index),
    )
    assert [thought.number for thought in found] == list(range(found[0].number, 201))


@pytest.mark.parametrize(
    "tail", [b'{"v":1,"seq":99,"time":"2026-03-10T14:02:00.000Z","type":"thought","th', b"", b"\x00"]
)
def test_a_torn_last_line_is_not_shown(tmp_path: Path, tail: bytes) -> None:
    path = JournalBuilder().session().thought("One", 1, 2).thought("Two", 2, 2).raw(tail).write(tmp_path / "a.jsonl")

    assert texts(path) == ["One", "Two"]


def test_corrupt_lines_are_left_out_and_those_around_them_are_not(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("One", 1, 3).raw(b"{]\n\n\xff\xfe\nnull\n").thought("Two", 2, 3)
    path = journal.raw(b'{"v":1,"seq":4,"type":"thought"}\n').write(tmp_path / "a.jsonl")

    assert texts(path) == ["One", "Two"]


def test_only_corrupt_lines_are_no_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{]\n" * 10_000)

    assert texts(path) == []


@pytest.mark.parametrize("size", [5000, 20_000, 60_000])
def test_a_line_longer_than_what_is_read_at_first_is_found(tmp_path: Path, size: int) -> None:
    path = JournalBuilder().session().thought("x" * size, 1, 2).end().write(tmp_path / "a.jsonl")

    assert [len(text) for text in texts(path)] == [size]


def test_a_line_longer_than_the_bound_is_left_to_the_whole_reading(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("x" * 70_000, 1, 2).write(tmp_path / "a.jsonl")

    assert texts(path) == []


def test_a_short_journal_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = JournalBuilder().session().thought("One", 1, 2).write(tmp_path / "a.jsonl")
    monkeypatch.setattr(journal_tail, "MIN_JOURNAL_BYTES", path.stat().st_size + 1)

    assert texts(path) == []


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_what_cannot_be_read_raises_an_error_of_the_system(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"."):
        read_tail(tmp_path / name, decode)


def test_native_reasoning_is_shown_only_without_thoughts_of_the_tool(tmp_path: Path) -> None:
    native = JournalBuilder().session().event("prompt", {"text": "Why?"}).event("reasoning", {"text": "Because"})
    native.event("reasoning", {}).event("action", {"tool": "Read"}).event("turn", {"text": "So it is"})
    alone = native.write(tmp_path / "a.jsonl")
    both = native.thought("Told", 1, 2).write(tmp_path / "b.jsonl")

    assert [(one.native, one.text.text) for one in read_tail(alone, decode)] == [
        (NativeKind.PROMPT, "Why?"),
        (NativeKind.REASONING, "Because"),
        (NativeKind.ANSWER, "So it is"),
    ]
    assert texts(both) == ["Told"]


@given(st.binary(max_size=6000), st.integers(1, 4000))
def test_any_bytes_are_read_without_an_error(tmp_path_factory: pytest.TempPathFactory, data: bytes, cut: int) -> None:
    whole = JournalBuilder().session().thought("One", 1, 2).thought("Two", 2, 2).data
    path = tmp_path_factory.mktemp("any") / "a.jsonl"
    path.write_bytes(whole[:cut] + data + whole[cut:])

    assert all(thought.offset >= 0 for thought in read_tail(path, decode))
