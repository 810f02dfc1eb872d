"""The README as data for its tests."""

import os
import re
import subprocess
import sys
from typing import NamedTuple

from tests.conftest import PROJECT

README = PROJECT / "README.md"
SAMPLE = PROJECT / "tests" / "journals" / "shop-api.jsonl"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`` (.+?) ``|`([^`]+)`")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    text: str


class Table(NamedTuple):
    """A table: the first cell of its header, and its rows of cells."""

    name: str
    rows: list[list[str]]


def text() -> str:
    return README.read_text(encoding="utf-8")


def blocks(language: str) -> list[Block]:
    return [block for block in all_blocks() if block.language == language]


def all_blocks() -> list[Block]:
    return [Block(*found) for found in _FENCE.findall(text())]


def prose() -> str:
    """Return the text without its fenced blocks."""
    return _FENCE.sub("", text())


def shell_commands() -> list[str]:
    """Return every command line of the shell blocks, without comments."""
    joined = "".join(block.text for block in blocks("sh")).replace("\\\n", " ")
    return [line.partition("    #")[0].strip() for line in joined.splitlines() if line.strip()]


def tables() -> list[Table]:
    found: list[Table] = []
    for lines in re.findall(r"(?:^\|.*\|\n)+", prose(), re.MULTILINE):
        head, _, *rows = [_cells(line) for line in lines.splitlines()]
        found.append(Table(head[0], rows))
    return found


def rows(name: str) -> list[list[str]]:
    """Return the rows of the table whose header begins with ``name``."""
    [rows] = [table.rows for table in tables() if table.name == name]
    return rows


def codes(cell: str) -> list[str]:
    """Return the code spans of a cell."""
    return [one or two for one, two in _CODE.findall(cell)]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def run(arguments: list[str]) -> str:
    """Return the output of ``seqthink`` in the checkout."""
    command = [sys.executable, "-m", "seqthink", *arguments]
    environ = os.environ | {"LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    done = subprocess.run(command, cwd=PROJECT, env=environ, capture_output=True, check=True, encoding="utf-8")
    return done.stdout
