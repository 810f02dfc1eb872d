"""What `seqthink.dialogue` promises to other people's servers: one place, typed answers, mistakes named at once."""

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

import anyio
import mcp_types as types
import pytest
from pydantic import BaseModel

from seqthink import dialogue as public
from seqthink.dialogue import Dialogue, FormQuestion, FormQuestions, Message, assistant, tool_result, user
from seqthink.dialogue.channel import Outcome, Question
from tests.conftest import PROJECT

Ask = Callable[[Dialogue], Awaitable[Any]]

LOOK = types.Tool(name="look", input_schema={"type": "object"})
RESERVED = types.Tool(name="__schema__", input_schema={"type": "object"})


class Seat(BaseModel):
    side: Literal["window", "aisle"]


class Meal(BaseModel):
    vegetarian: bool


class Trip(FormQuestions):
    seat = FormQuestion("Which seat?", Seat)
    meal = FormQuestion("Which meal?", Meal)


class Host:
    """A client with ready answers, which keeps what it was asked."""

    def __init__(self, *answers: Outcome) -> None:
        self._answers = list(answers)
        self.asked: dict[str, Question] = {}
        self.histories: list[list[Message]] = []

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return types.ClientCapabilities.model_validate({"sampling": {"tools": {}}, "elicitation": {"form": {}}})

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        self.asked |= questions
        for key, question in questions.items():
            if isinstance(question, types.CreateMessageRequest):
                self.histories.append(question.params.messages)
            outcomes[key] = self._answers.pop(0)

    async def left(self) -> None: ...

    async def log(self, level: types.LoggingLevel, data: object) -> None: ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None: ...


def using(*uses: types.ToolUseContent) -> types.CreateMessageResultWithTools:
    return types.CreateMessageResultWithTools(role="assistant", model="m", content=[*uses])


def saying(text: str) -> types.CreateMessageResultWithTools:
    return types.CreateMessageResultWithTools(role="assistant", model="m", content=types.TextContent(text=text))


def sample(*tools: types.Tool, messages: Sequence[Message] = (user("?"),)) -> Ask:
    return lambda dialogue: dialogue.sample(messages, tools=tools, purpose="p")


def sample_schema(messages: Sequence[Message]) -> Ask:
    return lambda dialogue: dialogue.sample_schema(messages, Seat, purpose="p")


def sample_tools(*tools: types.Tool, messages: Sequence[Message] = (user("?"),)) -> Ask:
    return lambda dialogue: dialogue.sample_tools(messages, tools, purpose="p")


def use(use_id: str) -> types.ToolUseContent:
    return types.ToolUseContent(id=use_id, name="look", input={})


def talk(host: Host, work: Ask) -> list[str]:
    """Run ``work``, and return which kinds of events were journaled."""
    kinds: list[str] = []

    async def run() -> None:
        await work(Dialogue(host, lambda kind, _fields: kinds.append(kind), 1, lambda: 0.0))

    anyio.run(run)
    return kinds


def test_everything_public_is_there_and_documented() -> None:
    names = set(public.__all__)

    assert names <= set(dir(public))
    assert {name for name in names - {"Context"} if not getattr(public, name).__doc__} == set()
    with pytest.raises(AttributeError, match="no attribute 'Conversation'"):
        _ = public.Conversation  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType] - there is none


def test_the_package_alone_loads_nothing_heavy() -> None:
    program = "import sys, seqthink.dialogue; print([n for n in ('mcp', 'pydantic', 'anyio') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, check=True)

    assert done.stdout.decode().strip() == "[]"


@pytest.mark.parametrize(
    "ask",
    [sample(LOOK, RESERVED), sample_tools(RESERVED)],
    ids=["sample", "sample_tools"],
)
def test_the_reserved_tool_name_is_refused_before_anything_is_asked(ask: Ask) -> None:
    host = Host(saying("x"))

    with pytest.raises(ValueError, match=r"the tool name '__schema__' is reserved for `sample_schema`"):
        talk(host, ask)
    assert host.asked == {}


@pytest.mark.parametrize(
    "ask",
    [sample(messages=[]), sample_schema([]), sample_tools(LOOK, messages=[])],
    ids=["sample", "sample_schema", "sample_tools"],
)
def test_no_messages_are_a_clear_error(ask: Ask) -> None:
    host = Host(saying("x"))

    with pytest.raises(ValueError, match="there are no messages; the last one is the request"):
        talk(host, ask)
    assert host.asked == {}


