"""When a transcript of lines began, as its first record with a time says it."""

import re
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.files.json_lines import microseconds_of_text
from seqthink.sources.transcripts.files.tail import read_head

_HEAD_BYTES: Final = 8192
_TIME: Final = re.compile(rb'"(?:timestamp|startTime)"\s*:\s*"([0-9T:.Z+-]{10,40})"')


def began(path: Path) -> int:
    """Return when a transcript began, in microseconds since 1970; 0 if its first bytes do not say so."""
    try:
        found = _TIME.search(read_head(path, _HEAD_BYTES))
    except OSError:
        return 0
    return (microseconds_of_text(found[1].decode("ascii")) or 0) if found else 0
