"""What the transcripts of all shapes are made of: records, times, lines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def time_of(number: int) -> str:
    seconds = number // 10
    return f"2026-11-22T{10 + seconds // 3600 % 12}:{seconds // 60 % 60:02}:{seconds % 60:02}.{number % 10}00Z"


def write_lines(path: Path, records: Iterator[Record]) -> Path:
    """Write JSON Lines; return the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    return path


def call_of(number: int | str, name: str = "mcp__s__sequentialthinking") -> Record:
    arguments = {"thought": f"t{number}", "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": True}
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
