"""`seqthink watch --fleet`: another machine's session live; on a terminal in the viewer, in a pipe line by line."""

import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from seqthink.chain.overview.session_filter import SessionFilter
from seqthink.cli.common import (
    cleaner_for,
    decoder_for,
    drawing_signs,
    drawing_width,
    is_terminal,
    print_stderr,
    report_wrong_lines,
    viewer_options,
)
from seqthink.cli.fleet.reading import missing, opened
from seqthink.cli.option_values import journal_folder
from seqthink.cli.overview.wanted_sessions import require_choice, wanted_of
from seqthink.cli.preferences import preferences_of
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError
from seqthink.core.events import WriterState
from seqthink.drawing.describe.session import facts_of
from seqthink.journal.store import RECENT_SECONDS
from seqthink.sources.fleet.failures import EngineUnavailableError
from seqthink.sources.fleet.mirror.folder import FleetFolder

_RECENT_SESSIONS: Final = 50
"""Sessions among which the one to watch is looked for."""
_LOOK_SECONDS: Final = 1.0
_Answer = TypeVar("_Answer")


def watch_fleet(url: str, options: Namespace) -> int:
    """Watch a session of a fleet until the user leaves, or until it is over.

    Raises:
        UsageError: the engine will not serve this user; there is no such session, or more than one.
    """
    from seqthink.cli.session_reference import take_link

    if options.all and options.session is not None:
        raise UsageError("watch --all shows all live sessions; leave out the session, or --all")
    require_choice(options)
    seq = take_link(options) if options.session is not None else 0
    preferences = preferences_of(options)
    with opened(url) as folder:
        path = _once_there(lambda: folder.resolve(options.session)) if options.session is not None else None
        if is_terminal():
            from seqthink.cli import viewer  # only on a terminal

            viewer.watch(
                path,
                folder=journal_folder(Namespace(journal_dir=None)),
                stale=preferences.stale,
                sources=frozenset(),
                seq=seq,
                begins_with_wall=options.all,
                fleet=folder,
                wanted=wanted_of(options),
                **viewer_options(options),
            )
            return 0
        report_wrong_lines(preferences)
        if options.all:
            return _report_all(folder, options)
        return _print_live(folder, path or _recent(folder, wanted_of(options)), options)


def _print_live(folder: FleetFolder, path: Path, options: Namespace) -> int:
    # Only in a pipe.
    import anyio

    from seqthink.cli import live_print

    width, signs, decode = drawing_width(options), drawing_signs(options), decoder_for(options)

    async def print_it() -> list[str]:
        return await live_print.print_live(path, out, width=width, signs=signs, decode=decode, until_done=True)

    while not folder.fill(path) and not folder.problem_of(path):
        _once_there(lambda: folder.resolve("/".join(folder.name_of(path) or ())))
    for sentence in missing(folder, path):
        print_stderr(sentence)
    folder.follow(path)
    with output() as out:
        complaints = anyio.run(print_it)
    for complaint in complaints:
        print_stderr(complaint)
    return 0


def _report_all(folder: FleetFolder, options: Namespace) -> int:
    # Only in a pipe.
    from contextlib import closing

    from seqthink.cli.overview.unattended import report_occasions
    from seqthink.library.catalog.session_catalog import SessionCatalog
    from seqthink.library.places.fleet import FleetPlace

    with closing(FleetPlace(folder, folder.place, cleaner_for(options))) as place:
        catalog = SessionCatalog(place)
        catalog.wanted.choose(wanted_of(options))
        return report_occasions(catalog, preferences_of(options), decoder_for(options))


def _recent(folder: FleetFolder, wanted: SessionFilter) -> Path:
    """Return the newest ``wanted`` session that is live, or changed a short while ago, as soon as there is one."""
    has_said = False
    while True:
        path = _once_there(lambda: _recent_session(folder, wanted))
        if path is not None:
            return path
        if not has_said:
            has_said = True
            print_stderr("waiting for a session in the fleet")
        time.sleep(_LOOK_SECONDS)  # noqa: TID251 - it may begin at any time


def _recent_session(folder: FleetFolder, wanted: SessionFilter) -> Path | None:
    folder.refresh(_RECENT_SESSIONS)
    trouble = folder.trouble
    if trouble is not None:
        raise EngineUnavailableError(trouble.sentence)
    live = [file.path for file in folder.listed if folder.writer_state(file.path) is WriterState.ALIVE]
    recent = [file.path for file in folder.listed if abs(time.time() - file.last.timestamp()) < RECENT_SECONDS]
    return next((path for path in (*live, *recent) if _is_wanted(folder, path, wanted)), None)


def _is_wanted(folder: FleetFolder, path: Path, wanted: SessionFilter) -> bool:
    listed = folder.summary_of(path, 0)
    return wanted.is_empty or (listed is not None and wanted.matches(facts_of(listed, 0, 0)))


def _once_there(ask: Callable[[], _Answer]) -> _Answer:
    """Return what ``ask`` returns as soon as the engine is there; say once what is waited for."""
    has_said = False
    while True:
        try:
            return ask()
        except EngineUnavailableError as error:
            if not has_said:
                has_said = True
                print_stderr(f"{error}; waiting for it")
            time.sleep(_LOOK_SECONDS)  # noqa: TID251 - the engine says nothing when it comes back
