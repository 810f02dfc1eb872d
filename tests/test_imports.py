"""What an import really loads, told by a fresh process."""

import json
import subprocess
import sys

import pytest

from tests.conftest import PROJECT

HEAVY = {"mcp", "mcp_types", "pydantic", "msgspec", "textual", "rich", "anyio", "asyncio", "watchfiles"}
OWN = {"seqthink", "platformdirs"}


def loaded_by(module: str) -> set[str]:
    """Return the top-level names that importing ``module`` adds to an interpreter."""
    program = (
        "import sys, json; before = set(sys.modules); "
        f"import {module}; print(json.dumps([name for name in sys.modules if name not in before]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, check=True, text=True, encoding="utf-8"
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


@pytest.mark.parametrize(
    "module",
    [
        "seqthink.server.thinking",
        "seqthink.server.arguments",
        "seqthink.server.tools",
        "seqthink.server.stderr",
        "seqthink.journal.writer",
        "seqthink.journal.folder",
        "seqthink.journal.resume",
    ],
)
def test_the_way_of_a_thought_loads_the_standard_library_and_nothing_heavy(module: str) -> None:
    loaded = loaded_by(module)

    assert loaded & HEAVY == set()
    assert loaded - OWN - sys.stdlib_module_names == set()


def test_the_serve_command_loads_the_sdk_only_when_it_serves() -> None:
    assert loaded_by("seqthink.cli.serve") & HEAVY == set()
