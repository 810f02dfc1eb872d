"""Plants each fault in a copy and runs tests: ``python -m tests.faults [WORD...] [--suite quick|test|deep|PATH...]``.

Without ``--suite`` each fault's own tests run, its likeliest place first. What is known of a fault is kept in
``build/faults``: a run that was interrupted goes on there; ``--again`` starts from the beginning.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.conftest import PROJECT
from tests.faults.catalogue import Fault, all_faults
from tests.faults.tree_copy import TreeCopy

SUITES = {
    "own": ["-m", "not deep"],
    "quick": ["-n", "2", "-m", "not (process or browser or engine or pilot or slow or deep)", "tests"],
    "test": ["-n", "2", "-m", "not deep", "tests"],
    "deep": ["-n", "2", "tests"],
}
_FOLDER = PROJECT / "build" / "faults"


class Result(Struct, frozen=True):
    """What came of one fault."""

    fault: Fault
    found_by: str
    """The test that failed; empty if none did."""
    seconds: float

    @property
    def line(self) -> str:
        """The result for a person."""
        said = self.found_by or "MISSED"
        return f"{self.fault.room:<13} {self.fault.name}\n{'':<13} {said}  ({self.seconds:.0f} s)"


def main() -> int:
    """Return 1 if a fault was missed or cannot be planted."""
    parser = argparse.ArgumentParser("python -m tests.faults", description=__doc__)
    parser.add_argument("words", nargs="*", help="only faults with one of these in room, file or name")
    parser.add_argument(
        "--suite", nargs="+", default=["own"], help="quick, test, deep, or paths (default: its own tests)"
    )
    parser.add_argument("--again", action="store_true", help="forget what earlier runs have found")
    options = parser.parse_args()
    log = _FOLDER / f"{'-'.join(options.suite).replace('/', '.')}.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    if options.again:
        log.unlink(missing_ok=True)
    known = {result.fault: result for result in _read(log)}
    faults = [fault for fault in all_faults() if _is_wanted(fault, options.words)]
    copy = TreeCopy(_FOLDER / "tree")
    results = [known.get(fault) or _try(copy, fault, options.suite, log) for fault in faults]
    found = [result for result in results if result is not None and result.found_by]
    for result in results:
        if result is not None and not result.found_by:
            print(f"missed: {result.line}")
    print(f"{len(found)} of {len(faults)} faults found")
    return int(len(found) < len(faults))


def _is_wanted(fault: Fault, words: Sequence[str]) -> bool:
    return not words or any(word in f"{fault.room} {fault.file} {fault.name}" for word in words)


def _read(log: Path) -> Iterable[Result]:
    lines = log.read_bytes().splitlines() if log.exists() else []
    return (msgspec.json.decode(line, type=Result) for line in lines)


def _try(copy: TreeCopy, fault: Fault, suite: Sequence[str], log: Path) -> Result | None:
    places = copy.places_of(fault)
    if places != 1:
        print(f"cannot be planted: {fault.name}: its text is in {fault.file} {places} times")
        return None
    result = _run(copy, fault, suite)
    print(result.line)
    sys.stdout.flush()
    with log.open("ab") as file:
        file.write(msgspec.json.encode(result) + b"\n")
    return result


def _run(copy: TreeCopy, fault: Fault, suite: Sequence[str]) -> Result:
    selections = (
        [[*SUITES["own"], path] for path in fault.tests] if suite == ["own"] else [SUITES.get(suite[0], list(suite))]
    )
    seconds = 0.0
    for selection in selections:
        ignored: list[str] = []
        while True:
            with copy.planted(fault):
                run = copy.run([*selection, *(word for test in ignored for word in ("--deselect", test))])
            seconds += run.seconds
            if not run.failed:
                break
            if run.failed.startswith("(") or _is_due_to(copy, fault, run.failed):
                return Result(fault, run.failed, seconds)
            ignored.append(run.failed)
    return Result(fault, "", seconds)


def _is_due_to(copy: TreeCopy, fault: Fault, test: str) -> bool:
    """Return whether a test fails with the fault and not without: else the copy, or the machine, is what it found."""
    if copy.run([test]).failed:
        return False
    with copy.planted(fault):
        return bool(copy.run([test]).failed)


if __name__ == "__main__":
    sys.exit(main())
