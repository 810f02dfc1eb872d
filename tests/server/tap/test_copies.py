"""Copies of what passes: the queue that never waits, and lines of a bounded length."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from seqthink.server.tap.copies import CopiedChunk, CopiedLines, CopyQueue
from seqthink.server.tap.relay import Side
from tests.support.servers.commands import TIMEOUT_SECONDS


def chunk(data: bytes, *, has_gap: bool = False) -> CopiedChunk:
    return CopiedChunk(Side.CLIENT, data, has_gap)


@given(st.lists(st.binary(max_size=20).map(lambda data: data.replace(b"\xff", b"\n")), max_size=12), st.integers(1, 30))
def test_lines_are_those_of_the_bytes_but_for_the_long_ones_which_are_counted(pieces: list[bytes], bound: int) -> None:
    lines = CopiedLines(bound)
    found = [line for piece in pieces for line in lines.feed(chunk(piece))]
    *complete, rest = b"".join(pieces).split(b"\n")

    assert found == [line for line in complete if len(line) <= bound]
    assert lines.skipped_lines == sum(len(line) > bound for line in [*complete, rest])


def test_after_a_gap_the_rest_of_a_line_is_not_taken_for_one() -> None:
    lines = CopiedLines()

    assert lines.feed(chunk(b"a\nb")) == [b"a"]
    assert lines.feed(chunk(b"c\nd\n", has_gap=True)) == [b"d"]
    assert lines.feed(chunk(b"e\n")) == [b"e"]
    assert lines.skipped_lines == 0


def test_a_full_queue_drops_copies_counts_them_and_says_where() -> None:
    queue = CopyQueue(10)
    queue.put(Side.CLIENT, b"x" * 8)
    queue.put(Side.CLIENT, b"y" * 8)
    queue.put(Side.SERVER, b"z")
    taken = [queue.take(), queue.take()]
    queue.put(Side.CLIENT, b"w")
    queue.close()
    taken += [queue.take(), queue.take()]

    assert taken == [
        (Side.CLIENT, b"x" * 8, False),
        (Side.SERVER, b"z", False),
        (Side.CLIENT, b"w", True),
        None,
    ]
    assert queue.dropped_bytes == 8


def test_an_abandoned_queue_keeps_nothing() -> None:
    queue = CopyQueue()
    queue.put(Side.CLIENT, b"a")
    queue.abandon()
    queue.put(Side.CLIENT, b"b")
    queue.close()

    assert queue.take() is None


def test_who_waits_for_a_copy_is_woken_by_one_and_by_the_end() -> None:
    queue = CopyQueue()
    taken: list[CopiedChunk | None] = []
    reader = threading.Thread(target=lambda: taken.extend([queue.take(), queue.take()]))
    reader.start()
    queue.put(Side.SERVER, b"a")
    queue.close()
    reader.join(TIMEOUT_SECONDS)

    assert taken == [(Side.SERVER, b"a", False), None]
