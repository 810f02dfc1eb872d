"""A program on the public API, as a user with a strict type checker writes it: no error is expected."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, assert_type

from mcp_types import ToolUseContent
from pydantic import BaseModel

import seqthink
from seqthink.dialogue import Dialogue, ElicitExchange, FormQuestion, FormQuestions, Message, tool_result, user


class Seat(BaseModel):
    side: Literal["window", "aisle"]


class Meal(BaseModel):
    vegetarian: bool


class Trip(FormQuestions):
    seat = FormQuestion("Which seat?", Seat)
    meal = FormQuestion("Which meal?", Meal)


def read() -> None:
    with seqthink.open_journal("last", folder=".", redact=True) as journal:
        assert_type(journal, seqthink.Journal)
        assert_type(journal.at(1), seqthink.SessionView)
        assert_type(journal.state, seqthink.State)
        assert_type(journal.id, str | None)
        assert_type(journal.thoughts, Sequence[seqthink.ThoughtView])
        thought = journal.chains[0].lanes[0].thoughts[0]
        assert_type(thought.target, seqthink.ThoughtView | None)
        assert_type((thought.text, thought.time, thought.duration), tuple[str, datetime, timedelta | None])
        for revision, target in journal.revisions:
            assert_type(revision, seqthink.ThoughtView)
            assert_type(target, seqthink.ThoughtView | None)
        for estimated, before, total in journal.estimates:
            assert_type((estimated, before, total), tuple[seqthink.ThoughtView, int | None, int])
        assert_type([refusal.error for refusal in journal.refusals], list[str])
    assert_type(seqthink.sessions(), list[seqthink.SessionFile])


def follow() -> None:
    for entry in seqthink.follow("last", from_start=False):
        assert_type(entry, seqthink.EntryView)
        assert_type(entry.session, seqthink.SessionView)
        assert_type(entry.attachment, seqthink.AttachmentView | None)


async def follow_async() -> None:
    async with seqthink.follow() as entries:
        async for entry in entries:
            assert_type(entry.thought, seqthink.ThoughtView | None)


async def ask(dialogue: Dialogue) -> None:
    answers = await dialogue.elicits(Trip, {"seat": "Which one?"})
    assert_type(answers, Trip)
    assert_type(answers.seat, ElicitExchange[Seat])
    assert_type(answers.meal.content, Meal | None)
    by_key = await dialogue.elicits({"a": Seat, "b": Seat}, {"a": "?", "b": "?"})
    assert_type(by_key, dict[str, ElicitExchange[Seat]])
    assert_type((await dialogue.elicit("?", Meal, purpose="p")).content, Meal | None)
    sampled = await dialogue.sample_schema([user("?")], Seat, purpose="p", max_tokens=9)
    assert_type(sampled.parsed, Seat)
    assert_type(sampled.tool_uses, list[ToolUseContent])
    assert_type(sampled.tool_results(tool_result("id", "x")), Message)
