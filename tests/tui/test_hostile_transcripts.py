"""A transcript whose every field holds what would control a terminal (docs/viewer.md, "Untrusted text")."""

import json
import os
from pathlib import Path

import pytest

from seqthink.__main__ import main
from tests.support.depth import first
from tests.support.journals.exports import HOSTILE, invisible_chars
from tests.support.transcripts import claude_lines as claude
from tests.tui.test_hostile_text import Tour

NAME = "n\x1b]0;pay7704\x07\x9b31m\u202e[@click=app.quit]x"


def hostile_record(number: int, text: str, parent: str) -> list[bytes]:
    """Return records of one turn in which ``text`` is everywhere."""
    key = f"{number}{text}"
    given = {"thought": text, "thoughtNumber": number + 1, "totalThoughts": 99, "nextThoughtNeeded": True}
    calls = [
        claude.call(f"t{key}", "mcp__seq__sequentialthinking", **given),
        claude.call(
            f"b{key}", f"mcp__{text}__sequentialthinking", **given | {"branchId": text, "branchFromThought": 1}
        ),
        claude.call(f"r{key}", "mcp__seq__sequentialthinking", **given | {"thoughtNumber": text, text: [text]}),
        claude.call(f"o{key}", text, file_path=text, command=text),
        claude.call(f"x{key}", f"Bash{text}", command=f"{text}\n{text}"),
    ]
    records = [claude.user(f"u{key}", parent, text), claude.line("ai-title", aiTitle=text, sessionId=text)]
    parent = f"u{key}"
    blocks = [claude.thinking(text), *calls, claude.text(text)]
    for place, block in enumerate(blocks):
        uuid = f"{place}{key}"
        records.append(claude.assistant(uuid, parent, f"m{place}{key}", block, model=text, stop=text))
        parent = uuid
    for place, call in enumerate(calls):
        uuid, name = f"{place}-{key}", str(call["id"])
        records.append(claude.user(uuid, parent, [claude.result(name, text, is_error=place in {2, 4})]))
        parent = uuid
    boundary = claude.line("system", f"c{key}", None, subtype="compact_boundary", content=text)
    return [*records, boundary, claude.user(f"l{key}", parent, f"{text} last")]


def write_hostile_session(home: Path, folder: str, texts: dict[str, str]) -> Path:
    """Write a session of Claude Code with a subagent, of hostile names and texts."""
    path = home / ".claude" / "projects" / folder / f"{NAME}.jsonl"
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    everything = " | ".join(texts.values())
    lines = [claude.user("first", None, everything, cwd=everything, version=everything, sessionId=everything)]
    for number, text in enumerate(texts.values()):
        lines += hostile_record(number, text, "first")
    lines.append(claude.assistant("a", "first", "ma", claude.call("agent", "Agent", description=everything)))
    path.write_bytes(b"\n".join([*lines, b""]))
    meta = {"agentType": everything, "description": everything, "toolUseId": "agent", "spawnDepth": 1}
    (agents / "agent-a1.meta.json").write_text(json.dumps(meta), encoding="utf-8")
    given = {"thought": everything, "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": False}
    inner = [
        claude.user("sub", None, everything, agentId="a1", isSidechain=True),
        claude.assistant(
            "sub2",
            "sub",
            "m2",
            claude.call("s1", "mcp__s__sequentialthinking", **given),
            agentId="a1",
            isSidechain=True,
            model=everything,
        ),
        claude.user("sub3", "sub2", [claude.result("s1")], agentId="a1", isSidechain=True),
    ]
    (agents / "agent-a1.jsonl").write_bytes(b"\n".join([*inner, b""]))
    return path


@pytest.fixture
def session() -> Path:
    return write_hostile_session(Path(os.environ["HOME"]), "-w", HOSTILE)


def test_nothing_hostile_of_a_transcript_leaves_the_viewer(session: Path, tmp_path: Path) -> None:
    tour = Tour(tmp_path, "watch", "--journal-dir", tmp_path / "none", "--sources", "claude", size=(150, 44))
    with tour.terminal as terminal:
        terminal.until("77")
        tour.do("v" + "g" + "j" * 60, "77")
        tour.do("t" + "k" * 20 + "m" + "j" * 20 + "?", "Signs")
        tour.do("qs", "copy id", "going on")  # its rows may come later than its keys
        tour.do("jj" + "y", "\x1b]52;c;")
        tour.check()
    assert session.exists()


COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("show", "FILE"),
    "show all of it": ("show", "FILE", "--full", "--native", "--width", "300"),
    "timeline": ("show", "FILE", "--timeline", "--ascii", "--native"),
    "sessions": ("sessions", "--journal-dir", "DIR"),
    "Markdown": ("export", "FILE", "--format", "md"),
    "page": ("export", "FILE", "--format", "html"),
    "JSON": ("export", "FILE", "--format", "json"),
}


@pytest.mark.parametrize("name", first(2, COMMANDS))
def test_nothing_hostile_of_a_transcript_leaves_a_command(
    name: str, session: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [word.replace("FILE", str(session)).replace("DIR", str(tmp_path)) for word in COMMANDS[name]]
    status = main(words)
    said = capfd.readouterr()

    assert status == 0
    assert said.out or name == "sessions"
    assert not invisible_chars(said.out) - {"\n"}
    assert not invisible_chars(said.err) - {"\n"}
