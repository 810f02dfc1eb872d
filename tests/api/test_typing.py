"""What users' type checkers see: full types, and an error for each mistake; the examples of docs/ are checked, too."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PROJECT
from tests.support.docs.doc_blocks import doc_blocks

CASES = PROJECT / "tests" / "api" / "typing_cases"
STRICT = "# pyright: strict, reportUnusedExpression=false\n"
BOUND = 120.0


def problems(files: Sequence[Path]) -> list[tuple[str, int, str]]:
    """Return what pyright finds in strict mode: file name, line and rule."""
    pinned = {"PYRIGHT_PYTHON_FORCE_VERSION": "", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", *map(str, files)],
        cwd=PROJECT, env=os.environ | pinned, capture_output=True, check=False, timeout=BOUND, encoding="utf-8",
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == len(files), done.stdout
    return [
        (Path(one["file"]).name, one["range"]["start"]["line"], one.get("rule", one["message"]))
        for one in found["generalDiagnostics"]
    ]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str]]:
    folder = tmp_path_factory.mktemp("typing")
    for case in CASES.glob("*.py"):
        (folder / case.name).write_text(STRICT + case.read_text(encoding="utf-8"), encoding="utf-8")
    for page in ("docs/python.md", "docs/dialogue.md"):
        whole = [block for block in doc_blocks(page) if block.language == "python" and "import seqthink" in block.code]
        whole += [block for block in doc_blocks(page) if block.name]
        for number, block in enumerate(whole):
            (folder / f"{Path(page).stem}-{number}.py").write_text(STRICT + block.code, encoding="utf-8")
    return problems(sorted(folder.glob("*.py")))


@pytest.mark.deep  # pyright runs for seconds; `make check` runs it on the tests of the same interface
def test_a_strict_program_and_every_example_of_the_pages_are_without_error(found: list[tuple[str, int, str]]) -> None:
    assert [one for one in found if one[0] != "mistaken.py"] == []


@pytest.mark.deep  # as above
def test_each_mistake_is_found_where_it_is_and_nothing_else(found: list[tuple[str, int, str]]) -> None:
    lines = (CASES / "mistaken.py").read_text(encoding="utf-8").splitlines()
    marked = [number for number, line in enumerate(lines, start=1) if "# mistake: " in line]

    assert len(marked) == 10
    assert sorted({line for name, line, _ in found if name == "mistaken.py"}) == marked
