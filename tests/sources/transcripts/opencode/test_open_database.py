"""Whether any program may still write a database, by the locks that Linux lists."""

import sys

import pytest

from seqthink.sources.transcripts.opencode.open_database import holders_in
from seqthink.sources.transcripts.opencode.private_copy import FileState

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems list no locks")
FILE = FileState(0xFE01, 77, 1, 1)
"""A file of the device fe:01."""


@pytest.mark.parametrize(
    ("line", "holders"),
    [
        ("1: POSIX  ADVISORY  READ 24982 fe:01:77 128 128", [24982]),
        ("1: POSIX  ADVISORY  WRITE 12 fe:01:77 120 EOF", [12]),
        ("1: OFDLCK ADVISORY  READ -1 fe:01:77 128 128", [-1]),
        ("1: POSIX  ADVISORY  READ 24982 fe:01:77 123 124", []),
        ("1: POSIX  ADVISORY  READ 24982 fe:01:78 128 128", []),
        ("1: POSIX  ADVISORY  READ 24982 fe:02:77 128 128", []),
        ("1: -> POSIX ADVISORY WRITE 24982 fe:01:77 128 128", []),
        ("nonsense", []),
        ("", []),
    ],
)
def test_whoever_holds_the_lock_of_an_open_database_has_it_open(line: str, holders: list[int]) -> None:
    assert list(holders_in([line], FILE)) == holders