@pytest.mark.parametrize(
    ("history", "problem"),
    [
        ([assistant(use("a")), user("?")], "message 2: no tool result for the tool use 'a'"),
        ([assistant(use("a"))], "the last message uses tools; the results of all of them must follow it"),
        ([user(tool_result("a", "x"))], "message 1: a tool result for 'a', which is not a tool use"),
        ([assistant(use("a")), user(tool_result("b", "x"))], "message 2: no tool result for the tool use 'a'"),
        (
            [assistant(use("a")), user(tool_result("a", "x"), tool_result("a", "y"))],
            "message 2: more than one tool result for the tool use 'a'",
        ),
        ([assistant(use("a")), user(tool_result("a", "x"), "and?")], "message 2: tool results stand alone in a user"),
        ([assistant(use("a")), assistant(tool_result("a", "x"))], "message 2: tool results stand alone in a user"),
    ],
    ids=["none", "last", "stray", "other", "twice", "mixed", "assistant"],
)
def test_a_history_whose_uses_and_results_do_not_match_is_never_sent(history: list[Message], problem: str) -> None:
    host = Host(saying("x"))

    with pytest.raises(ValueError, match=f"the messages are not a valid history: {problem}"):
        talk(host, sample(messages=history))
    assert host.asked == {}


def test_a_caller_executes_the_tools_and_goes_on_with_their_results() -> None:
    host = Host(using(use("a"), use("b")), saying("It rains."))
    texts: list[str] = []

    async def work(dialogue: Dialogue) -> None:
        messages = [user("Weather?")]
        exchange = await dialogue.sample(messages, tools=[LOOK], purpose="weather")
        results = [tool_result(exchange.tool_uses[1], "wet"), tool_result("a", "no key", is_error=True)]
        messages += [exchange.response, exchange.tool_results(*results)]
        texts.append((await dialogue.sample(messages, tools=[LOOK], purpose="weather")).text)

    kinds = talk(host, work)

    [_, history] = host.histories
    assert texts == ["It rains."]
    assert kinds == ["asking", "sample"] * 2
    assert history[-1].model_dump(by_alias=True, mode="json", exclude_none=True)["content"] == [
        {"type": "tool_result", "toolUseId": "a", "content": [{"type": "text", "text": "no key"}], "isError": True},
        {"type": "tool_result", "toolUseId": "b", "content": [{"type": "text", "text": "wet"}]},
    ]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], "no tool result for the tool use 'a'"),
        (["a", "c"], "a tool result for 'c', which is not a tool use of the message before it"),
        (["a", "a"], "more than one tool result for the tool use 'a'"),
    ],
)
def test_results_that_do_not_match_the_uses_are_refused(given: list[str], problem: str) -> None:
    async def work(dialogue: Dialogue) -> None:
        exchange = await dialogue.sample([user("?")], tools=[LOOK], purpose="p")
        exchange.tool_results(*(tool_result(one, "x") for one in given))

    with pytest.raises(ValueError, match=problem):
        talk(Host(using(use("a"))), work)


def accepted(**content: str | bool) -> types.ElicitResult:
    return types.ElicitResult.model_validate({"action": "accept", "content": content})


def test_several_forms_at_once_have_each_their_own_answer() -> None:
    host = Host(accepted(side="aisle"), types.ElicitResult(action="decline"))
    answers: list[Trip] = []

    async def work(dialogue: Dialogue) -> None:
        answers.append(await dialogue.elicits(Trip, {"meal": "Hungry?"}))

    talk(host, work)

    [trip] = answers
    messages = {key: one.params.message for key, one in host.asked.items() if isinstance(one, types.ElicitRequest)}
    assert (trip.seat.content, trip.meal.action, trip.meal.content) == (Seat(side="aisle"), "decline", None)
    assert list(trip.exchanges) == ["seat", "meal"]
    assert messages == {"seat": "Which seat?", "meal": "Hungry?"}
    with pytest.raises(AttributeError, match="seat is an answer"):
        setattr(trip, "seat", 1)  # noqa: B010 - the type checker refuses it otherwise


def test_questions_and_their_words_must_fit() -> None:
    with pytest.raises(ValueError, match="there is a message for 'sea', but Trip has no such question"):
        talk(Host(), lambda dialogue: dialogue.elicits(Trip, {"sea": "?"}))
    with pytest.raises(ValueError, match="there is no message for the question 'seat'"):
        talk(Host(), lambda dialogue: dialogue.elicits({"seat": Seat}, {}))


def test_forms_by_keys_that_are_known_at_run_time_still_make_a_dictionary() -> None:
    kept: list[str] = []

    async def work(dialogue: Dialogue) -> None:
        answers = await dialogue.elicits({"x": Seat}, {"x": "?", "unused": "?"})
        kept.append(json.dumps({key: one.content and one.content.side for key, one in answers.items()}))

    talk(Host(accepted(side="window")), work)

    assert kept == ['{"x": "window"}']
