"""The tools that the suite calls: each does by `seqthink.dialogue`, and by nothing else, what the suite wants of it.

Their names, and the keys of what they ask, are the suite's.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal, cast

import mcp_types as types
from mcp import MCPError
from mcp.server import Server
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, WithJsonSchema

from seqthink.dialogue.channel import Context
from seqthink.dialogue.client_sessions import ClientSessions
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError, NotSupportedByClient
from seqthink.dialogue.messages import message_fields, user
from seqthink.dialogue.protocol_versions import STATELESS_VERSION
from seqthink.server.recording.calls import Call

Arguments = Mapping[str, Any]
Tool = Callable[[Arguments, Dialogue], Awaitable[str]]
"""Returns the text of its result."""

_TITLED = [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]


class Contact(BaseModel):
    """Who somebody is and where they are reached."""

    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Named(BaseModel):
    """What somebody is called."""

    name: str


class Colored(BaseModel):
    """What somebody likes."""

    color: str


class Confirmed(BaseModel):
    """Whether something is as it should be."""

    ok: bool


class Defaults(BaseModel):
    """A default for each kind of field."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


class Choices(BaseModel):
    """Each way to spell a choice."""

    untitledSingle: Literal["option1", "option2", "option3"]  # noqa: N815 - the suite's name
    titledSingle: Annotated[  # noqa: N815 - the suite's name
        Literal["value1", "value2"], WithJsonSchema({"type": "string", "oneOf": _TITLED})
    ]
    legacyEnum: Literal["opt1", "opt2"] = Field(  # noqa: N815 - the suite's name
        json_schema_extra={"enumNames": ["Option One", "Option Two"]}
    )
    untitledMulti: list[Literal["option1", "option2", "option3"]]  # noqa: N815 - the suite's name
    titledMulti: list[  # noqa: N815 - the suite's name
        Annotated[Literal["value1", "value2"], WithJsonSchema({"anyOf": _TITLED})]
    ]


async def speak(_arguments: Arguments, _dialogue: Dialogue) -> str:
    """Talk to nobody."""
    return "Nobody was asked."


async def fail(_arguments: Arguments, _dialogue: Dialogue) -> str:
    """Come to nothing."""
    raise DialogueError("this tool always fails")


async def log(_arguments: Arguments, dialogue: Dialogue) -> str:
    """Send three lines for the client's log."""
    for line in ("started", "processing", "completed"):
        await dialogue.log("info", line)
    return "Logged."


async def progress(_arguments: Arguments, dialogue: Dialogue) -> str:
    """Say three times how far it is."""
    for done in (0, 50, 100):
        await dialogue.notify(done, 100)
    return "Done."


async def sample(arguments: Arguments, dialogue: Dialogue) -> str:
    """Ask the model what the caller wants to know."""
    question = arguments.get("prompt", "What is the capital of France?")
    exchange = await dialogue.sample([user(question)], purpose="capital_question", max_tokens=100)
    return f"LLM response: {json.dumps(message_fields(exchange.response)['content'])}"


async def roots(_arguments: Arguments, dialogue: Dialogue) -> str:
    """Ask the client in which folders it works."""
    return " ".join(await dialogue.roots())


async def everybody(_arguments: Arguments, dialogue: Dialogue) -> str:
    """Ask, at the same time, all that can be asked."""
    said: list[str] = []

    async def ask_person() -> None:
        with suppress(NotSupportedByClient):
            said.append(await _filled(dialogue, "user_name", "What is your name?", Named))

    async def ask_model() -> None:
        with suppress(NotSupportedByClient):
            said.append((await dialogue.sample([user("Generate a greeting")], purpose="greeting", max_tokens=50)).model)

    async def ask_client() -> None:
        with suppress(NotSupportedByClient):
            said.extend(await dialogue.roots())

    async with dialogue.branch() as tasks:
        for ask in (ask_person, ask_model, ask_client):
            tasks.start_soon(ask)
    return " ".join(said)


