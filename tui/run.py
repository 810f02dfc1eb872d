"""Starts the viewer on the terminal: the edge that reads the real clock, the time zone and the environment."""

import os
import select
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from rich.console import Console
from typing_extensions import Unpack

from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.overview.session_filter import EVERY_SESSION, SessionFilter
from seqthink.core import system
from seqthink.core.errors import SeqthinkError, UsageError
from seqthink.core.settings_file import WrongLine
from seqthink.core.text import one_line
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.folder import seqthink_home
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.of_this_machine import places_of_this_machine
from seqthink.library.places.pipe import PipePlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.library.viewer_store.folder import viewer_folder
from seqthink.library.viewer_store.label_book import LabelBook, label_book_of
from seqthink.sources.transcripts.named_transcript import NamedTranscript
from seqthink.sources.transcripts.registry import JOURNAL
from tui.app import Viewer
from tui.key_map import make_key_map
from tui.settings import Alerts, Demo, NamedSession, Settings, ViewerOptions
from tui.state.landing import Beginning, Landing
from tui.terminal.memory_tuning import tune_interpreter
from tui.terminal.process_signals import SIGNAL_STATUS_BASE, restored_signal_handlers

if TYPE_CHECKING:
    from seqthink.share.recordings.recording import Recording
    from seqthink.sources.fleet.mirror.folder import FleetFolder


def watch(
    named: Path | NamedTranscript | None,
    *,
    folder: Path,
    stale: int,
    demo: Demo | None = None,
    sources: frozenset[str] = frozenset({JOURNAL}),
    seq: int = 0,
    begins_with_wall: bool = False,
    fleet: "FleetFolder | None" = None,
    wanted: SessionFilter = EVERY_SESSION,
    **options: Unpack[ViewerOptions],
) -> str:
    """Show the session that the user named, or the most relevant one in ``folder``, until the user quits.

    Returns the requested next command: ``demo`` or nothing.

    Args:
        named: the journal, or the session of another program; None to choose one from ``folder``.
        folder: where journals are.
        stale: seconds after which a quiet session counts as stale.
        demo: the demo's agent, if this is the demo.
        seq: the entry whose thought is selected first, or 0.
        sources: whose sessions are shown: names as in `seqthink.sources.transcripts.registry`.
        begins_with_wall: show the wall first, and no session.
        fleet: the sessions of other machines, shown in place of the folder's.
        wanted: which sessions are shown.
        options: how the viewer looks and behaves.

    Raises:
        SeqthinkError: the viewer itself failed.
        SystemExit: a signal ended it.
    """
    transcript = named if isinstance(named, NamedTranscript) else None
    path = named if isinstance(named, Path) else None
    with closing(_catalog(folder, sources, transcript, fleet, is_redacted=_is_redacted(options["decode"]))) as catalog:
        catalog.wanted.choose(wanted)
        settings = _make_settings(folder, catalog, stale=stale, demo=demo, **options)
        landing = Landing(seq) if seq else None
        beginning = settings.beginning._replace(landing=landing, is_wall=begins_with_wall)
        found = next((place for place in catalog.places if isinstance(place, TranscriptPlace)), None)
        session = None
        if transcript is not None and found is not None:
            session = NamedSession(transcript.name, partial(found.adopt, transcript))
        settings = replace(settings, beginning=beginning, named=session)
        return _run(path, settings, has_mouse=options["has_mouse"])


def _catalog(
    folder: Path,
    sources: frozenset[str],
    transcript: NamedTranscript | None,
    fleet: "FleetFolder | None",
    *,
    is_redacted: bool,
) -> SessionCatalog:
    if fleet is not None:
        # It takes time to load, and most viewers show this machine's sessions.
        from seqthink.library.places.fleet import FleetPlace  # noqa: PLC0415 - see above

        cleaner = _cleaner() if is_redacted else None
        return SessionCatalog(FleetPlace(fleet, fleet.place, cleaner), label_book=_label_book(is_redacted=is_redacted))
    budget = transcript.budget if transcript is not None else None
    kept = viewer_folder(seqthink_home(os.environ))
    places = places_of_this_machine(folder, sources, budget, has_named=transcript is not None, viewer_folder=kept)
    return SessionCatalog(*places, label_book=_label_book(is_redacted=is_redacted))


