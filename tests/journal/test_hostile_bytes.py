"""Whatever bytes a journal holds: each good line comes out once, each bad one is named once, and nothing fails."""

import json
import re
import subprocess
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seqthink.cli.journal_output import unread_messages
from seqthink.core.errors import CorruptLineError, UsageError
from seqthink.core.events import Event, ThoughtEvent, UnknownEvent
from seqthink.drawing.detail.aside_page import AsidePage
from seqthink.drawing.plain import full_text_lines, overview_lines
from seqthink.drawing.text.spans import spans_text
from seqthink.journal import decode as codec
from seqthink.journal import resume
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.journal_file import JournalFile, looks_like_a_journal
from seqthink.journal.locked_journal import LockedJournal as WrittenFile
from seqthink.journal.maintenance.check import JournalCheck
from seqthink.journal.maintenance.repair import JournalRepair
from seqthink.journal.reader import Batch, JournalReader
from seqthink.library.live_session import load_journal
from seqthink.library.redacted_lines import decode_redacted
from seqthink.share.export.formats import FORMATS, format_writer
from tests.journal.test_reader import read_all
from tests.journal.test_writer import ABOUT, draft, forget, resumed
from tests.support.depth import sized
from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.journals.exports import invisible_chars
from tests.support.journals.hostile_bytes import CORRUPT, NEWER, READ, Part, files, lines, parts, torn
from tests.support.screens.terminal import Terminal, check_written
from tests.support.servers.commands import command, environment, seqthink
from tests.support.servers.wire import start, thought

KNOWN = {**READ, **NEWER, **CORRUPT}


def kind_of(line: bytes) -> str:
    try:
        return "unread" if isinstance(decode(line), UnknownEvent) else "event"
    except CorruptLineError:
        return "corrupt"


def written(folder: str, data: bytes, name: str = "a.jsonl") -> Path:
    path = Path(folder) / name
    path.write_bytes(data)
    return path


# One codec


@pytest.mark.parametrize("name", KNOWN)
def test_it_is_decided_what_a_line_is(name: str) -> None:
    kind = "event" if name in READ else "unread" if name in NEWER else "corrupt"

    assert kind_of(KNOWN[name]) == kind


@pytest.mark.parametrize("name", CORRUPT)
def test_a_reason_is_short_and_names_no_class_of_ours(name: str) -> None:
    with pytest.raises(CorruptLineError) as caught:
        decode(CORRUPT[name])

    assert 0 < len(caught.value.reason) <= 200


def test_what_a_loss_of_power_leaves_is_counted() -> None:
    with pytest.raises(CorruptLineError, match="1 NUL byte in it"):
        decode(CORRUPT["a NUL within"])
    with pytest.raises(CorruptLineError, match="512 NUL bytes in it"):
        decode(CORRUPT["NULs"])


def test_of_a_key_that_is_there_twice_the_last_counts_and_no_number_is_endless() -> None:
    twice, deep = decode(READ["a key twice"]), decode(READ["too large, in a place that is read"])

    assert isinstance(twice, ThoughtEvent)
    assert twice.thought == "y"
    assert msgspec.json.decode(msgspec.json.encode(deep))["arguments"] == {"a": 1.7976931348623157e308, "b": 0}


def _fast(line: bytes) -> Event | None:
    try:
        event = msgspec.json.Decoder(Event).decode(line)
        line.decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return event


def _slow(line: bytes) -> Event | UnknownEvent | None:
    try:
        return codec._decode_slowly(line, ValueError())  # pyright: ignore[reportPrivateUsage] - there is no public way to see it
    except CorruptLineError:
        return None


def _agree(line: bytes) -> None:
    fast = _fast(line)
    assert fast is None or fast == _slow(line)


@pytest.mark.parametrize("name", KNOWN)
def test_the_fast_way_and_the_slow_one_agree(name: str) -> None:
    _agree(KNOWN[name])


@given(lines)
def test_they_agree_on_lines_with_a_byte_turned(line: bytes) -> None:
    _agree(line)


# The reader


