"""A journal that cannot be read for a while: followers say so, go on afterwards, and lose and double nothing."""

from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import anyio
import pytest

from seqthink.core.events import ThoughtEvent
from seqthink.journal.follow import file_subject, follow
from seqthink.journal.reader import Batch, JournalReader
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import straight
from tests.support.journals.read_faults import ERRORS, IMPOSTORS, FailingReads, Impostor


def texts(batch: Batch) -> list[str]:
    return [event.thought for event, _, _ in batch.events if isinstance(event, ThoughtEvent)]


def append(path: Path, text: str) -> None:
    with path.open("ab") as file:
        file.write(JournalBuilder().thought(text, 1, 9).data)


async def _followed_through(path: Path, fail: Callable[[], Path], put_right: Callable[[], None]) -> None:
    """Follow a journal, make it unreadable, and let it grow and be read again."""
    JournalBuilder().session().thought("Before", 1, 9).write(path)
    seen: list[str] = []
    with anyio.fail_after(30):
        async with aclosing(follow(path)) as batches:
            assert texts(await anext(batches)) == ["Before"]
            append(fail(), "Meanwhile")
            trouble = ""
            while not trouble:  # what is appended to a file that is still open may come before
                batch = await anext(batches)
                seen, trouble = seen + texts(batch), batch.trouble
            put_right()
            while "Meanwhile" not in seen:
                seen += texts(await anext(batches))
            append(path, "After")
            while "After" not in seen:
                seen += texts(await anext(batches))

    assert seen == ["Meanwhile", "After"]
    assert trouble.startswith("cannot read journal.jsonl: ")
    assert trouble.endswith("; trying again")


@pytest.mark.parametrize("kind", IMPOSTORS)
async def test_what_stands_in_a_journal_s_place_for_a_moment_ends_no_follower(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "journal.jsonl"
    impostors: list[Impostor] = []

    def fail() -> Path:
        impostors.append(Impostor(path, kind))
        return impostors[0].journal

    def put_right() -> None:
        impostors[0].leave()

    await _followed_through(path, fail, put_right)


@pytest.mark.slow  # waits for the next look at the file
@pytest.mark.parametrize("code", ERRORS)
async def test_an_error_of_the_system_ends_no_follower(
    tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    faults: list[FailingReads] = []

    def fail() -> Path:
        faults.append(FailingReads(monkeypatch, code))
        return path

    def put_right() -> None:
        faults[0].is_on = False

    await _followed_through(path, fail, put_right)


async def test_a_follower_that_finds_a_circle_of_links_waits_for_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    IMPOSTORS["link loop"](path)
    with anyio.fail_after(30):
        async with aclosing(follow(path)) as batches:
            assert (await anext(batches)).trouble
            path.unlink()
            JournalBuilder().session().thought("Here", 1, 9).write(path)
            while "Here" not in texts(await anext(batches)):
                pass

    assert file_subject(path).folder == path.parent.resolve()


@pytest.mark.parametrize("reads", range(16))
def test_a_read_that_fails_half_way_loses_and_doubles_nothing(
    tmp_path: Path, reads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = straight(1500)  # several pieces of a batch
    path = journal.write(tmp_path / "journal.jsonl")
    fault, reader, seen = FailingReads(monkeypatch, "EIO", after=reads), JournalReader(path), list[Batch]()

    while not (seen and (seen[-1].trouble or (seen[-1].at_end and not seen[-1].has_news))):
        seen.append(reader.look())
    fault.is_on = False
    while not seen[-1].at_end:
        seen.append(reader.look())

    offsets = [offset for batch in seen for _, offset, _ in batch.events]
    assert len(offsets) == journal.seq
    assert offsets == sorted(set(offsets))


def test_a_replaced_journal_whose_first_read_fails_still_starts_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = JournalBuilder().session().thought("Old", 1, 9).write(tmp_path / "journal.jsonl")
    reader = JournalReader(path)
    reader.look()
    JournalBuilder().session().thought("New", 1, 9).write(tmp_path / "other").replace(path)
    # The old file is read three times: its two ends, and for more. The next read is the first one of the new file.
    fault = FailingReads(monkeypatch, "EIO", after=3)
    trouble = reader.look().trouble
    fault.is_on = False
    batch = reader.look()

    assert trouble == "cannot read journal.jsonl: input/output error; trying again"
    assert (batch.restarted, texts(batch)) == ("replaced", ["New"])
