"""`seqthink watch`: a session that is thinking now; on a terminal in the viewer, in a pipe line by line."""

import os
import sys
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from seqthink.chain.state import STALE_SECONDS
from seqthink.cli.common import (
    THEMES,
    CommandParser,
    ViewerOptions,
    decoder_for,
    drawing_signs,
    drawing_width,
    is_terminal,
    journal_folder,
    output,
    print_stderr,
    viewer_options,
    whole_number,
)
from seqthink.errors import UsageError

RECENT_PERIOD = timedelta(minutes=10)


def run(arguments: list[str]) -> int:
    """Watch a session until the person leaves; a journal on stdin until it ends."""
    parser = CommandParser(
        "watch",
        "Show the tree of a session live; in a pipe, each thought as a line when it comes.",
        "ssh host tail -n +1 -F session.jsonl | seqthink watch -",
    )
    parser.add_session("the session that thinks, or did in the last 10 minutes", stdin=True)
    parser.add_argument(
        "--stale",
        type=whole_number,
        default=STALE_SECONDS,
        metavar="N",
        help=f"seconds without a thought after which a session is quiet (default: {STALE_SECONDS})",
    )
    parser.add_drawing()
    parser.add_viewer_options()
    parser.add_redact()
    options = parser.parse_args(arguments)
    folder = journal_folder(options)
    is_stdin = options.session == "-"
    if is_stdin and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("watch -: nothing comes in on stdin; pipe a journal into it, or name a session")
    path = _named(options.session, folder)
    signs = drawing_signs(options)
    if is_terminal():
        from seqthink.cli import viewer

        if is_stdin:
            return viewer.watch_stdin(stale=options.stale, **viewer_options(options))
        wish = viewer.watch(path, folder=folder, stale=options.stale, **viewer_options(options))
        return _play_demo(folder, viewer_options(options)) if wish == "demo" else 0
    width, decode = drawing_width(options), decoder_for(options)
    import anyio

    from seqthink.cli import live_print

    async def print_it() -> list[str]:
        if is_stdin:
            return await live_print.print_stdin(out, width=width, signs=signs, decode=decode)
        shown = path or await _first_news(folder)
        return await live_print.print_live(shown, out, width=width, signs=signs, decode=decode, until_done=False)

    with output() as out:
        complaints = anyio.run(print_it)
    for complaint in complaints:
        print_stderr(complaint)
    return 0


def _play_demo(folder: Path, shown: ViewerOptions) -> int:
    from seqthink.cli import demo

    given = ["--theme", shown["theme"]] if shown["theme"] in THEMES else []
    flags = {"--ascii": shown["is_ascii"], "--no-motion": not shown["has_motion"], "--no-mouse": not shown["has_mouse"]}
    return demo.run(["--journal-dir", str(folder), *given, *(flag for flag, is_on in flags.items() if is_on)])


def _named(reference: str | None, folder: Path) -> Path | None:
    if reference in {None, "-"}:
        return None
    from seqthink.journal.journal_file import require_journal
    from seqthink.journal.store import resolve_journal

    path = resolve_journal(reference, folder)
    require_journal(path)
    return path


async def _first_news(folder: Path) -> Path:
    """Return the newest session of ``folder`` that thinks or did a short time ago, as soon as there is one."""
    from seqthink.journal.follow import follow_folder

    has_said = False
    async with aclosing(follow_folder(folder)) as looks:
        async for _ in looks:
            path = recent_session(folder, _now)
            if path is not None:
                return path
            if not has_said:
                print_stderr(f"waiting for a session in {folder}")
                has_said = True
    raise AssertionError("a folder is followed for as long as it is asked")


def recent_session(folder: Path, now: Callable[[], datetime]) -> Path | None:
    """Return the newest session of ``folder`` if its server lives or it changed in the last ten minutes.

    Raises:
        UsageError: the folder cannot be read.
    """
    from seqthink.events import WriterState
    from seqthink.journal.peek import first_session_event, writer_state
    from seqthink.journal.store import newest_session

    found = newest_session(folder)
    if found is None:
        return None
    is_news = (
        now() - found.last <= RECENT_PERIOD
        or writer_state(found.path, first_session_event(found.path)) is WriterState.ALIVE
    )
    return found.path if is_news and os.access(found.path, os.R_OK) else None


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the edge reads the clock
