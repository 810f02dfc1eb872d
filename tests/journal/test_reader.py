import os
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.errors import CorruptLineError, UsageError
from seqthink.core.events import ThoughtEvent
from seqthink.journal import scan
from seqthink.journal.journal_file import JournalFile, require_journal
from seqthink.journal.reader import Batch, JournalReader, LocatedEvent
from tests.support.depth import sized
from tests.support.journals.build import JournalBuilder, shop_api

JOURNALS = Path(__file__).parent.parent / "journals"


def read_all(reader: JournalReader, limit: int = 1 << 20) -> Batch:
    """Read to the end and return one batch of all."""
    batch = reader.read(limit)
    while not batch.at_end:
        more = reader.read(limit)
        if more.restarted:
            batch = more
            continue
        batch = more._replace(
            events=[*batch.events, *more.events],
            unknown_count=batch.unknown_count + more.unknown_count,
            corrupt_lines=batch.corrupt_lines + more.corrupt_lines,
            restarted=batch.restarted,
        )
    return batch


def texts(batch: Batch) -> list[str]:
    return [event.thought for event, _, _ in batch.events if isinstance(event, ThoughtEvent)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_every_event_comes_once_with_its_place(path: Path) -> None:
    data = shop_api().write(path).read_bytes()
    reader = JournalReader(path)

    batch = reader.read()

    assert [event for event, _, _ in batch.events] == shop_api().events
    assert [data[offset : offset + size + 1] for _, offset, size in batch.events] == shop_api().lines
    assert batch.at_end
    assert not reader.read().has_news


@pytest.mark.parametrize("name", ["corrupt", "hostile", "unknown", "full", "torn"])
@pytest.mark.parametrize("limit", [1, 7, 100, 4096])
def test_the_size_of_a_look_changes_nothing(name: str, limit: int) -> None:
    path = JOURNALS / f"{name}.jsonl"

    assert read_all(JournalReader(path), limit)[:3] == read_all(JournalReader(path))[:3]


@given(cuts=st.lists(st.integers(0, 5000), max_size=12))
def test_every_way_of_growing_gives_the_same_events(tmp_path_factory: pytest.TempPathFactory, cuts: list[int]) -> None:
    data = (JOURNALS / "shop-api.jsonl").read_bytes()
    path = tmp_path_factory.mktemp("grow") / "journal.jsonl"
    reader = JournalReader(path)
    found: list[LocatedEvent] = []
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]

    for begin, end in pairwise(places):
        append(path, data[begin:end])
        batch = read_all(reader)
        assert batch.restarted is None
        found += batch.events

    assert [event for event, _, _ in found] == shop_api().events


def test_a_torn_line_waits_for_its_newline(path: Path) -> None:
    line = JournalBuilder().thought("Whole in the end").lines[0]
    path.write_bytes(line[:40])
    reader = JournalReader(path)

    assert reader.read() == Batch([], 0, [], journal=reader.read().journal)
    append(path, line[40:-1])
    assert not reader.read().has_news
    append(path, b"\n")
    assert texts(reader.read()) == ["Whole in the end"]


def test_a_torn_line_that_is_cut_off_again_is_no_truncation(path: Path) -> None:
    builder = JournalBuilder().thought("One").thought("Two")
    path.write_bytes(builder.lines[0] + builder.lines[1][:50])
    reader = JournalReader(path)
    read_all(reader)

    os.truncate(path, len(builder.lines[0]))
    assert not reader.read().has_news
    append(path, builder.lines[1])
    batch = reader.read()

    assert texts(batch) == ["Two"]
    assert batch.restarted is None


def test_a_long_torn_line_that_is_cut_off_and_rewritten_comes_out_whole(path: Path) -> None:
    long = JournalBuilder().thought("x" * 5000).lines[0]
    path.write_bytes(long[:4000])
    reader = JournalReader(path)
    read_all(reader, limit=1000)

    builder = JournalBuilder().thought("Short").thought("y" * 6000)
    path.write_bytes(builder.data)
    batch = read_all(reader, limit=1000)

    assert texts(batch) == ["Short", "y" * 6000]
    assert batch.restarted is None


