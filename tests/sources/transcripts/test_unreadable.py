"""What of a client's folder cannot be read is said wherever sessions are listed."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from seqthink.cli.common import print_left_out
from seqthink.cli.session_reference import resolve_session
from seqthink.connect.doctor.transcript_checks import transcript_checks
from seqthink.core.errors import UsageError
from seqthink.drawing.panels.welcome_screen import welcome_lines
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.choosing import UnknownTranscriptError, UnreadableTranscriptError, sessions_of_file
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.imports.importing import Importer, Outcome
from seqthink.sources.transcripts.registry import TRANSCRIPTS, load_source
from seqthink.sources.transcripts.unreadable import WHAT_TO_DO, gathered, is_unknown_format, skipped_link
from tests.sources.transcripts.codex.rollouts import meta as codex_meta

THREAD = "0198c0de-3f1a-7c20-9a0b-5d1e8a2b7c02"
PLACES = {
    "claude": ".claude/projects/-home-ada/aaaaaaaa-0000-4000-8000-000000000001.jsonl",
    "codex": f".codex/sessions/2026/11/26/rollout-2026-11-26T20-00-00-{THREAD}.jsonl",
    "copilot": ".copilot/session-state/99999999-0000-4000-8000-000000000001/events.jsonl",
    "gemini": ".gemini/tmp/shop/chats/session-2026-11-26T20-00-99999999.jsonl",
    "kilo": ".local/share/kilo/kilo.db",
    "opencode": ".local/share/opencode/opencode.db",
    "qwen": ".qwen/projects/-home-ada/chats/aaaaaaaa-0000-4000-8000-000000000001.jsonl",
    "pi": f".pi/agent/sessions/--home-ada--/2026-11-26T20-00-00-000Z_{THREAD}.jsonl",
    "cline": ".cline/data/sessions/1795950853102_shfw5/1795950853102_shfw5.messages.json",
}
SAID = {
    "claude": "Claude Code's file has a format that this version cannot read",
    "codex": "Codex's file has a format that this version cannot read",
    "copilot": "Copilot CLI's file has a format that this version cannot read",
    "gemini": "Gemini CLI's file has a format that this version cannot read",
    "kilo": "Kilo's database has a format that this version cannot read",
    "opencode": "OpenCode's database has a format that this version cannot read",
    "qwen": "Qwen Code's file has a format that this version cannot read",
    "pi": "pi's file has a format that this version cannot read",
    "cline": "Cline CLI's file has a format that this version cannot read",
}


def _write_strange(home: Path, client: str) -> Path:
    path = home / PLACES[client]
    path.parent.mkdir(parents=True)
    if path.suffix == ".db":
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE session_v3 (id TEXT PRIMARY KEY)")
        connection.close()
    else:
        path.write_text("".join(json.dumps({"kind": "turn", "n": n}) + "\n" for n in range(5)), encoding="utf-8")
    return path


def _library(home: Path, *names: str) -> TranscriptPlace:
    environ = {"XDG_RUNTIME_DIR": str(home)}
    return TranscriptPlace(frozenset(names or TRANSCRIPTS), environ, home, lambda: 0)


def test_a_database_that_the_user_names_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = _write_strange(tmp_path, "opencode")

    with pytest.raises(UnreadableTranscriptError) as refused:
        sessions_of_file(str(path))

    assert str(refused.value) == f"{path}: {SAID['opencode']}{WHAT_TO_DO}"


@pytest.mark.parametrize("client", TRANSCRIPTS)
def test_a_format_that_is_not_known_is_said_by_the_list_and_by_doctor(tmp_path: Path, client: str) -> None:
    path = _write_strange(tmp_path, client)
    library = _library(tmp_path)

    library.refresh()
    for file in library.sessions():
        library.spools.read_head(file.path)
    left_out = "; ".join(library.report.left_out)
    library.refresh()
    left_out_again = "; ".join(library.report.left_out)
    library.close()
    checks = transcript_checks({}, tmp_path)

    assert left_out == left_out_again == f"{SAID[client]}: {path}"
    assert [(check.subject, check.verdict, check.detail) for check in checks] == [(client, "warning", left_out)]


def test_the_waiting_screen_says_what_cannot_be_read() -> None:
    lines = welcome_lines(
        cells=60, rows=30, choices=("all", "codex"), chosen=0, command="seqthink setup", folder="~", places=[],
        newest_session="", signs=UNICODE, left_out=f"{SAID['opencode']}: /home/ada/opencode.db",
    )  # fmt: skip

    assert SAID["opencode"] in " ".join(" ".join(spans_text(line).split()) for line in lines)


def test_a_database_that_is_named_says_that_its_format_is_not_known(tmp_path: Path) -> None:
    path = _write_strange(tmp_path, "opencode")

    with pytest.raises(UnreadableTranscriptError, match=SAID["opencode"]):
        sessions_of_file(str(path))


@pytest.mark.parametrize("client", ["claude", "codex", "gemini", "qwen", "pi", "cline"])
def test_a_file_that_is_named_says_that_its_format_is_not_known_and_what_to_do(tmp_path: Path, client: str) -> None:
    path = _write_strange(tmp_path, client)

    with pytest.raises(UnknownTranscriptError) as caught:
        resolve_session(str(path), tmp_path)

    assert str(caught.value) == (
        f"{SAID[client]}: {path}; update seqthink, or send us what `seqthink doctor --report` prints"
    )


def test_a_known_first_record_before_unknown_ones_is_said_by_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "named.jsonl"
    path.write_bytes(codex_meta() + b"\n" + b'{"kind":"turn"}\n' * 5)

    with pytest.raises(UsageError, match=SAID["codex"]):
        resolve_session(str(path), tmp_path)


def test_another_file_is_no_file_of_a_client(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text('{"kind":"turn"}\n', encoding="utf-8")

    assert resolve_session(str(path), tmp_path) == path


def test_links_are_said_in_one_line_and_not_in_a_status_bar(capsys: pytest.CaptureFixture[str]) -> None:
    budget = Budget()
    for sentence in (skipped_link("/a"), "a database is damaged", skipped_link("/b")):
        budget.leave_out(sentence)

    print_left_out(budget)
    all_said = capsys.readouterr().err
    print_left_out(budget, has_links=False)
    said = capsys.readouterr().err

    assert all_said.splitlines() == [
        "seqthink: a database is damaged",
        "seqthink: 2 links are not followed, so their sessions are not listed: /a, /b "
        "(`seqthink show FILE` takes each by name)",
    ]
    assert said == "seqthink: a database is damaged\n"
    assert gathered([skipped_link("/a")]) == [skipped_link("/a")]


def test_what_was_not_looked_at_in_time_is_counted_apart_from_what_cannot_be_read() -> None:
    budget = Budget(3.0)
    budget.leave_out(f"the sessions were not listed {budget.words}")
    budget.leave_out(skipped_link("/a"))

    assert (budget.missed, len(budget.left_out)) == (1, 2)


def test_a_column_that_is_missing_is_a_format_that_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / PLACES["opencode"]
    path.parent.mkdir(parents=True)
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE session_v2 (id); CREATE TABLE session_message (id)")
    connection.close()
    library = _library(tmp_path)

    library.refresh()
    left_out = "; ".join(library.report.left_out)
    library.close()

    assert left_out == f"{SAID['opencode']}: {path}"


def test_an_empty_database_is_no_unknown_format(tmp_path: Path) -> None:
    path = tmp_path / PLACES["opencode"]
    path.parent.mkdir(parents=True)
    path.touch()
    library = _library(tmp_path)

    library.refresh()
    left_out, listed = "; ".join(library.report.left_out), library.sessions()
    library.close()

    assert (left_out, listed) == ("", [])


async def test_an_import_names_the_format_as_the_reason(tmp_path: Path) -> None:
    _write_strange(tmp_path, "codex")
    source = load_source("codex")
    [found] = source.find(source.folder({}, tmp_path), 10)

    done = Importer(tmp_path / "journals", now=0, sleep=lambda _seconds: None).run(source, found, lambda _bytes: None)

    assert (done.outcome, done.error) == (Outcome.FAILED, SAID["codex"])


@pytest.mark.parametrize(
    ("read", "unknown", "has_content", "expected"),
    [(0, 0, False, False), (1, 1, False, True), (2, 1, False, False), (9, 8, False, True), (9, 8, True, False)],
)
def test_one_known_record_at_the_beginning_is_no_known_format(
    read: int, unknown: int, *, has_content: bool, expected: bool
) -> None:
    assert is_unknown_format(ReadCounts(read=read, unknown=unknown), has_content=has_content) is expected


LINKS: dict[str, Callable[[Path], Path]] = {
    "claude": lambda home: home / ".claude/projects/-home-ada",
    "codex": lambda home: home / ".codex/sessions/2026",
    "gemini": lambda home: home / ".gemini/tmp/shop",
}


@pytest.mark.parametrize("client", LINKS)
def test_a_linked_folder_is_not_followed_and_that_is_said(tmp_path: Path, client: str) -> None:
    link = LINKS[client](tmp_path)
    link.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    link.symlink_to(tmp_path / "elsewhere")
    library = _library(tmp_path)

    library.refresh()
    left_out = "; ".join(library.report.left_out)
    library.close()
    checks = transcript_checks({}, tmp_path)

    assert f"a link is not followed, so its sessions are not listed: {link} " in left_out
    assert [(check.detail, check.fix) for check in checks] == [
        (left_out, "put the folder itself there in place of the link")
    ]
