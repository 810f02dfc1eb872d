"""Mistakes that a strict type checker must find: one in each line that says so, and no other."""

from typing import Literal

from pydantic import BaseModel

import seqthink
from seqthink.dialogue import Dialogue, FormQuestion, FormQuestions


class Seat(BaseModel):
    side: Literal["window", "aisle"]


class Meal(BaseModel):
    vegetarian: bool


class Trip(FormQuestions):
    seat = FormQuestion("Which seat?", Seat)
    meal = FormQuestion("Which meal?", Meal)


async def ask(dialogue: Dialogue) -> None:
    answers = await dialogue.elicits(Trip)
    print(answers.sea)  # mistake: there is no such question
    print(answers.seat.side)  # mistake: the answer may be declined
    if answers.seat.content and answers.meal.content:
        print(answers.seat.content.vegetarian)  # mistake: another question's form
        print(answers.meal.content.vegetarian, answers.seat.content.side)
    answers.seat = 1  # mistake: answers cannot be set
    await dialogue.sample([], purpose="p", max_token=1)  # mistake: no such option
    FormQuestion("?", int)  # mistake: no model


def read() -> None:
    journal = seqthink.open_journal(5)  # mistake: no path
    print(journal.thoughts[0].target.number)  # mistake: there may be no target
    journal.thoughts[0] = journal.thoughts[1]  # mistake: read-only
    print(seqthink.nothing)  # mistake: no such name
