"""The process in which code is read (``python -m seqthink.audit.judges.child``): a source a line in, an opinion out.

A grammar is native code that holds the interpreter while it parses, may take long over a few thousand hostile bytes,
and may crash over some hundred. None of that may happen to the server.
"""

import resource
import sys

import anyio
import msgspec

from seqthink.audit.judges.internal import Judged, judged
from seqthink.audit.sources import Source

_CPU_SECONDS = 30
"""So long a source may be read when nobody is left who would put an end to it."""
_MOST_MEMORY = 4 << 30


class Request(msgspec.Struct, frozen=True):
    """What is to be judged, and which packages are not there."""

    source: Source
    absent: tuple[str, ...] = ()


def main() -> None:
    """Answer until stdin ends."""
    _limit(resource.RLIMIT_AS, _MOST_MEMORY)
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=Request)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + _CPU_SECONDS)
        opinion: Judged = anyio.run(judged, request.source, request.absent)
        sys.stdout.buffer.write(msgspec.json.encode(opinion) + b"\n")
        sys.stdout.buffer.flush()


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main()
