"""The journal of the story `code-review`, recorded from a server.

``python -m tests.support.journals.code_review_journal`` records it.
The judges' verdicts in it are real: a test replays the story and compares.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from seqthink.cli.stories.code_review import STORY
from seqthink.cli.stories.story import ANSWER_SECONDS
from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.servers.commands import JOURNALS, TIMEOUT_SECONDS, environment

RECORDED = JOURNALS / "code-review.jsonl"
_WORKSPACE = re.compile(r"/[^ \"]*?/seqthink-\w+")
_RULES = re.compile(r"\b\d+ rules?\b")
_STEP_SECONDS = 0.2
_EVENT_SECONDS = {
    "auditing": _STEP_SECONDS,
    "asking": 0.0,
    "sample": ANSWER_SECONDS,
    "elicit": ANSWER_SECONDS,
    "audit": _STEP_SECONDS,
    "end": 1.0,
}


def code_review() -> JournalBuilder:
    """Return the recorded journal."""
    builder = JournalBuilder()
    for line in RECORDED.read_bytes().splitlines(keepends=True):
        builder.raw(line)
    return builder


def run_story(folder: Path) -> Path:
    """Run the story on a server that writes to ``folder``, and return its journal."""
    command = [sys.executable, "-m", "seqthink.cli.stories.agent", "--name", STORY.name, "--mark", "test", "--fast"]
    subprocess.run(
        [*command, "--journal-dir", str(folder)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=TIMEOUT_SECONDS,
    )
    (path,) = folder.glob("*.jsonl")
    return path


def normalised(lines: Iterable[str]) -> JournalBuilder:
    """Return a journal without the values that vary: clocks, folders, ids, the number of rules."""
    builder = JournalBuilder().session(title=STORY.title, client="seqthink-demo", cwd="/home/ana/payments")
    steps, started = iter(STORY.steps), builder.now
    for line in lines:
        event: dict[str, Any] = json.loads(_RULES.sub("9 rules", _WORKSPACE.sub("/home/ana/payments", line)))
        kind: str = event.pop("type")
        if kind == "session":
            continue
        after = next(steps).pause_seconds if kind == "thought" else _EVENT_SECONDS[kind]
        took = after if kind in {"sample", "elicit"} else (builder.now - started).total_seconds()
        fields = {name: value for name, value in event.items() if name not in {"v", "seq", "time"}}
        fields |= {"durationMs": round(took * 1000)} if "durationMs" in fields else {}
        fields |= {"sessionId": SESSION} if fields.get("sessionId", "").startswith("20") else {}
        builder.event(kind, fields, after=after)
        started = builder.now if kind == "thought" else started
    return builder


def main() -> None:
    """Run the story again, and record its journal."""
    with tempfile.TemporaryDirectory() as folder:
        lines = run_story(Path(folder)).read_text(encoding="utf-8").splitlines()
    RECORDED.write_bytes(b"".join(normalised(lines).lines))


if __name__ == "__main__":
    main()
