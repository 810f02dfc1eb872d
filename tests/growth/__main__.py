"""`python -m tests.growth [WORD …]`: tries every reader with every shape, in a larger size, and prints what grows.

The words choose cases by their names. `--time` measures seconds of the processor in place of counted work, ten times
the size: that finds what a single call of C does, a search in a list or a copy of a text. Times waver, so this is no
test.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.growth.readers import READERS, Reader
from tests.growth.work import work_of

_TIMED_SIZES = 10
_MIN_SECONDS = 0.02
"""Below that, a time says nothing."""


def _seconds_of(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def growth(reader: Reader, shape: str, *, is_timed: bool) -> tuple[float, float]:
    """Return how much more twice the input takes, and how much it took."""
    size = reader.size * (_TIMED_SIZES if is_timed else 1)
    with tempfile.TemporaryDirectory() as folder:
        runs: list[Callable[[], object]] = []
        for number, each in enumerate((size, 2 * size)):
            (path := Path(folder, str(number))).mkdir()
            runs.append(reader.prepare(shape, each, path))
        runs[1]()
        measure = _seconds_of if is_timed else work_of
        once, twice = measure(runs[0]), measure(runs[1])
    return twice / max(once, _MIN_SECONDS if is_timed else 1), twice


def main(words: list[str]) -> None:
    """Print every case that the words choose and that grows faster than it should."""
    is_timed = "--time" in words
    wanted = [word for word in words if not word.startswith("--")]
    for name, reader in READERS.items():
        for shape in reader.shapes:
            if all(word in f"{name} {shape}" for word in wanted):
                more, amount = growth(reader, shape, is_timed=is_timed)
                if more > 2.2:
                    print(f"{more:6.2f} {amount:12.3f}  {name} | {shape}", flush=True)  # noqa: T201 - its output
    print("done", *words)  # noqa: T201 - its output


main(sys.argv[1:])
