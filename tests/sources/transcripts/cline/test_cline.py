"""Sessions of Cline CLI, as it wrote them, and documents that grow, shrink and are damaged."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.cline.feed import ClineFeed
from seqthink.sources.transcripts.cline.source import ClineSource
from seqthink.sources.transcripts.cline.state_file import ClineState, process_of
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Fact,
    Prompt,
    Reasoning,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.source import SessionFeed
from tests.support.transcripts.facts_of import facts_of_run, of, read_all
from tests.support.transcripts.recorded import lay_out

SESSION = "1795950930141_cj36t"


class Written:
    """A session that a test writes, message by message."""

    def __init__(self, home: Path) -> None:
        self.folder = home / ".cline/data/sessions" / SESSION
        self.folder.mkdir(parents=True)
        self.messages: list[dict[str, Any]] = []
        self.source = ClineSource()
        self.home = home
        self._time = 1_795_000_000_000_000_000

    def write(self, *messages: dict[str, Any], keep: int | None = None) -> None:
        """Write the first ``keep`` messages, and these behind them."""
        self.messages = [*self.messages[:keep], *messages]
        document = {"version": 1, "updated_at": "2026-11-29T11:00:00.000Z", "messages": self.messages}
        self._put(f"{SESSION}.messages.json", json.dumps(document, indent=2))

    def say(self, status: str, **fields: object) -> None:
        """Write how the session is."""
        about = {"status": status, "pid": os.getpid(), "cwd": "/home/ada/work", **fields}
        self._put(f"{SESSION}.json", json.dumps(about))

    def feed(self) -> SessionFeed:
        (found,) = self.source.find(self.source.folder({}, self.home), 10)
        return self.source.open(found)

    def _put(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")
        self._time += 1_000_000_000
        os.utime(self.folder / name, ns=(self._time, self._time))


def message(number: int, role: str, *content: dict[str, Any]) -> dict[str, Any]:
    return {"id": f"m{number}", "role": role, "content": list(content), "ts": 1_795_000_000_000 + number}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


PROMPT = message(1, "user", text('<user_input mode="act">Why?</user_input>'))
CALL = message(2, "assistant", {"type": "tool_use", "id": "call_12aB34cD", "name": "x", "input": {}})
ANSWER = message(3, "assistant", {"type": "thinking", "thinking": "hm"}, text("So."))
NEXT = message(4, "user", text("And now?"))


def news(feed: SessionFeed) -> list[Fact]:
    return feed.read(1 << 20).facts


def test_thoughts_reasoning_and_failures_are_read(tmp_path: Path) -> None:
    facts = facts_of_run("cline/two-agents", tmp_path)
    mains = [fact for fact in facts if fact.agent is None]
    thoughts = [call for call in of(ToolCall, mains) if call.tool == "sequentialthinking"]

    assert [call.arguments["thoughtNumber"] for call in thoughts] == [1, 2, 2, "abc", 3, 4]
    assert len(of(Reasoning, mains)) == 10
    assert [end.error for end in of(Result, mains) if end.is_error][1] == (
        "exit code 1: cat: no-such-file.log: No such file or directory"
    )
    assert [call.summary for call in of(ToolCall, mains)][2] == "notes.md"
    assert of(Prompt, mains)[0].text == "Why do we see 502s? Ask two others. (play: agents)"
    (described,) = of(SessionDescribed, facts)
    assert (described.cwd, described.client_version, described.title) == ("/home/ada/work", "3.0.65", None)


@pytest.mark.parametrize(("run", "agents"), [("cline/two-agents", 2), ("cline/three-agents", 3)])
def test_subagents_are_joined_to_the_calls_that_asked_them(run: str, agents: int, tmp_path: Path) -> None:
    facts = facts_of_run(run, tmp_path)
    started = of(AgentStarted, facts)
    calls = [call.id for call in of(ToolCall, facts) if call.tool == "spawn_agent"]
    asked = {prompt.agent: prompt.text for prompt in of(Prompt, facts) if prompt.agent is not None}

    assert sorted(one.call or "" for one in started) == sorted(calls)
    assert {one.id: one.name for one in started} == asked
    assert len([end for end in of(TurnEnded, facts) if end.agent is not None]) == agents


def test_a_document_that_is_written_again_gives_only_what_is_new(tmp_path: Path) -> None:
    session = Written(tmp_path)
    session.write(PROMPT, CALL)
    feed = session.feed()

    assert [type(fact) for fact in news(feed)] == [SessionDescribed, Prompt, ToolCall]
    session.write(ANSWER)
    assert [type(fact) for fact in news(feed)] == [Reasoning, TurnEnded]
    assert news(feed) == []


def test_messages_at_the_end_that_are_gone_were_left_behind(tmp_path: Path) -> None:
    session = Written(tmp_path)
    session.write(PROMPT, CALL, ANSWER)
    feed = session.feed()
    news(feed)

    session.write(NEXT, keep=1)

    assert [(type(fact), fact.id) for fact in news(feed)] == [(Rewound, "rewind-call_12aB34cD"), (Prompt, "m4")]


def test_messages_at_the_beginning_that_are_gone_stay(tmp_path: Path) -> None:
    session = Written(tmp_path)
    session.write(PROMPT, CALL, ANSWER)
    feed = session.feed()
    news(feed)

    session.messages = session.messages[2:]
    session.write(NEXT)

    assert [type(fact) for fact in news(feed)] == [Prompt]


def test_a_document_that_is_half_written_leaves_nothing_behind_and_its_damage_is_counted_until_it_is_whole(
    tmp_path: Path,
) -> None:
    session = Written(tmp_path)
    session.write(PROMPT, CALL, ANSWER)
    feed = session.feed()
    news(feed)
    path = session.folder / f"{SESSION}.messages.json"
    whole = path.read_bytes()

    path.write_bytes(whole[: whole.index(b'"m2"')])
    torn = news(feed)
    torn_count = feed.counts.corrupt
    path.write_bytes(whole)

    assert (torn, torn_count) == ([], 1)
    assert news(feed) == []
    assert feed.counts.corrupt == 0


def test_a_turn_that_the_user_stopped_ends_once_the_client_says_that_it_does_not_work(tmp_path: Path) -> None:
    session = Written(tmp_path)
    session.say("idle")
    session.write(PROMPT, CALL)  # the client writes the prompt before it says that it works
    feed = session.feed()

    assert of(TurnEnded, news(feed)) == []
    session.say("running")
    assert of(TurnEnded, news(feed)) == []
    session.say("idle")
    assert [end.is_aborted for end in of(TurnEnded, news(feed))] == [True]
    assert of(TurnEnded, news(feed)) == []


def test_a_title_that_the_user_gave_is_shown_and_one_that_repeats_the_prompt_is_not(tmp_path: Path) -> None:
    session = Written(tmp_path)
    session.write(PROMPT)
    session.say("running", metadata={"title": "Why?"})
    feed = session.feed()

    assert of(SessionDescribed, news(feed))[0].title is None
    session.say("running", metadata={"title": "The pool"})
    assert of(SessionDescribed, news(feed))[0].title == "The pool"


def test_a_process_that_runs_is_the_sessions_and_a_dead_one_says_nothing_while_another_client_may_run() -> None:
    dead = 2**22 + 1  # more than a system gives

    assert process_of(ClineState(process=os.getpid())).is_running is True
    assert process_of(ClineState()).is_running is None
    assert process_of(ClineState(process=dead)).is_running in {None, False}
    assert process_of(ClineState(process=os.getpid(), began=1)).is_running is not True


def test_a_resumed_session_is_one_document_with_both_turns(tmp_path: Path) -> None:
    facts = facts_of_run("cline/resumed", tmp_path)

    assert [prompt.text for prompt in of(Prompt, facts)][-1] == "And if the job has to stay? (play: other)"
    assert of(TurnEnded, facts)[-1].text == "Then make the pool bigger."


def test_the_document_of_a_subagent_leads_to_its_session_and_alone_is_one(tmp_path: Path) -> None:
    home = lay_out("cline/two-agents", tmp_path)
    source = ClineSource()
    (found,) = source.find(source.folder({}, home), 10)
    agent = sorted(found.path.parent.glob("agent_*"))[0]

    assert source.sessions_in(agent)[0].id == found.id
    found.path.unlink()
    (alone,) = source.sessions_in(agent)
    feed = source.open(alone)
    assert isinstance(feed, ClineFeed)
    assert {fact.agent for fact in read_all(feed)} == {None}
