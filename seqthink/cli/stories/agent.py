"""The scripted agent: plays a story to a real `seqthink serve` through the SDK's client.

It is a program of its own (``python -m seqthink.cli.stories.agent``), so that nothing else loads the SDK. If it fails,
it says why in one line on stderr; exit status 0 means that the story was played.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import Implementation, SamplingCapability, SamplingToolsCapability, TextContent

from seqthink import __version__
from seqthink.cli.stories.scripted_client import ScriptedClient
from seqthink.cli.stories.stories import STORIES
from seqthink.cli.stories.story import CLIENT_NAME, DemoStory, StoryStep
from seqthink.core import system
from seqthink.core.errors import SeqthinkError

LOOP_PAUSE_SECONDS = 8.0
"""The pause before the story is played again."""


def main() -> int:
    """Play the story that the command line names, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m seqthink.cli.stories.agent", allow_abbrev=False)
    parser.add_argument("--journal-dir", type=Path, required=True)
    parser.add_argument("--name", choices=STORIES, required=True)
    parser.add_argument("--mark", required=True, help="goes into the client's version, so that the journal is found")
    parser.add_argument("--fast", action="store_true", help="no pauses between thoughts")
    parser.add_argument("--pace", type=float, default=1.0, metavar="FACTOR", help="multiply the pauses by it")
    parser.add_argument("--loop", action="store_true", help="repeat it endlessly, each time as a new chain")
    parser.add_argument("--until-eof", action="store_true", help="stop at the end of stdin: the caller has gone")
    options = parser.parse_args()
    try:
        anyio.run(_run, options)
    except KeyboardInterrupt:
        return 130
    except (SeqthinkError, OSError, ExceptionGroup) as error:
        sys.stderr.write(_first_cause(error) + "\n")
        return 1
    return 0


async def _run(options: argparse.Namespace) -> None:
    async with anyio.create_task_group() as tasks:

        async def stop_at_eof() -> None:
            await _end_of_stdin()
            tasks.cancel_scope.cancel()

        async def stop_at_signal() -> None:
            with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGHUP) as signals:
                await anext(signals)
                tasks.cancel_scope.cancel()

        if system.HAS_POLL:  # elsewhere no signal ends a program so that it could do anything
            tasks.start_soon(stop_at_signal)  # so that the workspace is removed
        if options.until_eof:
            tasks.start_soon(stop_at_eof)
        await _play(options)
        tasks.cancel_scope.cancel()


async def _end_of_stdin() -> None:
    """Wait until the program that started this closes stdin."""
    if system.HAS_POLL:
        await anyio.wait_readable(0)
        return
    ended, loop = asyncio.Event(), asyncio.get_running_loop()

    def read() -> None:
        os.read(0, 1)
        with suppress(RuntimeError):  # the loop is closed: the story is over
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, daemon=True).start()
    await ended.wait()


async def _play(options: argparse.Namespace) -> None:
    story = STORIES[options.name]
    scripted_client = ScriptedClient(is_fast=options.fast)
    with _workspace(story) as workspace:
        try:
            async with _client(story, options, scripted_client, workspace) as client:
                pace = 0 if options.fast else options.pace
                await _play_once(client, story, scripted_client, workspace, pace)
                while options.loop:
                    await anyio.sleep(LOOP_PAUSE_SECONDS)
                    await _play_once(client, story, scripted_client, workspace, pace)
        except MCPError as error:
            raise SeqthinkError(f"the server stopped: {error}") from error


async def _play_once(
    client: Client, story: DemoStory, scripted_client: ScriptedClient, workspace: Path | None, pace: float
) -> None:
    for step in story.steps:
        await anyio.sleep(pace * step.pause_seconds)
        if workspace is not None:
            _write(workspace, step)
        scripted_client.start_step(step)
        answer = await client.call_tool("sequentialthinking", step.arguments)
        if answer.is_error and not step.is_refused:
            texts = [block.text for block in answer.content if isinstance(block, TextContent)]
            raise SeqthinkError("the server refused a thought: " + _refusal_text("".join(texts)))
        if step.is_refused and not answer.is_error:
            raise SeqthinkError("the server accepted a thought that it should have refused")


@contextmanager
def _workspace(story: DemoStory) -> Generator[Path | None]:
    """Give a temporary folder for the files of the story's agent, or None if it writes none."""
    if not story.is_audited:
        yield None
        return
    with TemporaryDirectory(prefix="seqthink-") as folder:
        yield Path(folder)


def _write(workspace: Path, step: StoryStep) -> None:
    for name, text in step.files.items():
        (workspace / name).write_text(text, encoding="utf-8")


def _client(
    story: DemoStory, options: argparse.Namespace, scripted_client: ScriptedClient, workspace: Path | None
) -> Client:
    """Return the client; for a story with audits, it answers the server's questions."""
    server = _server(story, options.journal_dir, workspace)
    implementation = Implementation(name=CLIENT_NAME, version=f"{__version__}+{options.mark}")
    if workspace is None:
        return Client(server, client_info=implementation)
    return Client(
        server,
        client_info=implementation,
        sampling_callback=scripted_client.answer_sampling,
        sampling_capabilities=SamplingCapability(tools=SamplingToolsCapability()),
        elicitation_callback=scripted_client.answer_elicitation,
    )


def _server(story: DemoStory, folder: Path, workspace: Path | None) -> StdioServerParameters:
    """Return how to start the server: in this environment, without the options of the user's own agents."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEQTHINK_")}
    environment["ENABLE_GAN_AUDITING"] = "false" if workspace is None else "true"
    return StdioServerParameters(
        command=sys.executable,
        args=[
            *("-P", "-m", "seqthink", "serve", "--journal-required"),
            *("--journal-dir", str(folder), "--title", story.title),
            *(["--workspace", str(workspace)] if workspace else []),
        ],
        env=environment | {"DISABLE_THOUGHT_LOGGING": "true"},
    )


def _refusal_text(answer: str) -> str:
    """Return the error of a refusal: the server's is a JSON object, the SDK's is not."""
    try:
        return str(json.loads(answer)["error"])
    except (ValueError, LookupError, TypeError):
        return answer


def _first_cause(error: BaseException) -> str:
    """Return the innermost cause of ``error`` in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
