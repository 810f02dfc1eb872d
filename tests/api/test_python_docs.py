"""The examples of docs/python.md: each is run, and prints what the page says."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import seqthink
from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.docs.doc_blocks import doc_blocks
from tests.support.journals.build import SESSION, JournalBuilder

BOUND = 60.0


def orders() -> JournalBuilder:
    """Return the session whose outputs the page shows."""
    return (
        JournalBuilder()
        .session(title="Move the orders to Postgres")
        .thought("Plan: copy the table, then switch the reads.", 1, 3)
        .thought("Copy in batches of 1,000 rows.", 2, 3, after=12)
        .rejected("Invalid thoughtNumber: must be a positive integer, got 0", after=3)
        .thought("Or let Postgres replicate it.", 1, 2, branch="replica", from_=1, after=9)
        .thought("Batches lock the table. Copy by ranges of the primary key.", 3, 4, revises=2, after=20)
        .audit(verdict="pass", score=92)
        .thought("Switch the reads, and keep the old table for a week.", 4, 4, next=False)
        .note("Who deletes the old table?")
        .end()
    )


def examples() -> list[tuple[str, str]]:
    """Return each program of the page, and the output that follows it."""
    blocks = doc_blocks("docs/python.md")
    return [
        (block.code, following.code)
        for block, following in pairwise(blocks)
        if (block.language, following.language) == ("python", "text")
    ]


def test_every_program_of_the_page_has_its_output() -> None:
    languages = [block.language for block in doc_blocks("docs/python.md")]

    assert languages == ["python", "text"] * (len(languages) // 2)
    assert len(languages) >= 14


@pytest.mark.parametrize(
    ("program", "output"), first(4, examples(), is_unpacked=True), ids=lambda text: re.sub(r"\W+", "-", text[-30:])
)
def test_a_program_of_the_page_prints_what_the_page_says(
    program: str, output: str, seqthink_home: Path, tmp_path: Path
) -> None:
    (seqthink_home / "sessions").mkdir()
    orders().write(seqthink_home / "sessions" / f"{SESSION}.jsonl")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(PROJECT)},
        capture_output=True, check=False, timeout=BOUND, encoding="utf-8",
    )  # fmt: skip

    assert (done.stdout, done.stderr) == (output, "")


def test_the_page_names_every_attribute_of_every_view() -> None:
    page = (PROJECT / "docs/python.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+View)`[^|]* \| (.+) \|$", page, re.MULTILINE))
    listed = {name: set(re.findall(r"`(\w+)", row.replace("` `", "` , `"))) for name, row in rows.items()}
    public = {name: [one for one in dir(getattr(seqthink, name)) if not one.startswith("_")] for name in rows}

    assert len(rows) == 10
    assert listed == {name: set(attributes) for name, attributes in public.items()}
