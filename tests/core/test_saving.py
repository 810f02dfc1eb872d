"""Files that are written completely or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.core.saving import remove_unfinished, write_atomically


def test_what_is_half_written_goes_when_the_process_ends_at_once(tmp_path: Path) -> None:
    folder, seen = tmp_path / "here", list[int]()
    folder.mkdir()

    def pieces() -> Iterator[bytes]:
        yield b"half"
        seen.append(len(list(folder.iterdir())))
        remove_unfinished()
        seen.append(len(list(folder.iterdir())))

    with pytest.raises(FileNotFoundError):
        write_atomically(folder / "page.html", pieces(), may_replace=True)
    assert seen == [1, 0]


def test_what_is_complete_stays_when_the_process_ends_at_once(tmp_path: Path) -> None:
    target = tmp_path / "here" / "page.html"
    target.parent.mkdir()

    write_atomically(target, [b"whole"], may_replace=False)
    remove_unfinished()

    assert target.read_bytes() == b"whole"
    assert list(target.parent.iterdir()) == [target]
