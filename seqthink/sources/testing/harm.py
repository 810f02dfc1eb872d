"""What can happen to a record on a disk, and what it costs."""

from enum import Enum
from typing import Final

TOO_LONG_BYTES: Final = (16 << 20) + 1


class RecordHarm(Enum):
    """What can happen to a line."""

    GLUED = "cut, and the next one follows without a line feed"
    CUT_OFF = "cut, and the last one: the client was killed"
    HEADLESS = "without its beginning"
    GARBAGE = "other bytes in its place"
    NULS_BEFORE = "behind NULs, as a crash leaves them"
    NOT_UTF8 = "followed by a line that is not UTF-8"
    NEWER = "behind a record of an unknown kind"
    TOO_LONG = "behind a line of over 16 MiB"

    @property
    def destroys(self) -> bool:
        """Whether what the record says is lost."""
        return self in {RecordHarm.GLUED, RecordHarm.CUT_OFF, RecordHarm.HEADLESS, RecordHarm.GARBAGE}

    def done_to(self, line: bytes, at: int) -> bytes:
        """Return what becomes of a line; ``at`` is a place in it, neither its beginning nor its line feed."""
        harmed = {
            RecordHarm.GLUED: lambda: line[:at],
            RecordHarm.CUT_OFF: lambda: line[:at],
            RecordHarm.HEADLESS: lambda: line[at:],
            RecordHarm.GARBAGE: lambda: b"\x9c" * at + b"\n",
            RecordHarm.NULS_BEFORE: lambda: bytes(at) + line,
            RecordHarm.NOT_UTF8: lambda: line + b'{"\xff\xfe":"\xff"}\n',
            RecordHarm.NEWER: lambda: b'{"type":"newest-of-all","kind":"newest-of-all"}\n' + line,
            RecordHarm.TOO_LONG: lambda: b'{"x":"' + b"x" * TOO_LONG_BYTES + b'"}\n' + line,
        }
        return harmed[self]()
