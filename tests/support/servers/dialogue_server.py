"""A server whose tools ask the client whatever a test wants.

``python -m tests.support.servers.dialogue_server FOLDER`` starts it; without a folder it forks one for each request of
a `WarmServer`, since to load the SDK takes a second.
It is wired like `seqthink serve`, with other tools: each takes its question as arguments and returns the outcome.
"""

import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal, cast

import anyio
import mcp_types as types
from mcp.server import Server
from pydantic import BaseModel, Field
from typing_extensions import override

from seqthink.cli.serve import make_recorder
from seqthink.cli.serve_options import parse_options
from seqthink.dialogue.channel import Context
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError, NoAnswerError
from seqthink.dialogue.handoff import Handoff, hand_off
from seqthink.dialogue.messages import Message, message_fields, user
from seqthink.server.recording.calls import Call
from seqthink.server.sdk_path import sdk_server
from seqthink.server.setup import Handover, ServerSetup
from seqthink.server.wire.signals import Signals
from seqthink.server.wire.stderr import Stderr
from seqthink.server.wire.stdio import take_over_stdio
from tests.support.servers.warm_server import requests_of_forks, take_over

Arguments = Mapping[str, Any]


class Move(BaseModel):
    """A move in a game."""

    square: Literal["a1", "b2", "c3"]
    score: int = Field(ge=0, le=100)


class Choice(BaseModel):
    """A user's choice."""

    name: str
    size: Literal["small", "large"] = "small"
    count: int | None = None


