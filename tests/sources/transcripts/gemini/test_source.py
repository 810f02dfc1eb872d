import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.facts import AgentStarted, Fact, Prompt, SessionDescribed, TurnEnded
from seqthink.sources.transcripts.gemini.source import GeminiSource
from seqthink.sources.transcripts.source import SessionFeed
from tests.sources.transcripts.gemini.test_records import HEADER, SESSION, call, model, of, user

KID = "1a57cd8d-5b7e-44df-bbcb-7ae7405c7632"
OTHER = "0b604766-c3e3-4424-ba95-637ddb06728b"


class Home:
    """A folder of Gemini CLI in which sessions are written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / ".gemini"
        self.written = 0

    def write(self, name: str, records: list[Any], project: str = "work") -> Path:
        path = self.folder / "tmp" / project / "chats" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(record) + "\n" for record in records))
        self.written += 1
        os.utime(path, (1_000 + self.written, 1_000 + self.written))
        return path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def header(session: str) -> dict[str, Any]:
    return HEADER | {"sessionId": session}


def all_facts(feed: SessionFeed, limit_bytes: int = 4_096) -> list[Fact]:
    facts: list[Fact] = []
    for _ in range(1_000):
        batch = feed.read(limit_bytes)
        facts += batch.facts
        if batch.at_end:
            return facts
    raise AssertionError("the feed does not come to its end")


def test_the_folder_is_below_that_of_the_environment_or_home() -> None:
    assert GeminiSource().folder({"GEMINI_CLI_HOME": "/x"}, Path("/home/ada")) == Path("/x/.gemini")
    assert GeminiSource().folder({}, Path("/home/ada")) == Path("/home/ada/.gemini")


def test_sessions_of_all_projects_are_listed_newest_first_without_subagents(home: Home) -> None:
    main = home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION), user("u1", "why?")])
    home.write(f"{SESSION}/{KID}.jsonl", [header(KID) | {"kind": "subagent"}])
    home.write("session-2026-11-22T17-44-1a57cd8d.jsonl", [header(KID) | {"kind": "subagent"}])
    other = home.write("session-2026-11-22T17-45-0b604766.jsonl", [header(OTHER)], project="other")
    home.write("session-2026-11-22T17-45-0b604766.jsonl.unreadable-17", [header(OTHER)], project="other")

    found = GeminiSource().find(home.folder, 10)

    assert [(one.id, one.path) for one in found] == [(OTHER, other), (SESSION, main)]
    assert [one.id for one in GeminiSource().find(home.folder, 1)] == [OTHER]


def test_a_stray_file_of_a_resume_and_the_document_before_are_no_sessions_of_their_own(home: Home) -> None:
    main = home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION), user("u1", "why?")])
    home.write("session-2026-11-22T17-43-0a970a83.json", [header(SESSION) | {"messages": [user("u1", "why? " * 99)]}])
    home.write("session-2026-11-22T17-46-0a970a83.jsonl", [header(SESSION)])

    found = GeminiSource().find(home.folder, 10)

    assert [(one.id, one.path) for one in found] == [(SESSION, main)]
    assert found[0].changed == 1_003_000_000


def test_a_session_is_read_with_its_subagents_also_those_that_come_later(home: Home) -> None:
    home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION), user("u1", "why?")])
    source = GeminiSource()
    feed = source.open(source.find(home.folder, 10)[0])
    first = all_facts(feed)

    kid = home.write(f"{SESSION}/{KID}.jsonl", [header(KID), user("u2", "look")])
    home.write(f"{KID}/{OTHER}.jsonl", [header(OTHER), user("u3", "deeper")])
    later = all_facts(feed)

    assert [(one.text, one.agent) for one in of(Prompt, first)] == [("why?", None)]
    assert [(one.text, one.agent) for one in of(Prompt, later)] == [("look", KID), ("deeper", OTHER)]
    assert [(one.id, one.agent) for one in of(AgentStarted, later)] == [(KID, None), (OTHER, KID)]
    assert kid in feed.agent_files


def test_subagents_whose_session_is_gone_are_listed_themselves(home: Home) -> None:
    main = home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION), user("u1", "why?")])
    kid = home.write(f"{SESSION}/{KID}.jsonl", [header(KID) | {"kind": "subagent"}, user("u2", "look")])
    deeper = home.write(f"{KID}/{OTHER}.jsonl", [header(OTHER) | {"kind": "subagent"}, user("u3", "deeper")])
    source = GeminiSource()

    listed = [one.id for one in source.find(home.folder, 10)]
    main.unlink()
    alone = source.find(home.folder, 10)

    assert listed == [SESSION]
    assert [(one.id, one.path) for one in alone] == [(OTHER, deeper), (KID, kid)]
    assert [fact.text for one in alone for fact in of(Prompt, all_facts(source.open(one)))] == ["deeper", "look"]


def test_a_text_that_calls_follow_is_no_answer_as_far_as_that_is_read_already(home: Home) -> None:
    said = model("m1", content="Let me look.")
    calls = said | {"toolCalls": [call()]}
    main = [header(SESSION), user("u1", "why?"), said]
    home.write("session-2026-11-22T17-43-0a970a83.jsonl", [*main, calls, model("m2", content="so")])
    source = GeminiSource()
    found = source.find(home.folder, 10)[0]

    at_once = source.open(found).read(1 << 20).facts
    by_parts = all_facts(source.open(found), 100)

    assert [one.text for one in of(TurnEnded, at_once)] == ["so"]
    assert [one.text for one in of(TurnEnded, by_parts)] in (["Let me look.", "so"], ["so"])


@pytest.mark.parametrize("how", ["marker", "registry", "hash", "unknown"])
def test_the_working_folder_comes_from_the_marker_the_registry_or_the_hash(home: Home, how: str) -> None:
    path = "/home/ada/work"
    project = hashlib.sha256(path.encode()).hexdigest() if how == "hash" else "work"
    home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION)], project=project)
    if how == "marker":
        (home.folder / "tmp" / "work" / ".project_root").write_text(f"{path}\n", encoding="utf-8")
    elif how != "unknown":
        name = "work" if how == "registry" else "newer-name"
        (home.folder / "projects.json").write_text(json.dumps({"projects": {path: name}}), encoding="utf-8")
    source = GeminiSource()

    facts = all_facts(source.open(source.find(home.folder, 10)[0]))

    assert [one.cwd for one in of(SessionDescribed, facts)] == [None if how == "unknown" else path]


def test_a_rewritten_document_is_read_whole_again(home: Home) -> None:
    document = header(SESSION) | {"messages": [user("u1", "why?")]}
    path = home.write("session-2026-03-22T17-43-0a970a83.json", [])
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    source = GeminiSource()
    feed = source.open(source.find(home.folder, 10)[0])

    first, unchanged = feed.read(10), feed.read(10)
    path.write_text(json.dumps(document | {"messages": [user("u1", "why?"), user("u2", "and?")]}), encoding="utf-8")
    again = feed.read(10)
    path.write_text("{", encoding="utf-8")
    broken = feed.read(10)

    assert [one.text for one in of(Prompt, first.facts)] == ["why?"]
    assert (unchanged.facts, unchanged.at_end, unchanged.restarted) == ([], True, False)
    assert [one.text for one in of(Prompt, again.facts)] == ["why?", "and?"]
    assert again.restarted
    assert (broken.facts, feed.counts.corrupt) == ([], 1)


def test_a_file_is_recognised_by_its_first_line(tmp_path: Path) -> None:
    source = GeminiSource()
    path = tmp_path / "copy.jsonl"
    path.write_text(json.dumps(HEADER) + "\n", encoding="utf-8")
    head = path.read_bytes()

    assert source.recognises(path, head)
    assert source.recognises(tmp_path / "old.json", json.dumps(HEADER, indent=2).encode())
    assert not source.recognises(path, b'{"type":"user","sessionId":"a"}\n')
    assert not source.recognises(tmp_path / "copy.db", head)
    assert [one.id for one in source.sessions_in(path)] == [SESSION]


def test_the_folders_of_chats_are_watched_the_newest_first(home: Home) -> None:
    old = home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION)]).parent
    new = home.write("session-2026-11-22T17-45-0b604766.jsonl", [header(OTHER)], project="other").parent
    os.utime(old, (1_000, 1_000))

    assert list(GeminiSource().watched_folders(home.folder)) == [new, old, home.folder / "tmp"]
    assert list(GeminiSource().watched_folders(home.folder / "none")) == []


def test_a_session_whose_first_line_is_damaged_is_listed_by_its_name(home: Home) -> None:
    path = home.write("session-2026-11-23T06-58-810b5608.jsonl", [user("u1", "why?"), model("m1", content="so")])
    path.write_bytes(b'{"sessionId": "810b56\n' + path.read_bytes())
    source = GeminiSource()
    [found] = source.find(home.folder, 10)

    assert found.id == "810b5608"
    assert source.recognises(path, path.read_bytes())
    assert source.sessions_in(path)[0].id == "810b5608"
    assert [fact.text for fact in all_facts(source.open(found)) if isinstance(fact, Prompt | TurnEnded)] == [
        "why?",
        "so",
    ]


def test_what_two_files_of_one_session_hold_is_shown_once(home: Home) -> None:
    shared = [user("u1", "why?"), model("m1", content="so")]
    home.write("session-2026-11-22T17-43-0a970a83.jsonl", [header(SESSION), *shared, user("u2", "and?", second=9)])
    home.write("session-2026-11-22T17-46-0a970a83.jsonl", [header(SESSION), *shared, user("u3", "else?", second=19)])
    home.write("session-2026-11-22T17-47-0a970a83.jsonl", [header("0a970a83-other"), user("u4", "mine?")])
    source = GeminiSource()
    found = next(one for one in source.find(home.folder, 10) if one.id == SESSION)

    prompts = {fact.id: fact.text for fact in all_facts(source.open(found)) if isinstance(fact, Prompt)}
    assert prompts == {"u1": "why?", "u2": "and?", "u3": "else?"}


@pytest.mark.parametrize("damaged", [b"810b\0\0\0\0", b"{", b"810b{"], ids=["NULs", "glued", "cut and glued"])
def test_a_session_id_with_control_characters_is_no_id(home: Home, damaged: bytes) -> None:
    path = home.write("session-2026-11-23T06-58-810b5608.jsonl", [user("u1", "why?"), model("m1", content="so")])
    path.write_bytes(b'{"sessionId": "%s", "projectHash": "d5be3b06"}\n%s' % (damaged, path.read_bytes()))
    source = GeminiSource()

    assert [found.id for found in source.find(home.folder, 10)] == ["810b5608"]
    assert [found.id for found in source.sessions_in(path)] == ["810b5608"]


@pytest.mark.parametrize("nuls", [1, 20_000])
def test_a_session_behind_the_nuls_that_a_crash_left_is_listed(home: Home, nuls: int) -> None:
    path = home.write("session-2026-11-22T17-43-0a970a83.jsonl", [HEADER, user("u1", "why?")])
    path.write_bytes(bytes(nuls) + path.read_bytes())
    source = GeminiSource()

    [found] = source.find(home.folder, 9)
    assert found.id == SESSION
    assert source.recognises(path, path.read_bytes())
    assert source.sessions_in(path)[0].id == SESSION
    assert [fact.text for fact in of(Prompt, all_facts(source.open(found)))] == ["why?"]
