"""Journals for the viewer as a person has it."""

from pathlib import Path

import pytest

from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.screens.screen_text import (
    HOST,
)

LATER = "20260310T150000.000000Z-zzzzzz"
NARROW, WIDE = (44, 20), (120, 35)


def write(journal: JournalBuilder, folder: Path, session: str = SESSION, *, lines: int | None = None) -> Path:
    """Write a journal, or its first lines, as a server of this host would."""
    path = folder / f"{session}.jsonl"
    data = b"".join(journal.lines[:lines]).replace(b'"host":"desk"', f'"host":"{HOST}"'.encode())
    path.write_bytes(data)
    return path


def append(path: Path, journal: JournalBuilder, first: int) -> None:
    with path.open("ab") as file:
        file.write(b"".join(journal.lines[first:]))


def straight(count: int, total: int = 30) -> JournalBuilder:
    journal = JournalBuilder().session(host=HOST)
    for number in range(1, count + 1):
        journal.thought(f"Step {number} of a long way", number, total)
    return journal


def moment(seconds: float) -> int:
    return int((START.timestamp() + seconds) * 1_000_000)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(shop_api(), tmp_path)
