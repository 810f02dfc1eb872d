"""Messages of Gemini CLI whose ids repeat, or are missing: each is shown once."""

import json
from typing import Any

import pytest

from seqthink.sources.transcripts.facts import Prompt, ToolCall, TurnEnded
from seqthink.sources.transcripts.gemini.records import ChatReader
from seqthink.sources.transcripts.source import ReadCounts
from tests.sources.transcripts.gemini.test_records import HEADER, call, facts_of, model, of, user

SAME = [user("m", "Q1"), model("a", content="A1"), user("m", "Q2", second=10), model("a", content="A2", second=11)]
REPEATED = [user("m", "go"), model("a", content="ok"), user("m", "go", second=10), model("a", content="ok", second=11)]
AGAIN = "2026-11-22T17:50:00.000Z"


def words_of(records: list[Any]) -> list[str]:
    """Return the texts of prompts and answers that have different ids."""
    facts = {(type(fact), fact.id): fact for fact in facts_of(records) if isinstance(fact, Prompt | TurnEnded)}
    return [fact.text for fact in facts.values()]


def without_id(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "id"}


@pytest.mark.parametrize("messages", [SAME, REPEATED], ids=["other words", "the same words"])
def test_messages_with_one_id_and_other_times_are_different_ones(messages: list[Any]) -> None:
    appended = words_of([HEADER, *messages])

    assert len(appended) == 4
    assert words_of([HEADER | {"messages": messages}]) == appended


@pytest.mark.parametrize("identifier", ["", None, 7, "left out"])
def test_messages_without_an_id_are_emitted_once_each(identifier: object) -> None:
    messages = [*SAME, model("c", toolCalls=[call("c1")], second=12)]
    unnamed = [without_id(one) if identifier == "left out" else {**one, "id": identifier} for one in messages]

    assert words_of([HEADER, *unnamed, *unnamed]) == ["Q1", "A1", "Q2", "A2"]
    assert len({fact.id for fact in of(ToolCall, facts_of([HEADER, *unnamed]))}) == 1


def test_a_message_that_is_appended_again_with_its_calls_is_the_same_one() -> None:
    said = model("m1", content="let me look")
    facts = facts_of([HEADER, said, {**said, "timestamp": "2026-11-22T17:44:50.000Z", "toolCalls": [call("c1")]}])

    assert len({fact.id for fact in of(TurnEnded, facts)}) == 1
    assert len(of(ToolCall, facts)) == 1


def test_a_message_with_the_id_of_one_that_a_patch_gave_its_calls_is_another_one() -> None:
    asked = model("m1", content="")
    patch = {"$patch": {"updates": [{**asked, "toolCalls": [call("c1")]}]}}
    facts = facts_of([HEADER, asked, patch, model("m1", content="now this", second=30)])

    assert [fact.id for fact in of(TurnEnded, facts)] == ["m1@2"]


def test_a_message_of_another_time_that_only_a_patch_holds_is_another_one() -> None:
    patch = {"$patch": {"updates": [user("m", "Q11", second=10)]}}  # its first record was damaged

    assert words_of([HEADER, user("m", "Q1"), patch]) == ["Q1", "Q11"]


def test_a_patch_without_a_time_is_that_of_the_message_with_its_id() -> None:
    patch = {"$patch": {"updates": [{"id": "m", "type": "user", "content": [{"text": "Q"}]}]}}

    assert words_of([HEADER, user("m", "Q1"), patch]) == ["Q1"]


def test_a_message_that_takes_the_place_of_one_that_was_taken_back_is_another_one() -> None:
    records = [HEADER, user("m", "Q1"), model("a", content="A1"), {"$rewindTo": "m"}]

    assert words_of([*records, user("m", "Q1"), model("a", content="A2")]) == ["Q1", "A1", "Q1", "A2"]


def test_a_picture_without_words_is_a_prompt() -> None:
    picture = user("m", "") | {"content": [{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]}

    assert words_of([HEADER, picture]) == ["[image]"]


@pytest.mark.parametrize("kept", range(1, 5))
@pytest.mark.parametrize("after", ["", ","], ids=["after a message", "after a comma"])
def test_messages_in_a_list_that_was_cut_short_are_those_that_are_known(kept: int, after: str) -> None:
    counts = ReadCounts()
    reader = ChatReader(counts)
    said = [*SAME[:3], model("a", content="A2", second=11)]
    again = [{**one, "id": f"new-{place}", "timestamp": AGAIN} for place, one in enumerate(said)]
    stub = '{"$set":{"messages":[' + ",".join(json.dumps(one) for one in again[:kept]) + after
    glued = f"{stub}{json.dumps(user('m9', 'Q9', second=30))}".encode()
    facts = [*facts_of([HEADER, *said], reader=reader), *reader.read(glued)]

    texts = [fact.text for fact in facts if isinstance(fact, Prompt | TurnEnded)]
    assert texts == ["Q1", "A1", "Q2", "A2", "Q9"]
    assert counts.corrupt == 1
