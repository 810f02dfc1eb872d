"""Reading a journal backwards, in blocks of whole lines."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.journal_file import JournalFile
from seqthink.library.finding.journal_blocks import blocks_backwards, has_plain_strings
from tests.support.journals.build import JournalBuilder


def lines_of(path: Path, block_bytes: int) -> list[bytes]:
    file = JournalFile.open(path)
    blocks = list(blocks_backwards(file, block_bytes))
    file.close()
    return [line for block in reversed(blocks) for line in block.split(b"\n")]


@given(
    lines=st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b" ")), max_size=12),
    torn=st.binary(max_size=9).map(lambda line: line.replace(b"\n", b" ")),
    block_bytes=st.integers(1, 64),
)
def test_every_complete_line_comes_once_whatever_the_size_of_a_block(
    lines: list[bytes], torn: bytes, block_bytes: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "blocks.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines) + torn)
    assert [line for line in lines_of(path, block_bytes) if line] == [line for line in lines if line]


def test_a_journal_of_ours_is_known_by_its_first_line(tmp_path: Path) -> None:
    ours = JournalBuilder().session().thought("x").write(tmp_path / "ours.jsonl")
    other = tmp_path / "other.jsonl"
    other.write_bytes(b'{"v":1,"seq":1,"time":"2026-03-10T14:02:00Z","type":"session","session":"a"}\n')
    assert has_plain_strings(JournalFile.open(ours))
    assert not has_plain_strings(JournalFile.open(other))
