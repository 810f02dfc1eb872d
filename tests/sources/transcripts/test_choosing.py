"""What a file is follows from its content; an id, a prefix and `last` are looked for in all clients' folders."""

import os
import shutil
from pathlib import Path

import pytest

from seqthink.core.errors import UsageError
from seqthink.sources.transcripts.choosing import (
    ClientFolders,
    UnreadableTranscriptError,
    is_written_as_a_file,
    sessions_of_file,
)
from seqthink.sources.transcripts.facts import Prompt
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from tests.support.depth import first
from tests.support.servers.commands import SHOP_API
from tests.support.transcripts.claude_lines import SESSION, assistant, line, text, user
from tests.support.transcripts.imports import sessions_of
from tests.support.transcripts.recorded import RUNS, lay_out

ALL = frozenset(TRANSCRIPTS)


def transcripts_in(home: Path) -> list[Path]:
    names = ("*.jsonl", "opencode.db", "kilo.db", "*.messages.json")
    return [path for name in names for path in home.rglob(name) if path.name not in {"history.jsonl"}]


@pytest.mark.parametrize("run", first(6, RUNS))
def test_each_file_of_a_session_leads_to_the_session(run: str, tmp_path: Path) -> None:
    home = lay_out(run, tmp_path / "home")
    listed = {(session.source.name, session.found.id) for session in sessions_of(home)}
    files = transcripts_in(home)

    assert files
    for path in files:
        chosen = {(session.source.name, session.found.id) for session in sessions_of_file(str(path))}
        assert chosen, path
        assert chosen <= listed, path


