"""The control of the faults: a shipper that says ``XADD`` and believes each answer. It must lose lines.

``python -m tests.support.fleet.plain_shipper PORT FOLDER ORIGIN`` follows the journals of a folder until it is killed.
"""

import sys
import threading
from pathlib import Path
from typing import Any

import redis

from seqthink.journal.folder import SUFFIX
from seqthink.sources.fleet.layout import Layout, SessionName

_PAUSE_SECONDS = 0.01


def main() -> None:
    """Follow, until killed."""
    port, folder, origin = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    engine = redis.Redis(port=port, protocol=2)
    done: dict[Path, tuple[int, int]] = {}
    pause = threading.Event()
    while True:
        for path in folder.glob(f"*{SUFFIX}"):
            offset, number = done.get(path, (0, 0))
            with path.open("rb") as file:
                file.seek(offset)
                found = file.read()
            whole = found[: found.rfind(b"\n") + 1]
            lines = whole.split(b"\n")[:-1]
            if _sent(engine, Layout("main").lines(SessionName(origin, path.stem)), number, lines):
                done[path] = offset + len(whole), number + len(lines)
        pause.wait(_PAUSE_SECONDS)


def _sent(engine: redis.Redis, key: str, number: int, lines: list[bytes]) -> bool:
    if not lines:
        return True
    pipeline: Any = engine.pipeline(transaction=False)  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    for place, line in enumerate(lines, number + 1):
        pipeline.xadd(key, {"l": line}, id=f"{place}-0")
    try:
        pipeline.execute(raise_on_error=False)
    except redis.RedisError:
        return False
    return True


if __name__ == "__main__":
    main()