@pytest.mark.parametrize("size", [0, 200])
def test_a_truncated_journal_starts_over(path: Path, size: int) -> None:
    shop_api().write(path)
    reader = JournalReader(path)
    read_all(reader)

    os.truncate(path, size)
    batch = reader.read()

    assert batch.restarted == "truncated"
    assert not batch.events


def test_a_journal_that_was_truncated_and_has_grown_again_starts_over(path: Path) -> None:
    JournalBuilder().thought("One").thought("Two").write(path)
    reader = JournalReader(path)
    read_all(reader)

    rewritten = JournalBuilder().thought("One").thought("Other").thought("Three")
    path.write_bytes(rewritten.data)
    batch = reader.read()

    assert batch.restarted == "rewritten"
    assert texts(batch) == ["One", "Other", "Three"]


def test_a_changed_beginning_is_noticed(path: Path) -> None:
    shop_api().write(path)
    reader = JournalReader(path)
    read_all(reader)

    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"?")

    assert reader.read().restarted == "rewritten"


def test_a_replaced_journal_is_read_to_its_end_and_then_the_new_one(path: Path) -> None:
    JournalBuilder().thought("Old").write(path)
    reader = JournalReader(path)
    read_all(reader)
    append(path, JournalBuilder().thought("Old, last").data)
    other = JournalBuilder().thought("New").write(path.with_name("other"))
    other.replace(path)

    last = reader.read()
    first = reader.read()

    assert (texts(last), last.restarted, last.at_end) == (["Old, last"], None, False)
    assert (texts(first), first.restarted, first.at_end) == (["New"], "replaced", True)


def test_a_journal_that_is_not_there_yet_is_gone_until_it_comes(path: Path) -> None:
    reader = JournalReader(path)

    assert reader.read().gone
    JournalBuilder().thought("First").write(path)
    batch = reader.read()

    assert texts(batch) == ["First"]
    assert not batch.gone
    assert batch.restarted is None


def test_a_deleted_journal_is_gone_and_its_texts_can_still_be_read(path: Path) -> None:
    JournalBuilder().thought("Still here").write(path)
    reader = JournalReader(path)
    event, offset, size = read_all(reader).events[0]

    path.unlink()
    batch = reader.read()

    assert batch.gone
    assert not batch.has_news
    assert batch.journal is not None
    assert batch.journal.read_event(offset, size) == event


def test_a_deleted_journal_that_comes_back_starts_over(path: Path) -> None:
    JournalBuilder().thought("Old").write(path)
    reader = JournalReader(path)
    read_all(reader)
    path.unlink()
    reader.read()

    JournalBuilder().thought("New").write(path)
    batch = reader.read()

    assert (texts(batch), batch.restarted, batch.gone) == (["New"], "replaced", False)


def test_a_journal_that_was_moved_away_and_back_goes_on(path: Path) -> None:
    JournalBuilder().thought("Old").write(path)
    reader = JournalReader(path)
    read_all(reader)

    path.rename(path.with_name("away"))
    assert reader.read().gone
    path.with_name("away").rename(path)

    assert reader.read() == Batch([], 0, [], journal=reader.read().journal)


def test_corrupt_lines_are_named_by_number_and_place(path: Path) -> None:
    builder = JournalBuilder().thought("One").raw(b"\n").raw(b"{}\n").thought("Two").raw(b"\r\n").write(path)
    data = builder.read_bytes()
    reader = JournalReader(path)

    first = reader.read()
    append(path, b"later\n")
    second = reader.read()

    assert texts(first) == ["One", "Two"]
    assert [(c.line_number, c.reason) for c in first.corrupt_lines] == [
        (2, "blank line"),
        (3, "no version: `v` must be an integer above 0"),
        (5, "blank line"),
    ]
    assert data[first.corrupt_lines[1].offset :].startswith(b"{}\n")
    assert [(c.line_number, c.offset) for c in second.corrupt_lines] == [(6, len(data))]


def test_lines_of_a_newer_version_are_counted() -> None:
    batch = read_all(JournalReader(JOURNALS / "unknown.jsonl"))

    assert batch.unknown_count == 4
    assert texts(batch) == ["Known, with a field from later", "Known again"]


