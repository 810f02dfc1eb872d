"""The faults of `python -m tests.faults` can all be planted: a change of the code takes its faults along."""

from collections import Counter

import pytest

from tests.conftest import PROJECT
from tests.faults.catalogue import all_faults
from tests.faults.tree_copy import first_failed

FAULTS = all_faults()


def test_each_fault_has_exactly_one_place_in_the_code() -> None:
    places = {fault.name: fault.places_in(PROJECT) for fault in FAULTS}

    # where the code was changed, take `before` from it again, or leave the fault out if it cannot be made any more
    assert {name: count for name, count in places.items() if count != 1} == {}


def test_each_fault_changes_something_and_names_tests_that_exist() -> None:
    assert [fault.name for fault in FAULTS if fault.before == fault.after] == []
    assert [path for fault in FAULTS for path in fault.tests if not (PROJECT / path).exists()] == []


def test_no_two_faults_have_one_name_and_no_room_is_without_any() -> None:
    assert [name for name, count in Counter(fault.name for fault in FAULTS).items() if count > 1] == []
    rooms = {path.name for path in (PROJECT / "seqthink").iterdir() if path.is_dir() and list(path.glob("*.py"))}
    small = {"beside", "demo"}  # a terminal's split, and the stories of the demo
    assert rooms - small - {part for fault in FAULTS for part in fault.file.split("/")} == set()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("FAILED tests/a.py::test_b - assert 1 == 2", "tests/a.py::test_b"),
        ("FAILED tests/a.py::test_b", "tests/a.py::test_b"),
        ('FAILED tests/a.py::test_b[json-{"a": []} x] - E [1] - 2', 'tests/a.py::test_b[json-{"a": []} x]'),
        ("ERROR tests/a.py", "tests/a.py"),
        ("1 passed", ""),
    ],
)
def test_a_failed_test_has_its_whole_name_with_the_spaces_of_its_parameters(line: str, name: str) -> None:
    assert first_failed(f"...F\n{line}\n1 failed\n") == name
