"""The SDK's own client asks and is asked over a real pipe, for both kinds of versions."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client import ClientRequestContext

from tests.conftest import PROJECT
from tests.support.depth import first
from tests.support.servers.wire import events, journals

VERSIONS = ("legacy", "2026-07-28")
"""Values of the SDK client's ``mode``: a handshake version, and the stateless one."""
BOUND = 60.0


async def answer_as_model(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK calls it by name
    params: types.CreateMessageRequestParams,
) -> types.CreateMessageResult | types.CreateMessageResultWithTools:
    if params.tools is None:
        return types.CreateMessageResult(role="assistant", model="m", content=types.TextContent(text="hello"))
    [name, *_] = [tool.name for tool in params.tools]
    content: list[types.SamplingMessageContentBlock] = [
        types.ToolUseContent(id="c", name=name, input={"square": "a1", "score": len(params.messages)})
    ]
    return types.CreateMessageResultWithTools(role="assistant", model="m", content=content, stop_reason="toolUse")


async def answer_as_person(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK calls it by name
    params: types.ElicitRequestParams,
) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"name": params.message} if params.message else {})


@asynccontextmanager
async def client(version: str, *command: str) -> AsyncGenerator[Client]:
    environ = {"PYTHONPATH": str(PROJECT), "DISABLE_THOUGHT_LOGGING": "true"}
    server = StdioServerParameters(command=sys.executable, args=["-m", *command], env=environ, cwd=PROJECT)
    tools = types.SamplingCapability(tools=types.SamplingToolsCapability())
    with anyio.fail_after(BOUND):
        async with Client(
            server, mode=version, sampling_callback=answer_as_model, elicitation_callback=answer_as_person,
            sampling_capabilities=tools,
        ) as client:  # fmt: skip
            yield client


@pytest.mark.slow  # a server for each kind of question
@pytest.mark.parametrize("version", first(1, VERSIONS))
async def test_every_kind_of_question_is_answered_by_the_sdk_s_client(version: str, tmp_path: Path) -> None:
    async with client(version, "tests.support.servers.dialogue_server", str(tmp_path)) as host:

        async def call(name: str, **arguments: object) -> Any:  # noqa: ANN401 - whatever the tool gives
            return (await host.call_tool(name, arguments)).structured_content

        sampled = await call("sample", ask="?")
        moved = await call("move", ask="?")
        used = await call("use", ask="?")
        asked = await call("elicit", ask="x")
        keyed = await call("elicits", asks={"one": "a", "two": "b"})
        both = await call("both", ask="?")

    assert (sampled["model"], moved["parsed"], used["used"]) == ("m", {"square": "a1", "score": 1}, ["look"])
    assert (asked["content"]["name"], keyed) == ("x", {"one": "a", "two": "b"})
    assert both == {"model": "m", "person": "accept", "last": "accept"}
    kinds = [event["type"] for event in events(journals(tmp_path)[0])]
    assert (kinds.count("asking"), kinds.count("sample"), kinds.count("elicit")) == (9, 4, 5)


@pytest.mark.slow  # a server for each kind of question
@pytest.mark.parametrize("version", first(1, VERSIONS))
async def test_a_user_allows_a_chain_as_many_thoughts_again(version: str, tmp_path: Path) -> None:
    said: list[Any] = []
    async with client(version, "seqthink", "serve", "--journal-dir", str(tmp_path), "--max-thoughts", "2") as host:
        for number in range(1, 8):
            thought = {"thought": f"t{number}", "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": 9}
            said.append((await host.call_tool("sequentialthinking", thought)).structured_content)

    assert [one["nextThoughtNeeded"] for one in said] == [True] * 7
    kept = events(journals(tmp_path)[0])
    asked = [event["of"] for event in kept if event["type"] == "asking"]
    assert [event["thoughtNumber"] for event in kept if event["seq"] in asked] == [3, 6]