async def sample(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    exchange = await dialogue.sample([user(arguments["ask"])], purpose="ask", seconds=arguments.get("seconds", 20))
    return {"messages": [*map(message_fields, exchange.messages)], "model": exchange.model}


async def move(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    exchange = await dialogue.sample_schema([user(arguments["ask"])], Move, purpose="move", models=["judge"])
    return {"messages": [*map(message_fields, exchange.messages)], "parsed": exchange.parsed.model_dump()}


async def use(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    tools = [types.Tool(name=name, input_schema={"type": "object"}) for name in ("look", "listen")]
    exchange = await dialogue.sample_tools([user(arguments["ask"])], tools, purpose="use")
    return {"messages": [*map(message_fields, exchange.messages)], "used": [one.name for one in exchange.tool_uses]}


async def elicit(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    seconds, mode = arguments.get("seconds", 20), arguments.get("mode", "form")
    exchange = await dialogue.elicit(arguments["ask"], Choice, purpose="choice", seconds=seconds, mode=mode)
    content = exchange.content.model_dump() if exchange.content else None
    return {"messages": [*map(message_fields, exchange.messages)], "action": exchange.action, "content": content}


async def elicits(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    questions: dict[str, str] = arguments["asks"]
    exchanges = await dialogue.elicits(dict.fromkeys(questions, Choice), questions)
    return {key: one.content and one.content.name for key, one in exchanges.items()}


async def both(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    """Ask model and user at the same time, then report progress and ask once more."""
    made: dict[str, Any] = {}

    async def ask_model() -> None:
        made["model"] = (await dialogue.sample([user("?")], purpose="model")).model

    async def ask_person() -> None:
        made["person"] = (await dialogue.elicit("?", Choice, purpose="person")).action

    async with dialogue.branch() as tasks:
        tasks.start_soon(ask_model)
        tasks.start_soon(ask_person)
    await dialogue.notify(1, 2, "half")
    made["last"] = (await dialogue.elicit(arguments["ask"], Choice, purpose="last")).action
    return made


async def fail(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    """Ask model and user at the same time, and fail as soon as the model has answered."""

    async def ask_model() -> None:
        await dialogue.sample([user(arguments["ask"])], purpose="model")
        raise DialogueError("a child failed")

    async with dialogue.branch() as tasks:
        tasks.start_soon(ask_model)
        tasks.start_soon(partial(dialogue.elicit, arguments["ask"], Choice, purpose="person"))


async def twice(arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    """Ask the user again after the first time limit, and record both exchanges."""
    history: list[Message] = []
    for seconds in arguments["seconds"]:
        try:
            history += (await dialogue.elicit(arguments["ask"], Choice, purpose="again", seconds=seconds)).messages
        except NoAnswerError as error:
            history += [user(str(error))]
    return {"messages": [*map(message_fields, history)]}


async def report(_arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    await dialogue.notify(1, 2, "half")
    await dialogue.log("warning", {"disk": "full"})
    return {}


async def hang(_arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    """Never return."""
    await dialogue.notify(1)
    try:
        await anyio.sleep_forever()
    finally:
        dialogue.write("sample", "hang", error="stopped")


async def trip(_arguments: Arguments, _dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    raise RuntimeError("a mistake in the tool")


class Booking(Handoff[str, Choice | None, dict[str, Any]]):
    """A tool in three phases that records their order."""

    def __init__(self) -> None:
        self.phases: list[str] = []

    @override
    async def before(self) -> str:
        self.phases.append("before")
        return "Which seat?"

    @override
    async def client(self, prepared: str, dialogue: Dialogue) -> Choice | None:
        self.phases.append("client")
        asked = [(await dialogue.elicit(prepared, Choice, purpose=f"seat {turn}")).content for turn in (1, 2)]
        return asked[-1]

    @override
    async def after(self, prepared: str, answered: Choice | None) -> dict[str, Any]:
        self.phases.append("after")
        return {"asked": prepared, "chosen": answered and answered.name, "phases": self.phases}


async def reserve(_arguments: Arguments, dialogue: Dialogue) -> Any:  # noqa: ANN401 - shown as JSON
    return await hand_off(Booking(), dialogue)


TOOLS: Mapping[str, Callable[[Arguments, Dialogue], Awaitable[Any]]] = {
    tool.__name__: tool for tool in (sample, move, use, elicit, elicits, both, fail, twice, report, hang, trip, reserve)
}


def make_server(clients: ClientSessions, record: Callable[[Call], int]) -> Server[Any]:
    """Return a server with all the tools."""

    async def list_tools(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema={"type": "object"}) for name in TOOLS])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = params.arguments or {}

        async def work(dialogue: Dialogue) -> dict[str, Any]:
            try:
                made = await TOOLS[params.name](arguments, dialogue)
            except DialogueError as error:
                made = {"error": type(error).__name__, "text": str(error)}
            text = types.TextContent(text=str(made)).model_dump(by_alias=True, exclude_none=True)
            result: dict[str, Any] = {"content": [text], "structuredContent": made}
            return result | ({"resultType": "complete"} if context.protocol_version == "2026-07-28" else {})

        result = await clients.resume(context, params)
        if result is None:
            result = await clients.answer(context, params, record(Call(params.name, arguments)), work)
        return cast("types.CallToolResult", result)

    server: Server[Any] = Server("dialogue", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    server.middleware.clear()
    clients.register(server)
    return server


def main(folder: str) -> None:
    """Serve on stdin and stdout until the client disconnects."""
    stderr, signals = Stderr(), Signals()
    thinking = make_recorder(parse_options(["--journal-dir", folder], {}), {"DISABLE_THOUGHT_LOGGING": "true"}, stderr)

    def record(call: Call) -> int:
        return thinking.record(call).seq  # refused, since no such tool is known to it: an event for the questions

    setup = ServerSetup(lambda: thinking, take_over_stdio(), signals, stderr.print_line, tools=[])
    reason = sdk_server.run(setup, Handover.at_start(setup.stdio), lambda clients: make_server(clients, record))
    thinking.end(reason)


def _fork_for_each() -> None:
    """Be what `WarmServer` asks for servers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if forked := requests_of_forks():
        take_over(*forked)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main(forked[0]["arguments"][-1])


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) > 1 else _fork_for_each()
