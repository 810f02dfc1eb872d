"""`faults`: what goes wrong between an agent's machine and the engine, and what is lost: nothing."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

from seqthink.cli.stories.engine_program import INSTALL, find_program
from tests.bench.report import Table, seconds, verdict
from tests.support.fleet.fault_rounds import (
    FAULTS,
    QUIET,
    RETENTION,
    SESSIONS,
    Edited,
    Fault,
    Outcome,
    Read,
    Scene,
    edited_round,
    retention_round,
)

ROUNDS = 20
Found = TypeVar("Found", Outcome, Edited, Read)
_SEED = 20_261_124
_COLUMNS = ("fault", "rounds", "lines", "lost", "doubled", "behind", "at most", "byte-identical")


def measure(folder: Path, *, is_quick: bool, rounds: int = ROUNDS) -> list[Table]:
    """Let each go wrong in that many rounds; a fifth of them if it is to be quick."""
    rounds = max(2, rounds // 5) if is_quick else rounds
    table = Table(
        f"faults: {SESSIONS} journals written at 300 lines/s each while it goes wrong, `ship --verbatim`", _COLUMNS
    )
    program = find_program()
    if program is None:
        table.notes.append(INSTALL)
        return [table]
    for fault in FAULTS:
        if fault.needs_root and (os.geteuid() or not shutil.which("mount")):
            table.notes.append(f"Left out, as only root may mount a small disk: {fault.name}.")
            continue
        _row(table, fault.name, _rounds(folder, program, fault, rounds, lambda scene: scene.run()))
    _row(table, f"control, plain XADD: {_FORGET.name}", _controlled(folder, program, rounds), is_control=True)
    table.notes.append(
        "`behind`: from the end of the fault or the last line, what is later, until the engine had all. "
        "The control shows that the test can fail."
    )
    return [table, _edited(folder, program, rounds), _read(folder, program, rounds)]


_FORGET = next(fault for fault in FAULTS if "forgotten" in fault.name)


def _rounds(
    folder: Path, program: str, fault: Fault, rounds: int, run: Callable[[Scene], Found], *, is_control: bool = False
) -> list[Found]:
    found: list[Found] = []
    for number in range(rounds):
        with (
            tempfile.TemporaryDirectory(dir=folder) as place,
            Scene(Path(place), program, fault, _SEED + number, is_control=is_control) as scene,
        ):
            found.append(run(scene))
    return found


def _controlled(folder: Path, program: str, rounds: int) -> list[Outcome]:
    return _rounds(folder, program, _FORGET, max(2, rounds // 4), lambda scene: scene.run(), is_control=True)


def _row(table: Table, name: str, found: list[Outcome], *, is_control: bool = False) -> None:
    behind = [outcome.behind for outcome in found]
    identical = sum(outcome.is_identical for outcome in found)
    judged = "as it must: not" if is_control and identical < len(found) else verdict(identical == len(found))
    table.add(
        name,
        len(found),
        f"{sum(outcome.lines for outcome in found):,}",
        sum(outcome.lost for outcome in found),
        sum(outcome.doubled for outcome in found),
        "never" if is_control else seconds(median(behind)),
        "never" if is_control else seconds(max(behind)),
        f"{identical} of {len(found)}: {judged}",
    )
    table.notes += [f"{name}: {outcome.said[-600:]}" for outcome in found if not (outcome.is_identical or is_control)]


def _edited(folder: Path, program: str, rounds: int) -> Table:
    table = Table("faults: a journal edited under the shipper", ["rounds", "said", "left alone", "others go on", ""])
    found: list[Edited] = _rounds(folder, program, QUIET, rounds, edited_round)
    counts = [
        sum(one.is_said for one in found),
        sum(one.is_left_alone for one in found),
        sum(one.others_go_on for one in found),
    ]
    table.add(len(found), *counts, verdict(counts == [len(found)] * 3))
    return table


def _read(folder: Path, program: str, rounds: int) -> Table:
    columns = ["rounds", "lines read", "missing", "in order, none twice", "said that lines are missing", ""]
    table = Table(f"faults: {RETENTION.name}", columns)
    found: list[Read] = _rounds(folder, program, RETENTION, rounds, retention_round)
    counts = [sum(one.is_in_order for one in found), sum(one.is_named for one in found)]
    lines, missing = sum(one.lines for one in found), sum(one.missing for one in found)
    table.add(len(found), f"{lines:,}", f"{missing:,}", *counts, verdict(counts == [len(found)] * 2))
    return table