def _is_redacted(decoder: LineDecoder) -> bool:
    return decoder is not decode


def _label_book(*, is_redacted: bool) -> LabelBook | None:
    return label_book_of(os.environ, is_redacted=is_redacted)


def _cleaner() -> Callable[[str], str]:
    from seqthink.core.redaction import redact_text  # noqa: PLC0415 - loads the library of secret patterns

    return redact_text


def watch_stdin(*, stale: int, **options: Unpack[ViewerOptions]) -> None:
    """Show the journal on stdin; keys are read from the controlling terminal.

    Raises:
        UsageError: there is no controlling terminal.
        SeqthinkError: the viewer itself failed.
    """
    catalog = SessionCatalog(PipePlace(os.dup(0)))
    _run(None, _make_settings(Path(), catalog, stale=stale, **options), has_mouse=options["has_mouse"])


def replay(
    path: Path,
    *,
    at: int | None,
    number: int,
    seq: int,
    speed: float,
    idle_limit: float,
    is_looping: bool,
    **options: Unpack[ViewerOptions],
) -> None:
    """Play a saved session, or show it at a thought.

    Args:
        path: the journal.
        at: show the session right after its ``at``-th thought; 0 for the end, None to play from the start.
        number: show it right after the thought with this number, unless 0.
        seq: show it right after the thought at this entry, unless 0.
        speed: factor on the journal's own pace.
        idle_limit: longest gap between two lines, in seconds.
        is_looping: start again at the end.
        options: how the viewer looks and behaves.

    Raises:
        SeqthinkError: the viewer itself failed.
    """
    book = _label_book(is_redacted=_is_redacted(options["decode"]))
    catalog = SessionCatalog(FolderPlace(path.parent), label_book=book)
    made = _make_settings(path.parent, catalog, stale=0, **options)
    settings = replace(
        made,
        is_replay=True,
        replay_at=at,
        beginning=made.beginning._replace(landing=Landing(seq, number) if seq or number else None),
        speed=speed,
        idle_limit=idle_limit,
        is_looping=is_looping,
    )
    _run(path, settings, has_mouse=options["has_mouse"])


def record(
    path: Path,
    *,
    size: tuple[int, int],
    speed: float,
    idle_limit: float,
    theme: str,
    decode: LineDecoder,
    shown: str | None,
    report: Callable[[float], object],
) -> "Recording":
    """Return the recording of a replay, which needs no terminal.

    Args:
        path: the journal.
        size: columns and lines of the recorded terminal.
        speed: factor on the journal's own pace.
        idle_limit: longest gap between two lines, in seconds.
        theme: name of the colour theme, one with a background.
        decode: turns journal lines into events.
        shown: what of a transcript is shown; None for what the viewer would show.
        report: gets the share that is recorded, from 0 to 1.

    Raises:
        SeqthinkError: the viewer itself failed.
    """
    from tui.recording import record as record_replay  # noqa: PLC0415 - most viewers are not recorded

    settings = Settings(
        folder=path.parent,
        catalog=SessionCatalog(label_book=_label_book(is_redacted=_is_redacted(decode))),
        clock=_now_microseconds,
        zone=_zone(),
        decode=decode,
        theme=theme,
        speed=speed,
        idle_limit=idle_limit,
    )
    return record_replay(path, settings, size, shown=Shown(shown) if shown else None, report=report)


