"""Worker process that judges code: one request per line on stdin, one result per line on stdout.

Started as ``python -m seqthink.audit.judges.worker``. Grammars are native code: parsing holds the interpreter, may take
long on a few thousand hostile bytes, and may crash on a few hundred. None of that may happen in the server.
"""

import resource
import sys
from contextlib import suppress

import anyio
import msgspec

from seqthink.audit.code_units import CodeUnit
from seqthink.audit.judges.internal import UnitResult, judge_unit

_MAX_CPU_SECONDS = 30
"""CPU time for one unit. It ends a worker whose server is gone; the server has its own, shorter limit."""
_MAX_MEMORY_BYTES = 4 << 30


class WorkerRequest(msgspec.Struct, frozen=True):
    """One unit to judge."""

    unit: CodeUnit
    missing_packages: tuple[str, ...] = ()
    """Packages that are not installed."""


def main() -> None:
    """Answer requests until stdin ends."""
    with suppress(OSError, ValueError):  # macOS refuses, because a process has more addresses there from the start
        _limit(resource.RLIMIT_AS, _MAX_MEMORY_BYTES)
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=WorkerRequest)
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + _MAX_CPU_SECONDS)
        result: UnitResult = anyio.run(judge_unit, request.unit, request.missing_packages)
        sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")
        sys.stdout.buffer.flush()


def _limit(resource_kind: int, max_value: int) -> None:
    _, hard = resource.getrlimit(resource_kind)
    resource.setrlimit(resource_kind, (max_value if hard == resource.RLIM_INFINITY else min(max_value, hard), hard))


if __name__ == "__main__":
    main()