def _same(batch: Batch, file: list[Part]) -> None:
    offset, placed, corrupt = 0, list[tuple[int, int]](), list[tuple[int, int]]()
    for number, part in enumerate(file, 1):
        if part.kind == "corrupt":
            corrupt.append((number, offset))
        else:
            placed.append((offset, len(part.data)))
        offset += len(part.data) + 1
    assert [(place, size) for _, place, size in batch.events] == placed
    assert [(line.line_number, line.offset) for line in batch.corrupt_lines] == corrupt
    assert batch.unknown_count == sum(part.kind == "unread" for part in file)


@given(st.lists(parts, max_size=14), torn, st.sampled_from([sized(50, 1), 100, 1 << 20]))
def test_each_good_line_comes_out_once_in_its_place_and_each_bad_one_is_named_once(
    file: list[Part], tail: bytes, limit: int
) -> None:
    with TemporaryDirectory() as folder:
        data = b"".join(part.data + b"\n" for part in file)
        batch = read_all(JournalReader(written(folder, data + tail)), limit)

        _same(batch, file)
        journal = batch.journal
        assert journal is not None
        assert all(journal.read_event(offset, size) == event for event, offset, size in batch.events)
        checked = [
            one.line_number
            for one in JournalCheck(JournalFile.open(Path(folder) / "a.jsonl")).findings()
            if one.is_error
        ]
        named = [line.line_number for line in batch.corrupt_lines]
        assert [number for number in checked if number in named] == named


@given(st.lists(parts, max_size=8), st.lists(st.integers(0, 3000), max_size=6))
def test_a_file_that_grows_in_any_pieces_gives_the_same(file: list[Part], cuts: list[int]) -> None:
    data = b"".join(part.data + b"\n" for part in file)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    with TemporaryDirectory() as folder:
        path, whole = written(folder, b""), Batch([], 0, [])
        reader = JournalReader(path)
        for begin, end in pairwise(places):
            with path.open("ab") as grown:
                grown.write(data[begin:end])
            more = read_all(reader, 400)
            assert more.restarted is None
            whole = Batch(
                [*whole.events, *more.events],
                whole.unknown_count + more.unknown_count,
                whole.corrupt_lines + more.corrupt_lines,
            )

        _same(whole, file)


# What reads it


@given(files, st.sampled_from([decode, decode_redacted]))
def test_every_command_shows_what_can_be_read_or_says_that_it_is_no_journal(data: bytes, decoding: LineDecoder) -> None:
    with TemporaryDirectory() as folder:
        path = written(folder, data)
        if not looks_like_a_journal(JournalFile.open(path)):
            with pytest.raises(UsageError, match="is not a seqthink journal"):
                load_journal(path, decoding)
            return
        texts = load_journal(path, decoding)
        session = texts.session
        refused = [
            spans_text(spans)
            for number in range(session.asides.refused_count)
            for spans in AsidePage(session=session, texts=texts, ordinal=number, width=80).lines()
        ]
        for is_timeline in (False, True):
            shown = overview_lines(texts, width=100, is_timeline=is_timeline)
            assert not invisible_chars("".join([*shown, *full_text_lines(texts, width=100), *refused]))
        assert all(len(sentence) < 1000 for sentence in unread_messages(session, texts.corrupt_lines))
        for form in FORMATS:
            assert "".join(format_writer(form)(texts))