@pytest.mark.parametrize("run", [run for run in RUNS if not run.endswith("/rewind")])
def test_a_file_is_recognised_under_another_name_in_another_place(run: str, tmp_path: Path) -> None:
    home = lay_out(run, tmp_path / "home")
    (session, *_) = sessions_of(home)
    elsewhere = tmp_path / "elsewhere" / f"x{session.found.path.suffix}"
    elsewhere.parent.mkdir()
    shutil.copy(session.found.path, elsewhere)
    chosen = sessions_of_file(str(elsewhere))

    assert session.source.name in {one.source.name for one in chosen}
    assert {one.found.path for one in chosen} == {elsewhere}


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    (session,) = sessions_of(lay_out("codex/one-call", tmp_path / "home"))
    link = tmp_path / "link.jsonl"
    link.symlink_to(session.found.path)

    assert [one.found.path for one in sessions_of_file(str(link))] == [session.found.path]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (
            b"",
            "not a transcript that seqthink knows; it reads those of Claude Code, Cline CLI, Codex, Copilot CLI",
        ),
        (b"\x00\xff" * 50, "not a transcript"),
        (b"{}\n" * 10, "not a transcript"),
        (b'{"type":"user"}\n', "not a transcript"),
        (b"SQLite format 3\x00" + bytes(4000), "not a transcript"),
        (SHOP_API.read_bytes(), "is a seqthink journal already"),
    ],
)
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".db", ""])
def test_another_file_is_refused_with_what_is_known(tmp_path: Path, content: bytes, part: str, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(content)

    with pytest.raises(UsageError, match=part):
        sessions_of_file(str(path))


@pytest.mark.parametrize(
    "reference", ["./none.jsonl", "/none/x.jsonl", "./\0", "./\ud800", "./" + "x" * 300, "~nobody/x"]
)
def test_a_file_that_is_not_there_is_named(reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises((UsageError, UnreadableTranscriptError)):
        sessions_of_file(reference)


def test_a_folder_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a file in it, or import all that the clients have with --all"):
        sessions_of_file(str(tmp_path))


def test_a_file_without_permission_is_no_wrong_usage(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}\n")
    if os.geteuid():
        path.chmod(0)
    else:
        os.chown(path, 12_345, 12_345)  # root may read it, but it is another user's

    with pytest.raises(UnreadableTranscriptError, match=r"[Pp]ermission denied|belongs to another user"):
        sessions_of_file(str(path))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")

    with pytest.raises(UnreadableTranscriptError, match="not a regular file"):
        sessions_of_file(str(tmp_path / "pipe.jsonl"))


def test_a_session_is_found_by_its_id_and_by_a_prefix_in_every_client(tmp_path: Path) -> None:
    home = tmp_path / "home"
    agents = [f"{client}/agents" for client in ("claude", "codex", "copilot", "gemini", "kilo", "opencode", "qwen")]
    for run in (*agents, "pi/chain", "cline/two-agents"):
        lay_out(run, home)
    folders = ClientFolders(ALL, {}, home)
    sessions = folders.all_sessions()

    assert {session.source.name for session in sessions} == ALL
    for session in sessions:
        assert folders.named_session(session.found.id).found == session.found
        assert folders.named_session(session.found.id[:-2]).found == session.found
        with pytest.raises(UsageError, match="no session"):
            folders.named_session(session.found.id + "x")
    with pytest.raises(UsageError, match=r"'\.\./\.\.' in .*; name one by its id, a unique prefix, `last`, or a file"):
        folders.named_session("../..")


def test_a_prefix_of_two_sessions_names_both(tmp_path: Path) -> None:
    home = lay_out("claude/agents", tmp_path / "home")
    (session,) = sessions_of(home)
    other = session.found.path.with_name(f"{session.found.id[:20]}-other.jsonl")
    other.write_bytes(
        session.found.path.read_bytes()
        .replace(b'"uuid":"', b'"uuid":"e')
        .replace(b'"parentUuid":"', b'"parentUuid":"e')
    )

    with pytest.raises(UsageError, match=r"could be .*, .* type more of it"):
        ClientFolders(ALL, {}, home).named_session(session.found.id[:20])


def test_a_session_in_two_folders_is_one_and_has_what_both_hold(tmp_path: Path) -> None:
    projects = tmp_path / ".claude" / "projects"
    old, new = (projects / name / f"{SESSION}.jsonl" for name in ("-home-ada-work", "-home-ada-work-moved"))
    beginning = [user("u1", None, "why?"), assistant("a1", "u1", "m1", text("so"), stop="end_turn")]
    typed = {"operation": "remove", "content": "hurry", "reason": "absorbed_mid_turn"}
    parts = {
        old: [line("queue-operation", **typed), user("u2", "a1", "there?", after=2)],
        new: [user("u3", "a1", "here?", after=3)],
    }
    for changed, (path, own) in enumerate(parts.items(), start=1):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"".join(each + b"\n" for each in [*beginning, *own]))
        os.utime(path, (changed, changed))
    chosen = ClientFolders(ALL, {}, tmp_path).named_session(SESSION[:8])
    facts = chosen.source.open(chosen.found).read(1 << 20).facts

    assert chosen.found.path == new
    prompts = {(fact.text, fact.agent): fact.id for fact in facts if isinstance(fact, Prompt)}
    assert sorted(prompts, key=str) == [("here?", None), ("hurry", None), ("there?", None), ("why?", None)]


@pytest.mark.parametrize("run", ["claude/rewind", "codex/rewind", "gemini/rewind"])
@pytest.mark.parametrize("left", [bytes(900), bytes(900) + b"\n", b'{"pare'])
def test_a_file_is_recognised_behind_what_a_crash_left(run: str, left: bytes, tmp_path: Path) -> None:
    home = lay_out(run, tmp_path / "home")
    path = sessions_of(home)[0].found.path
    path.write_bytes(left + path.read_bytes())

    assert [one.source.name for one in sessions_of_file(str(path))] == [run.partition("/")[0]]


def test_last_is_the_one_that_changed_last_and_since_leaves_out_older_ones(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for run in ("claude/rewind", "codex/one-call"):
        lay_out(run, home)
    folders = ClientFolders(ALL, {}, home)
    paths = {session.source.name: session.found.path for session in folders.all_sessions()}
    os.utime(paths["claude"], (1_000, 1_000))
    os.utime(paths["codex"], (2_000, 2_000))

    assert folders.last_session().source.name == "codex"
    assert [session.source.name for session in folders.all_sessions(1_500_000_000)] == ["codex"]
    assert [session.source.name for session in folders.all_sessions(1_000_000_000)] == ["codex", "claude"]
    with pytest.raises(UsageError, match=r"no sessions of other programs in .*gemini; name a file"):
        ClientFolders(frozenset({"gemini"}), {}, home).last_session()


@pytest.mark.parametrize("reference", ["a/b", "./a", "../a", "~/a", "x.jsonl", "x.db", "rollout.jsonl.zst", "a.json"])
def test_what_is_written_as_a_file_is_no_id(reference: str) -> None:
    assert is_written_as_a_file(reference)
    assert not is_written_as_a_file("51811c40-047e-4c53-946f-85e2e64dcf67")
    assert not is_written_as_a_file("ses_df8ce76e9ffeZd9nry1snq2d3u")
