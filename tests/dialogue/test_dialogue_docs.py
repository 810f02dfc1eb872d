"""The server of docs/dialogue.md, over a real pipe, asked by the SDK's own client in both protocol versions."""

import os
import subprocess
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
from tests.support.depth import first, sized
from tests.support.docs.doc_blocks import doc_blocks

VERSIONS = ("legacy", "2026-07-28")
"""Values of the SDK client's ``mode``: a handshake version, and the stateless one."""
BOUND = 60.0
FORMS: dict[str, dict[str, Any]] = {
    "Who travels?": {"name": "Ana"},
    "Which seat?": {"side": "window", "row": 7},
    "Who books?": {"name": "Ben"},
    "Which of 40 seats?": {"side": "aisle"},
}


async def answer_as_model(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK calls it by name
    params: types.CreateMessageRequestParams,
) -> types.CreateMessageResult | types.CreateMessageResultWithTools:
    given = params.messages[-1].content_as_list[0]
    if isinstance(given, types.ToolResultContent):
        assert isinstance(given.content[0], types.TextContent)
        content: types.SamplingMessageContentBlock = types.TextContent(text=f"after {given.content[0].text}")
    elif params.tools:
        name = params.tools[0].name
        asked: dict[str, Any] = {"city": "Oslo"} if name == "weather" else {"city": "Bergen", "days": 3}
        content = types.ToolUseContent(id="u1", name=name, input=asked)
    else:
        content = types.TextContent(text="Welcome!")
    return types.CreateMessageResultWithTools(role="assistant", model="m", content=[content])


async def answer_as_user(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK calls it by name
    params: types.ElicitRequestParams,
) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=FORMS[params.message])


async def decline(
    context: ClientRequestContext,  # noqa: ARG001 - the SDK calls it by name
    params: types.ElicitRequestParams,  # noqa: ARG001 - the SDK calls it by name
) -> types.ElicitResult:
    return types.ElicitResult(action="decline")


@asynccontextmanager
async def connected(folder: Path, version: str, **callbacks: Any) -> AsyncGenerator[Client]:  # noqa: ANN401 - the SDK's own options
    [server] = [block.code for block in doc_blocks("docs/dialogue.md") if block.name == "server.py"]
    path = folder / "server.py"
    path.write_text(server, encoding="utf-8")
    started = StdioServerParameters(command=sys.executable, args=[str(path)], env={"PYTHONPATH": str(PROJECT)})
    with anyio.fail_after(BOUND):
        async with Client(started, mode=version, **callbacks) as client:
            yield client


def words(result: types.CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.mark.deep  # every kind is asked in test_dialogue_client.py
@pytest.mark.slow  # a server for each kind of question
@pytest.mark.parametrize("version", first(1, VERSIONS))
async def test_the_server_of_the_page_asks_every_kind_of_question(version: str, tmp_path: Path) -> None:
    reported: list[tuple[float, float | None, str | None]] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        reported.append((progress, total, message))

    tools = types.SamplingCapability(tools=types.SamplingToolsCapability())
    async with connected(
        tmp_path, version, sampling_callback=answer_as_model, elicitation_callback=answer_as_user,
        sampling_capabilities=tools,
    ) as client:  # fmt: skip
        listed = [tool.name for tool in (await client.list_tools()).tools]
        answers = {
            name: words(await client.call_tool(name, {"city": "Oslo"}))
            for name in ("greet", "plan", "advise", "confirm", "reserve")
        }
        answers["book"] = words(await client.call_tool("book", {}, progress_callback=report))

    assert sorted(answers) == sorted(listed)
    assert answers["greet"] == "m: Welcome!"
    assert answers["advise"] == "after Snow in Oslo."
    assert (answers["plan"], answers["confirm"]) == ("3 days in Bergen", "booked by Ben")
    assert answers["reserve"] == "39 seats left"
    assert answers["book"] == "Ana: window, row 7"
    assert reported == [(1, 2, "asking you"), (2, 2, "booked")]


@pytest.mark.deep  # two programs of a page, from their beginning to their end
@pytest.mark.slow  # a server for each kind of question
@pytest.mark.parametrize("version", sized(VERSIONS[1:], VERSIONS))
async def test_the_page_s_server_says_what_its_client_cannot_do(version: str, tmp_path: Path) -> None:
    async with connected(tmp_path, version) as client:
        refused = await client.call_tool("plan", {})
    async with connected(tmp_path, version, elicitation_callback=decline) as client:
        declined = await client.call_tool("confirm", {})
        kept = await client.call_tool("reserve", {})

    assert (refused.is_error, words(refused)) == (True, "the client does not support sampling")
    assert (declined.is_error, words(declined)) == (False, "not booked: decline")
    assert words(kept) == "40 seats left"


@pytest.mark.deep  # two programs of a page, from their beginning to their end
def test_the_page_s_client_drives_the_page_s_server_and_prints_what_the_page_says(tmp_path: Path) -> None:
    *_, client, output = doc_blocks("docs/dialogue.md")
    for block in doc_blocks("docs/dialogue.md"):
        if block.name:
            (tmp_path / block.name).write_text(block.code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, client.name],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(PROJECT)},
        capture_output=True, check=False, timeout=BOUND, encoding="utf-8",
    )  # fmt: skip

    assert (client.name, output.language) == ("try_server.py", "text")
    assert (done.stdout, done.returncode) == (output.code, 0), done.stderr