@given(files)
def test_a_repaired_copy_of_anything_is_right(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = written(folder, data)
        copy = written(folder, b"".join(JournalRepair(JournalFile.open(path), "lost").lines()), "copy.jsonl")

        assert [one for one in JournalCheck(JournalFile.open(copy)).findings() if one.is_error] == []
        assert path.read_bytes() == data


@pytest.mark.parametrize("name", READ)
def test_a_copy_of_one_line_that_is_read_is_right(name: str, tmp_path: Path) -> None:
    path = written(str(tmp_path), READ[name] + b"\n")
    copy = written(str(tmp_path), b"".join(JournalRepair(JournalFile.open(path), "lost").lines()), "copy.jsonl")

    assert [one for one in JournalCheck(JournalFile.open(copy)).findings() if one.is_error] == []
    assert len(read_all(JournalReader(copy)).events) == 2


# The server


def _recalled(path: Path) -> tuple[list[Mapping[str, Any]], resume.ResumeResult]:
    file, recalled = WrittenFile.open(path, lambda _: None), list[Mapping[str, Any]]()
    try:
        found = resume.read_events(file, lambda event, _offset, _size: recalled.append(event))
        return [event for event in recalled if event["type"] == "thought"], found
    finally:
        file.close()


@given(files)
@example(b"\xc2\n")
def test_a_server_that_goes_on_remembers_what_a_reader_reads(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = written(folder, data)
        before = read_all(JournalReader(path))
        thoughts, found = _recalled(path)

        assert path.read_bytes() == data[: len(data) - found.torn_bytes]
        assert [one["thought"] for one in thoughts] == [
            event.thought for event, _, _ in before.events if isinstance(event, ThoughtEvent)
        ]

        server = resumed(path)
        server.begin(ABOUT, forget)
        server.append([draft("goes on")])
        server.end("eof")
        after = read_all(JournalReader(path))

        assert len(after.events) == len(before.events) + 3
        assert after.corrupt_lines == before.corrupt_lines
        seqs = [event.seq for event, _, _ in after.events if not isinstance(event, UnknownEvent)]
        assert seqs[-3:] == [seqs[-3], seqs[-3] + 1, seqs[-3] + 2]
        assert seqs[-3] > max(seqs[:-3], default=0)


# The commands, on a file of every kind of line


@pytest.fixture
def every(seqthink_home: Path) -> Path:
    """Return a journal of all of them in the folder of the journals, torn at its end."""
    (seqthink_home / "sessions").mkdir()
    head = JournalBuilder().session().thought("one", 1, 3).data
    data = head + b"".join(line + b"\n" for line in KNOWN.values()) + b'\xef\xbb\xbf{"v":1'
    return written(str(seqthink_home / "sessions"), data, f"{SESSION}.jsonl")


def test_check_names_every_bad_line_and_its_copy_is_right(every: Path) -> None:
    data = every.read_bytes()
    [report] = json.loads(seqthink("check", "last", "--repair", "--json").stdout)
    found = {one["line"]: one["offset"] for one in report["findings"] if one["wrong"]}
    offsets = [0, *(match.end() for match in re.finditer(b"\n", data))]
    first = 3 + len(READ) + len(NEWER)

    assert {number: offsets[number - 1] for number in range(first, first + len(CORRUPT) + 1)}.items() <= found.items()
    assert report["copy"] == str(every.with_suffix(".repaired.jsonl"))
    assert every.read_bytes() == data
    assert json.loads(seqthink("check", report["copy"], "--json").stdout)[0]["wrong"] == 0


def test_a_server_goes_on_in_it_and_counts_what_readers_see(every: Path) -> None:
    seen = sum(isinstance(event, ThoughtEvent) for event, _, _ in read_all(JournalReader(every)).events)
    with start("--resume", SESSION) as wire:
        answer = wire.call(thought())
        wire.hang_up()
        assert wire.status() == 0

    assert answer["structuredContent"]["thoughtHistoryLength"] == seen + 1
    assert read_all(JournalReader(every)).corrupt_lines[-1].line_number == 2 + len(KNOWN)


def test_what_comes_in_on_a_pipe_in_pieces_is_printed_to_its_end(every: Path) -> None:
    done = subprocess.run(
        command("watch", "-"), input=every.read_bytes(), env=environment(), capture_output=True, check=False
    )
    printed = done.stdout.decode()

    assert done.returncode == 0
    assert printed.count("\n") > len(READ) / 2
    assert not invisible_chars(printed.replace("\n", ""))
    assert not invisible_chars(done.stderr.decode().replace("\n", ""))


def test_the_viewer_walks_over_it_from_end_to_end(every: Path) -> None:
    with Terminal(command("watch", every), (140, 40)) as terminal:
        terminal.until("one")
        terminal.type("g" + "j" * 40 + "tGgd\r" + "q" * 2)
        terminal.type("\x03")
        assert terminal.end() == 0
    check_written(terminal.text)
