"""The sessions of real clients that wrote and edited a file: each of its lines leads to the thought before it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from seqthink.cli.overview.why import run
from seqthink.sources.transcripts.choosing import ClientFolders
from seqthink.sources.transcripts.facts import FileEdit, Result, ToolCall
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from tests.support.audit.repositories import Repo
from tests.support.depth import first
from tests.support.transcripts import recorded

COMMITTED = "2026-11-29T23:00:00Z"
"""After the recordings."""


def edits_in(client: str, home: Path) -> Iterator[FileEdit]:
    """Yield the edits of report.py, in order."""
    [chosen] = ClientFolders(frozenset({client}), os.environ, home).all_sessions()
    feed = chosen.source.open(chosen.found)
    facts = feed.read(1 << 24).facts
    done = {fact.id: fact for fact in facts if isinstance(fact, Result) and not fact.is_error}
    for fact in facts:
        if isinstance(fact, ToolCall) and fact.id in done:
            yield from (edit for edit in done[fact.id].edits or fact.edits if edit.path.endswith("report.py"))


def text_after(edits: Iterator[FileEdit]) -> str:
    text = ""
    for edit in edits:
        text = (edit.after or "") if edit.kind == "write" else text.replace(edit.before or "", edit.after or "", 1)
    return text


@pytest.mark.parametrize("client", first(3, TRANSCRIPTS))
def test_each_line_of_a_real_session_leads_to_a_thought(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home-of-client"
    recorded.lay_out(f"{client}/writing", home)
    monkeypatch.setenv("HOME", str(home))
    repo = Repo(tmp_path / "work")  # the folder's name; that of the recording is gone
    repo.write("report.py", text_after(edits_in(client, home)))
    monkeypatch.setenv("GIT_AUTHOR_DATE", COMMITTED)
    monkeypatch.setenv("GIT_COMMITTER_DATE", COMMITTED)
    repo.commit()
    monkeypatch.chdir(repo.root)

    status = run(["--json", "report.py"])

    answers = json.loads(capsys.readouterr().out)["answers"]
    assert status == 0
    assert {answer["level"] for answer in answers} <= {"same text", "same lines"}
    assert {answer["session"]["source"] for answer in answers} == {client}
    assert all(answer["behind"]["text"] for answer in answers)
    edits = {edit["call"] for answer in answers for edit in answer["edits"]}
    assert len(edits) >= 2
