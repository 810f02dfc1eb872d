"""What the suite promises: each test is marked by what its code can reach, and its name has a bounded length."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import HomeFolder, pytest_make_parametrize_id
from tests.support.screens.browser import browser
from tests.support.screens.screen_text import running_viewer

LONG = "x" * 201
MARKERS = ("process", "browser", "engine", "pilot")


@pytest.fixture
def printed() -> str:
    return subprocess.run([sys.executable, "-c", ""], check=True, capture_output=True, encoding="utf-8").stdout


def _markers(request: pytest.FixtureRequest) -> set[str]:
    marks = request.keywords  # pyright: ignore[reportUnknownMemberType] - pytest's own
    return {name for name in MARKERS if name in marks}


def test_what_starts_a_program_in_a_fixture_is_marked(request: pytest.FixtureRequest, printed: str) -> None:
    assert printed == ""
    assert _markers(request) == {"process"}


@pytest.mark.parametrize(
    ("helper", "expected"),
    [(browser, {"browser", "process"}), (running_viewer, {"pilot"})],
    ids=["browser", "viewer"],
)
def test_what_a_parameter_can_reach_is_marked(
    request: pytest.FixtureRequest, helper: object, expected: set[str]
) -> None:
    assert callable(helper)
    assert _markers(request) == expected


def test_what_starts_nothing_has_no_marker(request: pytest.FixtureRequest) -> None:
    assert _markers(request) == set()


@pytest.mark.parametrize("text", [LONG, LONG.encode()], ids=["text", "bytes"])
def test_a_long_parameter_is_named_by_its_beginning_and_its_length(text: str | bytes) -> None:
    assert pytest_make_parametrize_id(text) == f"{text[:200]!a}... (201)"


@pytest.mark.parametrize("value", [LONG[:-1], 201, None, [LONG]], ids=["short", "number", "none", "list"])
def test_any_other_parameter_has_its_usual_name(value: object) -> None:
    assert pytest_make_parametrize_id(value) is None


@pytest.mark.parametrize("name", ["home", "seqthink_home"])
def test_a_home_in_which_a_test_has_left_something_is_not_for_the_next_one(tmp_path: Path, name: str) -> None:
    (tmp_path / "left").mkdir()
    (tmp_path / "removed").mkdir()
    left, removed = HomeFolder(tmp_path / "left"), HomeFolder(tmp_path / "removed")
    assert left.is_empty()
    (getattr(left, name) / "something").touch()
    shutil.rmtree(getattr(removed, name))

    assert not left.is_empty()
    assert not removed.is_empty()


def test_a_test_that_asks_for_no_folder_has_an_empty_home() -> None:
    assert [*Path.home().iterdir()] == []
