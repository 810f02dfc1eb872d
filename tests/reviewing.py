"""The journal of the story `code-review` as a server wrote it, in the story's own time: ``python -m tests.reviewing``.

What the judges said in it is what they say: a test tells the story anew and compares.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from seqthink.demo.code_review import STORY
from seqthink.demo.story import ANSWER_SECONDS
from tests.build import SESSION, JournalBuilder
from tests.commands import BOUND, JOURNALS, environment

RECORDED = JOURNALS / "code-review.jsonl"
_WORKSPACE = re.compile(r"/[^ \"]*?/seqthink-\w+")
_STEP = 0.2
_TAKES = {
    "auditing": _STEP,
    "asking": 0.0,
    "sample": ANSWER_SECONDS,
    "elicit": ANSWER_SECONDS,
    "audit": _STEP,
    "end": 1.0,
}


def code_review() -> JournalBuilder:
    """Return the journal that is kept."""
    builder = JournalBuilder()
    for line in RECORDED.read_bytes().splitlines(keepends=True):
        builder.raw(line)
    return builder


def told(folder: Path) -> Path:
    """Tell the story to a server that writes to ``folder``, and return its journal."""
    command = [sys.executable, "-m", "seqthink.demo.agent", "--name", STORY.name, "--mark", "test", "--fast"]
    subprocess.run(
        [*command, "--journal-dir", str(folder)], env=environment(), stdin=subprocess.DEVNULL, check=True, timeout=BOUND
    )
    (path,) = folder.glob("*.jsonl")
    return path


def timed(lines: Iterable[str]) -> JournalBuilder:
    """Return a journal without what is different in every telling: clocks, folders, ids."""
    builder = JournalBuilder().session(title=STORY.title, client="seqthink-demo", cwd="/home/ana/payments")
    steps, began = iter(STORY.steps), builder.now
    for line in lines:
        event: dict[str, Any] = json.loads(_WORKSPACE.sub("/home/ana/payments", line))
        kind: str = event.pop("type")
        if kind == "session":
            continue
        after = next(steps).pause_seconds if kind == "thought" else _TAKES[kind]
        took = after if kind in {"sample", "elicit"} else (builder.now - began).total_seconds()
        fields = {name: value for name, value in event.items() if name not in {"v", "seq", "time"}}
        fields |= {"durationMs": round(took * 1000)} if "durationMs" in fields else {}
        fields |= {"sessionId": SESSION} if fields.get("sessionId", "").startswith("20") else {}
        builder.event(kind, fields, after=after)
        began = builder.now if kind == "thought" else began
    return builder


def main() -> None:
    """Tell the story anew, and keep what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        lines = told(Path(folder)).read_text(encoding="utf-8").splitlines()
    RECORDED.write_bytes(b"".join(timed(lines).lines))


if __name__ == "__main__":
    main()
