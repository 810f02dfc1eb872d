"""The process in which code is read (``python -m seqthink.audit.judges.worker``): a source a line in, an opinion out.

A grammar is native code that holds the interpreter while it parses, may take long over a few thousand hostile bytes,
and may crash over some hundred. None of that may happen to the server.
"""

import resource
import sys

import anyio
import msgspec

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.internal import UnitResult, judge_unit

_MAX_CPU_SECONDS = 30
"""So long a source may be read when nobody is left who would put an end to it."""
_MAX_MEMORY_BYTES = 4 << 30


class WorkerRequest(msgspec.Struct, frozen=True):
    """What is to be judged, and which packages are not there."""

    unit: CodeUnit
    missing_packages: tuple[str, ...] = ()


def main() -> None:
    """Answer until stdin ends."""
    _limit(resource.RLIMIT_AS, _MAX_MEMORY_BYTES)
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=WorkerRequest)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + _MAX_CPU_SECONDS)
        opinion: UnitResult = anyio.run(judge_unit, request.unit, request.missing_packages)
        sys.stdout.buffer.write(msgspec.json.encode(opinion) + b"\n")
        sys.stdout.buffer.flush()


def _limit(what: int, max_value: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (max_value if hard == resource.RLIM_INFINITY else min(max_value, hard), hard))


if __name__ == "__main__":
    main()
