"""The file of one session: what is appended to it, and when it begins again."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from seqthink.sources.fleet.engine import Line
from seqthink.sources.fleet.mirror.mirror_file import MirrorFile


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[MirrorFile]:
    with closing(MirrorFile(tmp_path / "session.jsonl")) as made:
        yield made


def lines(numbers: Sequence[int]) -> list[Line]:
    return [Line(number, b"line %d" % number) for number in numbers]


def written(numbers: Sequence[int]) -> bytes:
    return b"".join(b"line %d\n" % number for number in numbers)


@pytest.mark.parametrize("again", [[3], [2, 3], [1, 2, 3], [3, 4], [2, 3, 4, 5]])
def test_lines_that_come_again_are_in_the_file_once(mirror: MirrorFile, again: list[int]) -> None:
    mirror.append(lines([1, 2, 3]), 0)
    mirror.append(lines(again), 0)

    assert mirror.path.read_bytes() == written(range(1, max(3, *again) + 1))
    assert mirror.position.last == max(3, *again)


def test_lines_behind_a_gap_begin_the_file_again_with_the_head(mirror: MirrorFile) -> None:
    mirror.append(lines([1, 2]), 0)
    mirror.append(lines([5, 6]), 0, b"head")

    assert mirror.path.read_bytes() == b"head\n" + written([5, 6])
    assert mirror.position.generation == 1


def test_lines_for_a_file_that_began_again_meanwhile_are_left_out(mirror: MirrorFile) -> None:
    mirror.append(lines([1, 2]), 0)
    mirror.mark_compared(0, is_same=False)
    mirror.append(lines([3]), 0)
    mirror.append(lines([1]), 1)

    assert mirror.path.read_bytes() == written([1])
