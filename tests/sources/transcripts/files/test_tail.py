import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.sources.transcripts.files.tail import JsonlTail, TailRead


def everything(_line: bytes) -> bool:
    return True


def tail_of(path: Path, wants: Callable[[bytes], bool] = everything, max_line_bytes: int = 1 << 20) -> JsonlTail:
    return JsonlTail(path, wants, max_line_bytes)


def read_all(tail: JsonlTail, limit_bytes: int) -> list[TailRead]:
    reads = [tail.read(limit_bytes)]
    while not reads[-1].at_end:
        reads.append(tail.read(limit_bytes))
    return reads


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as out:
        out.write(data)


def test_each_line_is_returned_once_and_a_torn_one_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}\n\n{"b"')
    tail = tail_of(path)

    assert tail.read(1000).lines == [b'{"a":1}']
    append(path, b":2}")
    assert tail.read(1000).lines == []
    append(path, b'\n{"c":3}\n')
    read = tail.read(1000)
    assert (read.lines, read.seen, read.at_end) == ([b'{"b":2}', b'{"c":3}'], 2, True)
    assert tail.read(1000).lines == []


def test_lines_that_are_not_wanted_are_seen_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"yes\nno\nyes\n")
    read = tail_of(path, lambda line: line == b"yes").read(1000)

    assert (read.lines, read.seen) == ([b"yes", b"yes"], 3)


@pytest.mark.parametrize("chunk", [1, 7, 64, 10_000])
def test_a_line_that_is_too_long_is_passed_over_and_counted(tmp_path: Path, chunk: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"before\n" + b"x" * 101 + b"\n" + b"y" * 100 + b"\nafter\n" + b"z" * 300)
    tail = tail_of(path, max_line_bytes=100)
    reads = read_all(tail, chunk)

    assert [line for read in reads for line in read.lines] == [b"before", b"y" * 100, b"after"]
    assert sum(read.too_long for read in reads) == 1
    append(path, b"z\nlast\n")
    later = read_all(tail, chunk)
    assert [line for read in later for line in read.lines] == [b"last"]
    assert sum(read.too_long for read in later) == 1


def test_a_line_that_is_too_long_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 5000)
    tail = tail_of(path, max_line_bytes=100)
    read_all(tail, 64)

    assert tail._torn == []  # pyright: ignore[reportPrivateUsage] - nothing public shows what is kept


def shortened(path: Path) -> None:
    os.truncate(path, 3)


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def rewritten_at_its_head(path: Path) -> None:
    path.write_bytes(b"ONE\ntwo\nthree\nfour\n")


def rewritten_at_its_end(path: Path) -> None:
    path.write_bytes(b"one\ntwo\nTHREE\nfour\n")


@pytest.mark.parametrize("change", [shortened, replaced, rewritten_at_its_head, rewritten_at_its_end])
def test_a_file_that_was_replaced_or_cut_short_is_read_again(tmp_path: Path, change: Callable[[Path], None]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\ntwo\nthree\n")
    tail = tail_of(path)
    assert not tail.read(1000).restarted
    change(path)
    read = tail.read(1000)

    assert read.restarted
    assert read.lines == path.read_bytes().split(b"\n")[:-1]
    assert not tail.read(1000).restarted


def test_what_did_not_change_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")
    tail = tail_of(path)

    assert not tail.is_unchanged()
    tail.read(1000)
    assert tail.is_unchanged()
    append(path, b"two\n")
    assert not tail.is_unchanged()
    path.unlink()
    assert not tail.is_unchanged()


def test_links_pipes_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"one\n")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    for name in ("link", "pipe", "folder", "missing"):
        with pytest.raises(OSError, match=name):
            tail_of(tmp_path / name).read(1000)


def test_another_user_s_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)

    with pytest.raises(PermissionError, match="another user"):
        tail_of(path).read(1000)


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")
    for _ in range(50):
        tail_of(path).read(1000)
    free = os.open(path, os.O_RDONLY)
    os.close(free)

    for _ in range(50):
        tail_of(path).read(1000)
    assert os.open(path, os.O_RDONLY) == free
    os.close(free)


PIECES = st.lists(st.sampled_from([b"a", b"bb", b"\n", b"\n", b"{}", b" "]), max_size=40)


@given(data=PIECES.map(b"".join), limit=st.integers(1, 9))
def test_the_lines_do_not_depend_on_how_they_are_read(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, limit: int
) -> None:
    path = tmp_path_factory.mktemp("tail") / "a.jsonl"
    path.write_bytes(data)
    whole = read_all(tail_of(path), 1 << 20)
    pieces = read_all(tail_of(path), limit)

    assert [line for read in pieces for line in read.lines] == [line for read in whole for line in read.lines]
    assert sum(read.bytes_read for read in pieces) == len(data)


def test_a_line_whose_head_is_enough_comes_cut_however_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    head = b'{"type":"compacted","more":"' + b"x" * 2000
    path.write_bytes(b'{"a":1}\n' + head + b"y" * 4_000_000 + b'"}\n{"b":2}\n' + b"z" * 2_000_000 + b"\n")
    tail = JsonlTail(path, everything, 1 << 20, lambda head: head.startswith(b'{"type":"compacted"'))

    reads = read_all(tail, 1000)

    lines = [line for read in reads for line in read.lines]
    assert [len(line) < 10_000 for line in lines] == [True] * 3
    assert (lines[0], lines[1][:20], lines[2]) == (b'{"a":1}', head[:20], b'{"b":2}')
    assert sum(read.seen for read in reads) == 3
    assert sum(read.too_long for read in reads) == 1


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a":1}\r\n{"b":2}\r\n')

    assert [line.strip() for line in tail_of(path).read(1000).lines] == [b'{"a":1}', b'{"b":2}']


def test_a_line_that_was_read_before_its_newline_came_is_not_returned_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":2}')
    tail = tail_of(path)
    tail.read(1000)
    rest = tail.rest
    tail.skip_rest(rest)
    append(path, b'\n{"c":3}\n')

    assert (rest, tail.rest, tail.read(1000).lines) == (b'{"b":2}', b"", [b'{"c":3}'])
