"""What goes wrong between a machine and the engine, once each: afterwards the engine has every line, once, to the byte.

`make bench ARGS=faults` does each twenty times.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from seqthink.cli.stories.engine_program import find_program
from tests.support.depth import first, sized
from tests.support.fleet.fault_rounds import FAULTS, QUIET, RETENTION, Fault, Scene, edited_round, retention_round

PROGRAM = find_program() or ""
pytestmark = [
    pytest.mark.skipif(not PROGRAM, reason="neither redis-server nor valkey-server is on the PATH"),
    pytest.mark.xdist_group("faults"),
]
MAY_MOUNT = os.geteuid() == 0 and shutil.which("mount") is not None
FORGETTING = next(fault for fault in FAULTS if "forgotten" in fault.name)
_SECONDS = 1.5
_ALWAYS = {4, 7}
"""A cut network, a killed shipper."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder for a round."""
    made = tmp_path / "round"
    made.mkdir()
    return made


def _rounds() -> Iterator[ParameterSet]:
    """Yield the faults; a round takes seconds, so most are for `make test-deep`."""
    for number, fault in enumerate(FAULTS):
        yield pytest.param(fault, id=fault.name, marks=() if number in _ALWAYS else pytest.mark.deep)


@pytest.mark.parametrize("fault", first(1, _rounds()))
def test_nothing_is_lost_or_there_twice(fault: Fault, folder: Path) -> None:
    if fault.needs_root and not MAY_MOUNT:
        pytest.skip("only root may mount a small disk")
    with Scene(folder, PROGRAM, fault, 7, seconds=_SECONDS) as scene:
        outcome = scene.run()

    assert "Traceback" not in outcome.said
    assert (outcome.lost, outcome.doubled, outcome.is_identical) == (0, 0, True), outcome


@pytest.mark.deep  # shows that the test above can fail
def test_the_control_which_says_xadd_and_believes_it_does_lose_lines(folder: Path) -> None:
    with Scene(folder, PROGRAM, FORGETTING, 7, seconds=_SECONDS, is_control=True) as scene:
        outcome = scene.run()

    assert outcome.lost > 0


@pytest.mark.parametrize("seed", sized([1], [1, 2]))
def test_a_journal_that_is_edited_under_the_shipper_is_said_and_left_alone(seed: int, folder: Path) -> None:
    with Scene(folder, PROGRAM, QUIET, seed, seconds=_SECONDS) as scene:
        edited = edited_round(scene)

    assert (edited.is_said, edited.is_left_alone, edited.others_go_on) == (True, True, True), edited.said


@pytest.mark.parametrize("seed", sized([1], [1, 2]))
def test_what_a_viewer_reads_while_retention_passes_is_in_order_and_what_is_missing_is_named(
    seed: int, folder: Path
) -> None:
    with Scene(folder, PROGRAM, RETENTION, seed, seconds=_SECONDS) as scene:
        read = retention_round(scene)

    assert (read.is_in_order, read.is_named) == (True, True), read
