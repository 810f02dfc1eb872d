"""What docs/sources.md promises for damaged and unusual files: each row names the test that holds it."""

import re
from typing import Final

from tests.conftest import PROJECT

_HEADING: Final = "### What we promise for damaged and unusual files\n"
_ROW: Final = re.compile(r"^\| .* \| .* \| `(test_\w+)` \|$", re.MULTILINE)
_TEST: Final = re.compile(r"^ *(?:async )?def (test_\w+)\(", re.MULTILINE)


def _table() -> str:
    page = (PROJECT / "docs" / "sources.md").read_text("utf-8")
    return page.partition(_HEADING)[2].partition("\n### ")[0]


def test_every_promise_names_a_test_that_exists() -> None:
    named = _ROW.findall(_table())
    files = (PROJECT / "tests").rglob("test_*.py")
    existing = {name for file in files for name in _TEST.findall(file.read_text("utf-8"))}

    assert sorted(set(named) - existing) == []


def test_every_row_of_the_promises_names_a_test_and_no_two_rows_the_same() -> None:
    rows = [line for line in _table().splitlines() if line.startswith("| ")][2:]

    named = _ROW.findall(_table())

    assert len(rows) == len(named) == len(set(named)) > 30