def test_a_line_over_the_limit_is_corrupt_and_the_next_one_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MAX_LINE_BYTES", 10_000)
    JournalBuilder().thought("One").thought("x" * 20_000).thought("Three").write(path)
    reader = JournalReader(path)

    batch = read_all(reader, limit=1000)

    assert texts(batch) == ["One", "Three"]
    assert [c.line_number for c in batch.corrupt_lines] == [2]
    assert batch.corrupt_lines[0].reason.startswith("line too long: 20")
    assert reader.read().restarted is None


@pytest.mark.deep  # it measures time
def test_a_line_of_many_megabytes_that_grows_bit_by_bit_costs_no_more_than_its_length(path: Path) -> None:
    line = JournalBuilder().thought("x" * (50 << 20)).lines[0]
    reader = JournalReader(path)
    spent, sizes = 0.0, list[int]()
    for begin in range(0, len(line), 1 << 18):
        append(path, line[begin : begin + (1 << 18)])
        start = time.process_time()
        sizes += [size for _, _, size in read_all(reader).events]
        spent += time.process_time() - start

    # Reading it whole at each of the 200 looks would be five gigabytes, several seconds.
    assert sizes == [len(line) - 1]
    assert spent < 1.5
    assert sum(map(len, JournalFile.open(path).read_text(0, len(line) - 1))) == 50 << 20


def test_a_journal_file_reads_one_event_by_its_place(path: Path) -> None:
    builder = shop_api()
    builder.write(path)
    file = JournalFile.open(path)

    event = file.read_event(len(builder.lines[0]), len(builder.lines[1]) - 1)

    assert event == builder.events[1]
    with pytest.raises(CorruptLineError):
        file.read_event(3, 40)
    file.close()
    file.close()


@pytest.mark.parametrize("name", ["minimal", "full", "unknown", "corrupt", "hostile", "shop-api", "torn"])
def test_a_journal_is_not_refused(name: str) -> None:
    require_journal(JOURNALS / f"{name}.jsonl")


@pytest.mark.parametrize("data", [b"", b'{"v":1,"seq":1,"ti'])
def test_a_file_without_a_complete_line_may_become_a_journal(path: Path, data: bytes) -> None:
    path.write_bytes(data)

    require_journal(path)


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x00\n\x00",
        b'{"name": "package"}\n',
        b"[1, 2]\n",
        b"Hello",
        b"\n\n\n",
        b"\x00" * 100_000,
    ],
)
def test_another_file_is_refused_in_one_line_that_says_what_to_do(path: Path, data: bytes) -> None:
    path.write_bytes(data)

    with pytest.raises(UsageError, match="is not a seqthink journal; name a session or a file"):
        require_journal(path)


def test_a_folder_a_pipe_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(UsageError, match=r"is a folder; name a session or a journal"):
        require_journal(tmp_path)
    with pytest.raises(UsageError, match=r"is not a regular file; name a session or a journal"):
        require_journal(tmp_path / "pipe")
    with pytest.raises(UsageError, match=r"no such file; name a session or a journal"):
        require_journal(tmp_path / "missing.jsonl")


@pytest.mark.slow  # megabytes of text
@given(
    sizes=st.lists(st.sampled_from([1, 300, 60_000, 66_000, 130_000, 300_000]), max_size=sized(4, 8)),
    mark=st.sampled_from(["x", "é", "\ud83d\ude00"]),
    tail=st.sampled_from([b"", b'{"v":1', b'{"v":1' + b"x" * 70_000]),
    limit=st.sampled_from([10_000, 64 << 10, 256 << 10, 1 << 20]),
)
def test_lines_of_any_length_come_out_once_in_slices_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], mark: str, tail: bytes, limit: int
) -> None:
    builder, path = JournalBuilder(), tmp_path_factory.mktemp("pieces") / "a.jsonl"
    for size in sizes:
        builder.thought(mark * size).thought("short")
    path.write_bytes(builder.data + tail)

    found = read_all(JournalReader(path), limit)

    assert b"".join(builder.data[start : start + size + 1] for _, start, size in found.events) == builder.data
    assert (found.corrupt_lines, len(found.events)) == ([], 2 * len(sizes))