def _make_settings(
    folder: Path,
    catalog: SessionCatalog,
    *,
    stale: int,
    demo: Demo | None = None,
    **options: Unpack[ViewerOptions],
) -> Settings:
    key_map = make_key_map(options["file_settings"].keys)
    return Settings(
        folder=folder,
        catalog=catalog,
        clock=_now_microseconds,
        zone=_zone(),
        decode=options["decode"],
        has_hung_up=_has_hung_up,
        connect=options["connect"],
        signs=ASCII if options["is_ascii"] else UNICODE,
        theme=_theme_for_terminal(options["theme"]),
        has_motion=options["has_motion"],
        wall=options["wall"],
        author=options["author"],
        alerts=Alerts(
            has_title=options["has_title"],
            has_bell=options["has_bell"],
            has_notifications=options["has_notifications"],
        ),
        commands=options["commands"],
        stuck_seconds=options["stuck_seconds"],
        stale=stale,
        demo=demo,
        key_map=key_map,
        beginning=Beginning(message=_complaint(sorted([*options["file_settings"].wrong, *key_map.wrong]))),
        viewer_folder=viewer_folder(seqthink_home(os.environ)),
    )


def _complaint(wrong: Sequence[WrongLine]) -> str:
    """Return what the viewer says about a settings file with ignored lines; "" about a sound one."""
    rest = f" (+{len(wrong) - 1})" if len(wrong) > 1 else ""
    return f"{wrong[0].text()}{rest}" if wrong else ""


def _theme_for_terminal(theme: str) -> str:
    """Return the theme, or ``ansi`` on a terminal with only sixteen colours, where our shades would look the same."""
    has_few = Console(force_terminal=True).color_system == "standard"
    return "ansi" if has_few and theme != "mono" else theme


def _run(path: Path | None, settings: Settings, *, has_mouse: bool) -> str:
    viewer = Viewer(path, settings)
    if system.HAS_POLL:  # elsewhere Textual's own driver reads the keys
        from tui.terminal.driver import TitleDriver, ViewerDriver  # noqa: PLC0415 - cannot be imported elsewhere

        viewer.driver_class = TitleDriver if settings.alerts.has_title else ViewerDriver
    tune_interpreter()
    with _on_the_terminal(), restored_signal_handlers():
        request = viewer.run(mouse=has_mouse) or ""
        flush_or_discard_output()
    if isinstance(viewer.failure, SeqthinkError):
        raise viewer.failure
    if viewer.failure is not None:
        kind, text = type(viewer.failure).__name__, one_line(str(viewer.failure))[:200]
        raise SeqthinkError(f"the viewer failed ({kind}: {text}); the journal is not affected")
    if viewer.return_code is not None and viewer.return_code > SIGNAL_STATUS_BASE:
        raise SystemExit(viewer.return_code)
    return request


@contextmanager
def _on_the_terminal() -> Generator[None]:
    """Connect stdin and stderr to the terminal, wherever they point: Textual reads the one and draws on the other.

    Raises:
        UsageError: there is no terminal for the keys.
    """
    if sys.__stdin__ is None or sys.__stderr__ is None:
        raise UsageError("stdin or stderr is closed, and the viewer needs both; use `seqthink show`")
    if not os.isatty(0):
        try:
            terminal = os.open("/dev/tty", os.O_RDWR)
        except OSError as error:
            raise UsageError("there is no terminal for keyboard input; use `seqthink show`") from error
        os.dup2(terminal, 0)
        os.close(terminal)
    if os.isatty(2):
        yield
        return
    sys.__stderr__.flush()
    errors = os.dup(2)
    os.dup2(1, 2)
    try:
        yield
    finally:
        sys.__stderr__.flush()
        os.dup2(errors, 2)
        os.close(errors)


def _has_hung_up() -> bool:
    """Return whether the terminal is gone: not every closed window or lost connection sends a signal."""
    if not system.HAS_POLL:
        return False
    poll = select.poll()
    poll.register(0, select.POLLIN)  # without any event, macOS says nothing
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


def flush_or_discard_output() -> None:
    """Flush stdout and stderr; if the terminal is gone, discard the rest: the interpreter would fail on exit."""
    for stream, number in ((sys.__stdout__, 1), (sys.__stderr__, 2)):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)


def _now_microseconds() -> int:
    return time.time_ns() // 1000


def _zone() -> tzinfo:
    return datetime.fromtimestamp(time.time(), UTC).astimezone().tzinfo or UTC
