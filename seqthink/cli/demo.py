"""`seqthink demo`: shows a scripted agent that thinks through a real server, each in a process of its own."""

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import anyio

from seqthink.cli import live_print, viewer
from seqthink.cli.common import (
    CommandParser,
    drawing_signs,
    drawing_width,
    folder_options,
    is_terminal,
    print_stderr,
    report_wrong_lines,
    shell_command,
    viewer_options,
)
from seqthink.cli.option_values import journal_folder
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.cli.stories.demo_agent import DemoAgent, DemoAgentError
from seqthink.cli.stories.stories import STORIES
from seqthink.cli.stories.story import DemoStory
from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.text import sanitize
from seqthink.drawing.text.glyphs import Signs

if TYPE_CHECKING:
    from tui.settings import ViewerOptions

_END_SECONDS = 3.0
"""How long to wait for the agent's process to end after the last thought."""


_INSTALL = "pipx install '.[audit]'"
"""What brings the extra, in the folder of the project."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    first = next(iter(STORIES))
    parser = CommandParser(
        "demo",
        "seqthink demo",
        "seqthink demo outbox",
        "seqthink demo --fast",
        notes="The agent calls a real server, and its journal is kept.",
    )
    parser.add_argument(
        "name", nargs="?", default=first, metavar="|".join(STORIES), help=f"the story (default: {first})"
    )
    parser.add_argument("--list", action="store_true", help="list the stories and exit")
    parser.add_argument("--fast", action="store_true", help="leave out the pauses between thoughts")
    parser.add_argument("--loop", action="store_true", help="repeat it endlessly, each time as a new chain")
    parser.add_drawing()
    parser.add_viewer_options()
    return parser


def run(arguments: list[str]) -> int:
    """Show a story while it plays, and print where its journal is."""
    options = make_parser().parse_args(arguments)
    if options.list:
        with output() as out:
            out.writelines(_list_line(story) for story in STORIES.values())
        return 0
    if options.name not in STORIES:
        raise UsageError(f"demo: unknown story {options.name!r}; choose from: {', '.join(STORIES)}")
    if missing := missing_requirements(STORIES[options.name]):
        print_stderr(f"the story {options.name} shows audits: {missing}")
        return 1
    folder, preferences = journal_folder(options).absolute(), preferences_of(options)
    if not is_terminal():
        report_wrong_lines(preferences)
    try:
        with DemoAgent(STORIES[options.name], folder, is_fast=options.fast, is_loop=options.loop) as agent:
            path = _show(
                agent,
                folder,
                width=drawing_width(options),
                signs=drawing_signs(options),
                options=viewer_options(options),
                stale=preferences.stale,
            )
            agent.raise_if_failed()
    except DemoAgentError as error:
        print_stderr(f"the demo's agent failed: {error}")
        return 1
    if path is not None:
        shown = sanitize(str(path))
        again = shell_command("replay", path.stem, *folder_options(options.journal_dir))
        with output() as out:
            if is_terminal():
                print(f"see it again:  {sanitize(again)}", file=out)
                print(f"your agents:   {shell_command('setup')}", file=out)
            print(f"journal:       {shown}" if is_terminal() else f"journal: {shown}", file=out)
    return 0


def _list_line(story: DemoStory) -> str:
    longest = max(len(name) for name in STORIES)
    missing = missing_requirements(story)
    needs = f"\n{'':<{longest}}  not yet: {missing}" if missing else ""
    return f"{story.name:<{longest}}  {story.question} ({story.length} thoughts, {story.seconds:.0f} s){needs}\n"


def missing_requirements(story: DemoStory) -> str:
    """Return what must be installed before ``story`` can be played, and how to get it; empty if nothing."""
    if not story.is_audited:
        return ""
    if not system.HAS_POSIX_FILES:
        return "they need a POSIX system, such as Linux or macOS"
    # Only for a story with audits: they load the judges.
    from seqthink.audit.code_units import CodeUnit
    from seqthink.audit.judges.internal import missing_packages

    absent = missing_packages(CodeUnit(path=name, text="") for step in story.steps for name in step.files)
    if absent:
        return f"{', '.join(absent)} is needed: {_INSTALL}"
    return "" if shutil.which("git") else "git is needed"


def _show(
    agent: DemoAgent, folder: Path, *, width: int, signs: Signs, options: "ViewerOptions", stale: int
) -> Path | None:
    """Show the agent's journal and return its path: on a terminal until the user leaves, else until the agent ends.

    It is None if the user leaves before there is a journal.
    """
    if is_terminal():
        viewer.watch_demo(agent.find_journal, agent.failure, folder=folder, stale=stale, **options)
        return agent.find_journal()
    with output() as out:
        return anyio.run(_print, agent, out, width, signs)


async def _print(agent: DemoAgent, out: TextIO, width: int, signs: Signs) -> Path:
    path, ended = await agent.wait_for_journal(), asyncio.Event()

    async def wait() -> None:
        await agent.wait()
        ended.set()

    # Not a task group: it would wrap the BrokenPipeError of a closed pipe.
    waiting = asyncio.create_task(wait())
    try:
        await live_print.print_live(path, out, width=width, signs=signs, until_done=True, stop=ended)
        with anyio.move_on_after(_END_SECONDS):
            await ended.wait()
    finally:
        waiting.cancel()
    return path
