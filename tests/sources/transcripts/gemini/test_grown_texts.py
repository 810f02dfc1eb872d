"""Messages that Gemini CLI wrote again with more text, and those that it gave new ids."""

import json
from pathlib import Path
from typing import Any

import pytest

from seqthink.sources.transcripts.facts import Fact, Prompt, Reasoning, Remark, ToolCall, TurnEnded
from seqthink.sources.transcripts.gemini.grown_texts import MAX_READINGS
from seqthink.sources.transcripts.gemini.source import GeminiSource
from seqthink.sources.transcripts.source import SessionFeed
from tests.sources.transcripts.gemini.test_records import HEADER, at, call, facts_of, model, of, user
from tests.sources.transcripts.gemini.test_source import Home, all_facts

NAME = "session-2026-11-22T17-43-0a970a83.jsonl"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def feed_of(home: Home) -> SessionFeed:
    source = GeminiSource()
    [found] = source.find(home.folder, 9)
    return source.open(found)


def texts_of(facts: list[Fact]) -> list[str]:
    """Return what is shown of these facts: those with an id that is known already are not."""
    newest = {(type(fact), fact.id): fact for fact in reversed(facts)}
    shown = [fact for fact in facts if newest[type(fact), fact.id] is fact]
    return [fact.text for fact in shown if isinstance(fact, Prompt | Reasoning | Remark | TurnEnded)]


def thinking(text: str) -> dict[str, Any]:
    return {"subject": "", "description": text, "timestamp": at(3)}


WRITTEN = [
    user("u1", "why"),
    user("u1", "why is it slow?"),
    model("m1", thoughts=[thinking("hm")]),
    model("m1", thoughts=[thinking("hm, the log")], content="Let me"),
    model("m1", thoughts=[thinking("hm, the log")], content="Let me look.", toolCalls=[call()]),
    model("m2", second=5, content="It reads"),
    model("m2", second=5, content="It reads twice."),
    model("m2", second=5, content="It reads"),
]
SHOWN = ["why is it slow?", "hm, the log", "Let me look.", "It reads twice."]


@pytest.mark.parametrize("limit_bytes", [1, 1 << 20])
def test_a_text_that_was_written_again_with_more_of_it_is_emitted_once_and_whole(home: Home, limit_bytes: int) -> None:
    home.write(NAME, [HEADER, *WRITTEN])
    facts, feed = list[Fact](), feed_of(home)
    at_end = False
    while not at_end:
        batch = feed.read(limit_bytes)
        facts, at_end = [*([] if batch.restarted else facts), *batch.facts], batch.at_end

    assert texts_of(facts) == SHOWN
    assert len(of(ToolCall, facts)) == 1


def test_a_text_that_grows_while_its_session_is_followed_is_emitted_again(home: Home) -> None:
    home.write(NAME, [HEADER])
    feed, shown = feed_of(home), list[Fact]()
    for record in WRITTEN:
        home.write(NAME, [record])
        batch = feed.read(1 << 20)
        shown = [*([] if batch.restarted else shown), *batch.facts]

    assert texts_of(shown) == SHOWN


def test_a_text_that_grows_again_and_again_costs_no_more_than_some_readings(home: Home) -> None:
    home.write(NAME, [HEADER])
    feed, shown, restarts = feed_of(home), list[Fact](), 0
    for size in range(1, MAX_READINGS + 4):
        home.write(NAME, [model("m1", content="x" * size)])
        batch = feed.read(1 << 20)
        restarts += batch.restarted
        shown = [*([] if batch.restarted else shown), *batch.facts]

    assert restarts == MAX_READINGS
    assert [len(text) for text in texts_of(shown)] == [MAX_READINGS + 1, MAX_READINGS + 2, MAX_READINGS + 3]


def test_a_text_that_is_shorter_or_another_one_changes_nothing() -> None:
    written = [user("u1", "why is it slow?"), user("u1", "why"), user("u1", "[masked, as it was very long]")]

    assert texts_of(facts_of([HEADER, *written])) == ["why is it slow?"]


