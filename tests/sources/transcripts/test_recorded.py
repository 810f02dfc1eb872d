"""The recorded transcripts are what their page says: small, cut, and readable as their client wrote them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.clients.cut import MAX_FILE_BYTES
from tests.support.transcripts.recorded import RECORDED, RUNS, journals_of, lay_out

FILES = sorted(file for file in RECORDED.rglob("*") if file.is_file() and file.name != "README.md")


def rows(database: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def test_the_page_names_every_run() -> None:
    page = (RECORDED / "README.md").read_text("utf-8")

    assert RUNS
    assert [run for run in RUNS if f"| `{run}` |" not in page] == []


def test_no_file_is_large_and_every_line_is_json() -> None:
    large = [file for file in FILES if file.stat().st_size > MAX_FILE_BYTES]
    lines = [line for file in FILES if file.suffix == ".jsonl" for line in file.read_text("utf-8").splitlines()]

    assert large == []
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_every_path_is_below_one_home() -> None:
    text = "\n".join(file.read_text("utf-8") for file in FILES)

    assert "/home/ada/work" in text
    assert "homes" not in text


@pytest.mark.parametrize("run", [run for run in RUNS if run.endswith(("/agents", "/code-mode"))])
def test_a_run_with_subagents_is_laid_out_with_the_journals_of_its_thoughts(run: str, tmp_path: Path) -> None:
    home = lay_out(run, tmp_path / "home")
    entries = [json.loads(line) for journal in journals_of(run) for line in journal.read_text("utf-8").splitlines()]
    thoughts = [entry["thought"] for entry in entries if entry["type"] == "thought"]

    assert any(file.suffix in {".jsonl", ".db"} for file in home.rglob("*"))
    assert thoughts[:2] == ["Symptoms: 502s at the top of each hour", "Pool exhausted?\nTwo lines — ünïcode 漢字かな"]
    assert {"it fails at :00 only", "a job at :00 opens 40 connections", "Final: the cron job"} <= set(thoughts)


def test_a_database_is_made_of_its_sql(tmp_path: Path) -> None:
    database = lay_out("opencode/agents", tmp_path) / ".local" / "share" / "opencode" / "opencode.db"
    titles = [title for (title,) in rows(database, "select title from session order by time_created")]
    parts = rows(database, "select data from part where data like '%sequentialthinking%'")

    assert titles == [
        "502s, once an hour",
        "read the log (@general subagent)",
        "read the schedule (@general subagent)",
        "502s, once an hour (fork #1)",
    ]
    assert len(parts) > 10


def test_a_forked_rollout_names_the_end_of_a_line_of_its_parent(tmp_path: Path) -> None:
    files = list(lay_out("codex/agents", tmp_path).rglob("rollout-*.jsonl"))
    heads = {file: json.loads(file.read_text("utf-8").partition("\n")[0])["payload"] for file in files}
    (base,) = [head["history_base"] for head in heads.values() if "history_base" in head]
    (parent,) = [file for file, head in heads.items() if head["id"] == base["thread_id"]]
    before = parent.read_bytes()[: base["end_byte_offset"]]

    assert before.endswith(b"\n")
    assert json.loads(before.splitlines()[-1])["ordinal"] == base["end_ordinal_exclusive"] - 1
