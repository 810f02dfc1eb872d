from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.lines import LineBuffer, RawLine

some_bytes = st.lists(st.sampled_from([b"\n", b"a", b"\r", b"{}", "\u2028".encode(), b"\x00", b""])).map(b"".join)


def whole(data: bytes) -> list[RawLine]:
    lines: list[RawLine] = []
    offset = 0
    for part in data.split(b"\n")[:-1]:
        lines.append(RawLine(offset, part))
        offset += len(part) + 1
    return lines


@given(some_bytes, st.lists(st.integers(0, 60)))
def test_every_cut_of_the_bytes_gives_the_same_lines(data: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    buffer = LineBuffer()

    lines = [line for a, b in pairwise(places) for line in buffer.feed(data[a:b])]

    assert lines == whole(data)
    assert buffer.is_torn == (not data.endswith(b"\n") and data != b"")


def test_a_torn_line_comes_out_with_its_newline() -> None:
    buffer = LineBuffer(100)

    assert buffer.feed(b"one\ntw") == [RawLine(100, b"one")]
    assert buffer.is_torn
    assert buffer.feed(b"o") == []
    assert buffer.feed(b"\n") == [RawLine(104, b"two")]
    assert buffer.offset == 108


def test_only_a_line_feed_ends_a_line() -> None:
    data = "a\rb\u2028c\x0bd\x85e".encode()

    assert LineBuffer().feed(data + b"\n") == [RawLine(0, data)]