def test_words_with_calls_are_emitted_though_the_file_that_was_there_before_had_them_as_an_answer(home: Home) -> None:
    path = home.write(NAME, [HEADER, model("m1", content="Let me look.")])
    feed = feed_of(home)
    before = all_facts(feed)
    path.unlink()
    home.write(NAME, [HEADER, model("m1", content="Let me look.", toolCalls=[call()])])

    assert [type(fact) for fact in before if fact.id == "m1"] == [TurnEnded]
    assert [fact.text for fact in of(Remark, all_facts(feed))] == ["Let me look."]


# Messages with new ids

SAID = [
    user("u1", "go on"),
    model("m1", content="Let me look.", thoughts=[thinking("hm")], toolCalls=[call()]),
    user("u2", "go on", second=10),
    model("m2", second=11, content="ok"),
    user("u3", "go on", second=20),
    model("m3", second=21, content="ok"),
]


def renamed(message: dict[str, Any], **more: object) -> dict[str, Any]:
    return {**message, "id": f"new-{message['id']}", **more}


@pytest.mark.parametrize("fields", [{}, {"timestamp": at(50)}], ids=["same times", "new times"])
def test_messages_that_are_all_written_again_with_new_ids_are_emitted_once(fields: dict[str, str]) -> None:
    again = {"$set": {"messages": [renamed(one, **fields) for one in SAID]}}
    later = [user("u4", "go on", second=51), model("m4", second=52, content="ok")]

    facts = facts_of([HEADER, *SAID, again, again, *later])

    assert texts_of(facts) == ["go on", "hm", "Let me look.", "go on", "ok", "go on", "ok", "go on", "ok"]
    assert len(of(ToolCall, facts)) == 1


def test_of_messages_with_new_ids_those_that_were_not_there_before_are_emitted() -> None:
    new = [renamed(SAID[2]), user("x", "go on", second=30), model("y", content="ok", second=31)]

    assert texts_of(facts_of([HEADER, *SAID[2:4], {"$set": {"messages": new}}])) == ["go on", "ok", "go on"]


def test_a_message_of_a_known_time_and_text_is_known_though_its_id_is_new_and_that_of_others_is_not() -> None:
    again = {"$set": {"messages": [SAID[0], renamed(SAID[2]), renamed(SAID[4], timestamp=at(25))]}}

    assert texts_of(facts_of([HEADER, SAID[0], SAID[2], SAID[4], again])) == ["go on"] * 4


def test_a_message_with_a_new_id_is_known_by_it_from_then_on() -> None:
    again = {"$set": {"messages": [renamed(one) for one in SAID]}}
    longer = renamed(SAID[1], toolCalls=[call(), call("c2")])
    back = {"$rewindTo": "new-u3"}

    facts = facts_of([HEADER, *SAID, again, longer, back, renamed(SAID[4]), user("u3", "go on", second=20)])

    assert [fact.id for fact in of(ToolCall, facts)] == ["c1", "c2"]
    assert texts_of(facts)[-3:] == ["ok", "go on", "go on"]


def test_a_patch_renames_nothing() -> None:
    patch = {"$patch": {"updates": [user("x", "go on", second=30)]}}

    assert texts_of(facts_of([HEADER, SAID[0], patch])) == ["go on", "go on"]


def test_messages_that_call_tools_in_their_content_are_those_that_called_them_otherwise() -> None:
    asked = {"functionCall": {"name": call()["name"], "args": call()["args"]}}
    new = renamed(SAID[1]) | {"content": [{"text": "Let me look."}, asked]}
    del new["toolCalls"]

    facts = facts_of([HEADER, SAID[1], {"$set": {"messages": [new]}}])

    assert texts_of(facts) == ["hm", "Let me look."]
    assert json.dumps(of(ToolCall, facts)[0].arguments) == json.dumps(call()["args"])


def test_of_messages_that_say_the_same_those_with_the_same_thoughts_are_one() -> None:
    said = [model(f"m{number}", content="ok", second=number, thoughts=[thinking(f"hm {number}")]) for number in (1, 2)]
    again = [renamed(said[1], timestamp=at(50)), model("x", content="ok", second=51, thoughts=[thinking("new")])]
    dropped = [renamed({key: value for key, value in one.items() if key != "thoughts"}, second=60) for one in said]

    facts = facts_of([HEADER, *said, {"$set": {"messages": again}}, {"$set": {"messages": dropped}}])

    assert texts_of(facts) == ["hm 1", "ok", "hm 2", "ok", "new", "ok"]