async def in_turn(_arguments: Arguments, dialogue: Dialogue) -> str:
    """Ask the person one thing after another."""
    name = await _filled(dialogue, "step1", "Step 1: What is your name?", Named)
    return name + await _filled(dialogue, "step2", "Step 2: What is your favorite color?", Colored)


def filling_in(key: str, message: str, form: type[BaseModel]) -> Tool:
    """Return a tool that asks the person by a form."""

    async def fill_in(arguments: Arguments, dialogue: Dialogue) -> str:
        """Ask the person by a form."""
        return await _filled(dialogue, key, arguments.get("message", message), form)

    return fill_in


async def _filled(dialogue: Dialogue, key: str, message: str, form: type[BaseModel]) -> str:
    exchange = await dialogue.elicit(message, form, purpose=key)
    content = exchange.content.model_dump_json() if exchange.content else "{}"
    return f"User response: action={exchange.action}, content={content}"


TOOLS: Mapping[str, Tool] = {
    "test_simple_text": speak,
    "test_error_handling": fail,
    "test_tool_with_logging": log,
    "test_logging_tool": log,
    "test_tool_with_progress": progress,
    "test_sampling": sample,
    "test_missing_capability": sample,
    "test_elicitation": filling_in("contact", "Who are you?", Contact),
    "test_elicitation_sep1034_defaults": filling_in("defaults", "Is this right?", Defaults),
    "test_elicitation_sep1330_enums": filling_in("choices", "Which ones?", Choices),
    "test_streaming_elicitation": filling_in("user_name", "What is your name?", Named),
    "test_input_required_result_elicitation": filling_in("user_name", "What is your name?", Named),
    "test_input_required_result_sampling": sample,
    "test_input_required_result_list_roots": roots,
    "test_input_required_result_request_state": filling_in("confirm", "Please confirm", Confirmed),
    "test_input_required_result_tampered_state": filling_in("confirm", "Please confirm", Confirmed),
    "test_input_required_result_multiple_inputs": everybody,
    "test_input_required_result_capabilities": everybody,
    "test_input_required_result_multi_round": in_turn,
}


def add_tools(server: Server[Any], clients: ClientSessions, record: Callable[[Call], int]) -> None:
    """Let ``server`` have all these tools beside its own."""
    listing, calling = server.get_request_handler("tools/list"), server.get_request_handler("tools/call")
    assert listing is not None
    assert calling is not None

    async def list_tools(context: Context, params: types.PaginatedRequestParams) -> types.ListToolsResult:
        own = cast("types.ListToolsResult", await listing.handler(context, params))
        added = [
            types.Tool(name=name, description=tool.__doc__, input_schema={"type": "object"})
            for name, tool in TOOLS.items()
        ]
        return own.model_copy(update={"tools": [*own.tools, *added]})

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Any:  # noqa: ANN401 - as the server's own
        if params.name not in TOOLS:
            return await calling.handler(context, params)
        result = await clients.resume(context, params)
        if result is None:
            seq = record(Call(params.name, params.arguments))
            result = await clients.answer(context, params, seq, lambda dialogue: _result(context, params, dialogue))
        return result

    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)


async def _result(context: Context, params: types.CallToolRequestParams, dialogue: Dialogue) -> dict[str, Any]:
    """Return what a tool's call comes to.

    Raises:
        MCPError: it cannot do without what the client never said that it can do.
    """
    marks: dict[str, Any] = (
        {"resultType": "complete"} if is_version_at_least(context.protocol_version, STATELESS_VERSION) else {}
    )
    try:
        text = await TOOLS[params.name](params.arguments or {}, dialogue)
    except NotSupportedByClient as error:
        needed: dict[str, Any] = {"requiredCapabilities": {error.what: {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, str(error), needed) from error
    except DialogueError as error:
        text = str(error)
        marks["isError"] = True
    return {"content": [{"type": "text", "text": text}], **marks}
