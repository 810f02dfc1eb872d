"""A journal that changes while it is read: every surface shows one file, and never a mixture of two."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import seqthink
from seqthink.cli.live_print import LivePrinter
from seqthink.core.errors import JournalNotFoundError
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.reader import Batch, JournalReader
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.journal_feed import JournalFeed
from seqthink.library.live_session import load_journal
from seqthink.library.session_counting import count_session
from seqthink.library.summary import summarize
from seqthink.share.shipping.card_fold import CardFold
from tests.support.journals.build import START, JournalBuilder

Change = Callable[[Path], None]
SLICE_BYTES = 1500
"""Some lines of the journals here."""


def journal(word: str, thoughts: int) -> bytes:
    """Return a journal whose thoughts begin with ``word``."""
    builder = JournalBuilder().session()
    for number in range(1, thoughts + 1):
        builder.thought(f"{word} {number}", number, thoughts, next=number < thoughts)
    return builder.data


def loaded(path: Path) -> list[str]:
    texts = load_journal(path)
    return [texts.thought(index) for index in range(texts.session.thought_count)]


def opened(path: Path) -> list[str]:
    with seqthink.open_journal(path) as session:
        return [thought.text for thought in session.thoughts]


def fed(path: Path) -> list[str]:
    feed, reader = JournalFeed(path), JournalReader(path)
    while not feed.is_caught_up:
        feed.add_batch(reader.read(SLICE_BYTES))
    assert feed.texts is not None
    session = feed.session
    return [feed.texts.thought(index) for index in range(session.thought_count)]


def printed(path: Path) -> list[str]:
    printer, reader, at_end = LivePrinter(width=100, signs=UNICODE), JournalReader(path), False
    while not at_end:
        batch = reader.read(SLICE_BYTES)
        list(printer.feed(batch))
        at_end = batch.at_end
    return ["" for _ in range(printer.session.thought_count)]


def counted(path: Path) -> list[str]:
    found = count_session(path, "s")
    assert found is not None
    return ["" for _ in range(found.thoughts)]


def summarised(path: Path) -> list[str]:
    found = summarize(SessionFile("s", path, path.stat().st_size, START))
    assert found is not None
    return [*("" for _ in range(found.thoughts - 1)), found.newest]


def carded(path: Path) -> list[str]:
    fold, file = CardFold(), JournalFile.open(path)
    while not fold.read(file, SLICE_BYTES):
        file = JournalFile.open(path)
    card = fold.card(file, 0, is_alive=False, lines=0, takes_notes=False, signed=False)
    return [*("" for _ in range(card.thoughts - 1)), card.newest]


SURFACES = (loaded, opened, fed, printed, counted, summarised, carded)


def after_first_read(monkeypatch: pytest.MonkeyPatch, path: Path, change: Change) -> None:
    """Read in small slices, and let the file change after the first one."""
    read, reads = JournalReader.read, 0

    def sliced(self: JournalReader, _limit: int = 0) -> Batch:
        nonlocal reads
        batch = read(self, SLICE_BYTES)
        reads += 1
        if reads == 1:
            change(path)
        return batch

    monkeypatch.setattr(JournalReader, "read", sliced)
    fold_read = CardFold.read

    def sliced_card(self: CardFold, file: JournalFile, limit: int = 0) -> bool:
        nonlocal reads
        at_end = fold_read(self, file, limit)
        reads += 1
        if reads == 1:
            change(path)
        return at_end

    monkeypatch.setattr(CardFold, "read", sliced_card)


def rewrite(path: Path) -> None:
    path.write_bytes(journal("new", 20))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(journal("new", 20))
    other.replace(path)


def cut(path: Path) -> None:
    path.write_bytes(journal("new", 3))


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(journal("new", 40).splitlines(keepends=True)[-1])


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(
    ("change", "thoughts", "newest"),
    [(rewrite, 20, "new 20"), (replace, 20, "new 20"), (cut, 3, "new 3"), (grow, 41, "new 40")],
)
def test_a_journal_that_changes_while_it_is_read_is_one_journal(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    surface: Callable[[Path], list[str]],
    change: Change,
    thoughts: int,
    newest: str,
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(journal("old", 40))
    after_first_read(monkeypatch, path, change)

    shown = surface(path)

    assert len(shown) == thoughts
    assert shown[-1] in {newest, ""}
    if change is not grow:
        assert not [text for text in shown if text.startswith("old")]


@pytest.mark.parametrize("surface", [loaded, opened, fed])
def test_a_journal_that_is_deleted_while_it_is_read_is_shown_as_far_as_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, surface: Callable[[Path], list[str]]
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(journal("old", 40))
    after_first_read(monkeypatch, path, os.unlink)

    assert surface(path)[:2] == ["old 1", "old 2"]


def test_a_journal_that_is_deleted_just_before_it_is_read_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(journal("old", 1))
    read = JournalReader.read

    def gone(self: JournalReader, limit: int = 1 << 20) -> Batch:
        path.unlink(missing_ok=True)
        return read(self, limit)

    monkeypatch.setattr(JournalReader, "read", gone)

    with pytest.raises(JournalNotFoundError, match="no such file"):
        load_journal(path)
