"""Named screens: a journal, a size, keys. They feed the snapshot tests and ``screenshots/``."""

import fcntl
import os
import socket
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from itertools import cycle
from math import inf
from pathlib import Path
from unittest.mock import patch

import anyio
from msgspec.structs import replace
from textual.pilot import Pilot

from seqthink.core.events import UnknownEvent
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.journal.decode import decode
from seqthink.journal.glance import locked_inodes
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.fleet import FleetPlace
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.place import Place
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.library.viewer_store.marks import Mark, Marks
from seqthink.library.viewer_store.read_state import ReadState
from seqthink.share.shipping.card_fold import CardFold
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.mirror.folder import FleetFolder
from seqthink.sources.transcripts.registry import TRANSCRIPTS
from tests.support.fleet.memory_fleet import MemoryFleet
from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.journals.code_review_journal import code_review
from tests.support.journals.example_chains import cache, full_contexts, questions, queue, slow_login
from tests.support.journals.long_chain import long_chain
from tests.support.journals.plain_session import plain_session
from tests.support.journals.two_runs import run_that_failed, run_that_worked
from tests.support.journals.wall_sessions import busy_wall, many_sessions, odd_names
from tests.support.transcripts.translated import three_agents
from tui.app import Viewer
from tui.screens import wall
from tui.screens.comparison import ComparisonScreen
from tui.screens.find import FindScreen
from tui.screens.sessions import SessionsScreen
from tui.screens.statistics import StatisticsScreen
from tui.screens.wall import WallScreen
from tui.session_view import health_watch
from tui.settings import Settings
from tui.state.landing import Beginning

TIMEOUT_SECONDS = 60.0


_WAITED_FOR = (ComparisonScreen, SessionsScreen, FindScreen, WallScreen, StatisticsScreen)
_ENDING_WORKERS = {"find", "palette", "rows"}
"""Groups of workers that find what is shown and then end; on a busy machine that is after the keys."""


@dataclass(frozen=True)
class Scene:
    """One screen: the journal, its age, the size, and the keys that lead to it.

    ``lines`` cuts the journal after that many events; a journal without an end has a running server.
    """

    width: int
    height: int
    journal: Callable[[], JournalBuilder] | None = None
    lines: int | None = None
    ago: float = 12
    keys: tuple[str, ...] = ()
    theme: str = "dark"
    is_ascii: bool = False
    is_replay: bool = False
    replay_at: int | None = None
    others: Callable[[], Sequence[tuple[JournalBuilder, bool]]] = tuple
    begins_with_wall: bool = False
    has_marks: bool = False
    """Whether thoughts of this session and of others are marked."""
    looks_at_clients: bool = False
    """Whether the viewer also looks for transcripts; there are none."""
    origins: tuple[str, ...] = ()
    """The machines of a fleet that the sessions are on, by turns; none for sessions of this machine's folder."""
    first_opened: float | None = None
    """How many seconds ago the user opened a viewer for the first time, so that what came since is unread."""


def _index() -> JournalBuilder:
    return (
        JournalBuilder()
        .session()
        .thought(
            "Use a partial index on orders(status) where status = 'open': 2 % of the rows, every slow query filters on "
            "it, and writes to closed orders stay free. A full index would be 40 times larger. Build it CONCURRENTLY, "
            "outside the migration's transaction.",
            next=False,
        )
        .end()
    )


def _others() -> Sequence[tuple[JournalBuilder, bool]]:
    """Return a busy user's sessions, newest first, each with whether its server is running."""
    hour = timedelta(hours=1)
    asked = [
        ("Which VPC peering do we still need?", "gemini-cli", "/home/ana/infra", hour / 15, True, True),
        ("Rename the flag, or keep an alias?", "claude-code", "/home/ana/shop-api", 2 * hour, False, False),
        ("目录应该按任务还是按模块划分?", "vscode", "/home/ana/docs", 5 * hour, True, False),
        ("Which feature flags are dead?", "codex", "/home/ana/web-app", 26 * hour, True, False),
        ("Is a monorepo worth the move?", "claude-code", "/home/ana/platform", 75 * hour, False, False),
    ]
    sessions: list[tuple[JournalBuilder, bool]] = []
    for text, client, cwd, before, is_open, is_live in asked:
        builder = JournalBuilder(START - before).session(client=client, cwd=cwd)
        builder.thought(text, 1, 4).thought("What is certain, and what is hoped", 2, 4, after=4)
        builder.thought("What would change my mind", 3, 4, next=is_open, after=5)
        sessions.append((builder if is_live else builder.end(), is_live))
    return [(questions(), True), *sessions[:-1], (_flaky(), False), sessions[-1]]


_COMPARED = ("s", "g", "space", "j", "space", "D")


def _hidden() -> Sequence[tuple[JournalBuilder, bool]]:
    """Return the run to which another one is compared."""
    return [(run_that_failed().end(), False)]


def _flaky() -> JournalBuilder:
    """Return a lost session: a branch after the second thought, a revision, and many thoughts to go."""
    builder = JournalBuilder(START - timedelta(hours=30)).session(client="codex", cwd="/home/ana/web-app")
    builder.thought("Flaky test: order, clock or network?", 1, 20).thought("It fails on Mondays", 2, 20)
    for number in (1, 2, 3):
        builder.thought("Freeze the clock", number, 3, branch="clock", from_=2)
    for number in range(3, 20):
        builder.thought("It fails alone too", number, 20, revises=2 if number == 4 else None)
    return builder


def _busy() -> Sequence[tuple[JournalBuilder, bool]]:
    """Return the sessions of a day beside six agents: one asks, one is stuck, two think, two are done and unread."""
    minute = timedelta(minutes=1)

    def begin(before: timedelta, client: str, folder: str, *texts: str, total: int = 8) -> JournalBuilder:
        builder = JournalBuilder(START - before).session(client=client, cwd=f"/home/ana/{folder}")
        for number, text in enumerate(texts, 1):
            builder.thought(text, number, total, after=20)
        return builder

    asking = begin(4 * minute, "claude-code", "billing", "Which invoices round twice?", "Two: net and tax", total=2)
    asking.asking(message="May the chain go on past 2 thoughts?")
    stuck = begin(21 * minute, "gemini-cli", "infra", "Which VPC peering do we still need?", "List the routes first")
    fresh = begin(1 * minute, "codex", "web-app", "Retry policy for the image upload", "Jitter, and at most five tries")
    mobile = begin(9 * minute, "codex", "mobile", "Why is the cold start 3 s?", "Fonts: 400 ms before the first frame")
    mobile.thought("Preload one weight only", 3, 3, next=False).end()
    search = begin(14 * minute, "vscode", "search-index", "Rank by recency or by clicks?", total=2)
    search.thought("By clicks, decayed over a week", 2, 2, next=False).end()
    lives = [(fresh, True), (asking, True), (stuck, True)]
    return [*lives, (mobile, False), (search, False), *((one, False) for one, is_live in _others() if not is_live)]


def _crowd() -> Sequence[tuple[JournalBuilder, bool]]:
    """Return 300 live sessions, with long names in CJK, hostile ones, and clocks that are hours ahead or behind."""
    names = ("按任务还是按模块划分目录" * 17, "\x1b]0;owned\x07[@click=app.quit]x[/]\u202e", "shop-api")
    sessions: list[tuple[JournalBuilder, bool]] = []
    for number in range(300):
        hours = (0, 0, 0, 3, -3)[number % 5]
        builder = JournalBuilder(START + timedelta(hours=hours, seconds=-number)).session(
            client=names[(number + 1) % 3], title=f"{number} {names[number % 3]}"
        )
        builder.thought(f"Question {number}: {names[(number + 2) % 3]}", 1, 9).thought("And now?", 2, 9, after=3)
        sessions.append((builder.asking() if number % 50 == 7 else builder, True))
    return sessions


def _survey() -> JournalBuilder:
    """Return a session with pauses, many branches, and an estimate that keeps pace until it knows better."""
    builder = JournalBuilder().session(client="codex", cwd="/home/ana/search")
    builder.thought("Which index serves the new search?", 1, 1)
    for number in range(2, 15):
        gap = 3 + number * 7 % 11 if number != 9 else 260
        builder.thought(f"What query {number} asks of an index", number, number, after=gap)
    for branch in range(23):
        builder.thought(
            f"Index {branch + 1} alone", 15, 18, branch=f"index-{branch + 1}", from_=14, after=1 + branch % 6
        )
    builder.thought("Three of them answer within 20 ms", 15, 18, after=3_700)
    for number, text in enumerate(("Two of these fit into memory", "One survives a rebuild", "So: trigrams"), 16):
        builder.thought(text, number, 22 if number == 16 else 18, after=9, next=number < 18)
    return builder.end()


_ORIGINS = ("laptop-k3v2qa", "buildbox-b2c3d4", "runner-17-e5f6g7")
_NOTE = ("i", *"Look at the report job first: it runs at :00 on every node, and nobody remembers why.")

SCENES: Mapping[str, Scene] = {
    "straight-narrow": Scene(44, 20, shop_api, lines=6),
    "live-narrow": Scene(44, 20, shop_api, lines=10),
    "live-wide": Scene(120, 30, shop_api, lines=10),
    "map": Scene(120, 35, long_chain, lines=10_000, ago=4),
    "map-words": Scene(180, 40, long_chain, lines=10_000, ago=4, keys=("pageup",) * 3),
    "map-80x24": Scene(80, 24, long_chain, lines=10_000, ago=4, keys=("t", "g")),
    "map-ascii": Scene(160, 24, long_chain, lines=10_000, ago=4, is_ascii=True),
    "live-80x24": Scene(80, 24, shop_api, lines=10),
    "done-wide": Scene(120, 30, shop_api, ago=120),
    "one-thought": Scene(44, 20, _index, ago=120),
    "waiting": Scene(44, 20),
    "waiting-wide": Scene(80, 24, looks_at_clients=True),
    "text": Scene(80, 24, shop_api, keys=("k", "enter"), ago=120),
    "folded": Scene(60, 20, shop_api, keys=("g", "j", "j", "j", "h"), ago=120),
    "keys": Scene(120, 35, shop_api, keys=("question_mark",), ago=120),
    "keys-narrow": Scene(44, 20, shop_api, keys=("question_mark",), ago=120),
    "keys-80x24": Scene(80, 24, shop_api, keys=("question_mark",), ago=120),
    "palette": Scene(80, 24, shop_api, lines=10, keys=("colon", *"ti")),
    "palette-narrow": Scene(44, 20, shop_api, lines=10, keys=("colon",)),
    "replay": Scene(100, 24, shop_api, is_replay=True, replay_at=7),
    "replay-narrow": Scene(44, 20, shop_api, is_replay=True, replay_at=7),
    "time-line": Scene(120, 26, _survey, is_replay=True, replay_at=38),
    "time-line-narrow": Scene(44, 20, _survey, is_replay=True, replay_at=38),
    "timeline": Scene(60, 20, shop_api, lines=10, keys=("t",)),
    "timeline-wide": Scene(120, 30, queue, ago=120, keys=("t",)),
    "branches": Scene(120, 30, queue, ago=120),
    "agents": Scene(120, 30, slow_login, lines=11, ago=6),
    "agents-narrow": Scene(44, 20, slow_login, lines=13, ago=6),
    "agents-timeline": Scene(80, 24, slow_login, ago=120, keys=("t",)),
    "subagents": Scene(120, 30, three_agents, lines=60, ago=2),
    "subagents-narrow": Scene(44, 30, three_agents, lines=60, ago=2),
    "subagents-native": Scene(120, 34, three_agents, lines=60, ago=2, keys=("v",)),
    "contexts": Scene(120, 24, full_contexts, ago=2),
    "contexts-narrow": Scene(39, 20, full_contexts, ago=2),
    "contexts-past": Scene(80, 24, full_contexts, is_replay=True, replay_at=3),
    "contexts-list": Scene(120, 20, full_contexts, ago=2, keys=("s",), others=_busy),
    "contexts-wall": Scene(120, 30, full_contexts, ago=2, begins_with_wall=True, others=_busy),
    "plain": Scene(120, 26, plain_session, lines=40, ago=41),
    "plain-narrow": Scene(44, 24, plain_session, lines=40, ago=41),
    "plain-actions": Scene(120, 26, plain_session, lines=40, ago=41, keys=("k", "k", "k", "k")),
    "revisions": Scene(120, 30, cache, ago=120),
    "chart": Scene(120, 34, cache, ago=120, keys=("g", "j", "j", "j")),
    "chains": Scene(44, 20, questions, lines=27, ago=3),
    "audit": Scene(120, 34, shop_api, ago=120, keys=("k",)),
    "audit-rejected": Scene(120, 44, code_review, ago=120, keys=("g", "j", "j")),
    "audit-passed": Scene(120, 35, code_review, ago=120, keys=("g", "j", "j", "j")),
    "audit-running": Scene(120, 35, code_review, lines=14, ago=1),
    "audit-running-narrow": Scene(44, 20, code_review, lines=33, ago=1),
    "audit-asking": Scene(80, 24, code_review, lines=41, ago=3),
    "second-judge": Scene(80, 60, code_review, ago=120, keys=("k", "k", "k", "enter")),
    "diff": Scene(120, 30, cache, ago=120, keys=("k", "d")),
    "search": Scene(80, 24, shop_api, ago=120, keys=("slash", *"pool", "enter")),
    "filter": Scene(80, 24, shop_api, ago=120, keys=("ampersand", *"is:revision", "enter")),
    "sessions": Scene(100, 20, shop_api, lines=10, keys=("s",), others=_others),
    "sessions-narrow": Scene(44, 20, shop_api, lines=10, keys=("s",), others=_others),
    "statistics": Scene(120, 24, shop_api, lines=10, keys=("S", "tab"), others=_others),
    "statistics-high": Scene(200, 50, shop_api, lines=10, keys=("S", "tab"), others=_busy),
    "statistics-narrow": Scene(44, 34, shop_api, ago=120, keys=("S",)),
    "comparison": Scene(120, 35, run_that_worked, ago=120, keys=_COMPARED, others=_hidden),
    "comparison-80x24": Scene(80, 24, run_that_worked, ago=120, keys=(*_COMPARED, "n"), others=_hidden),
    "comparison-narrow": Scene(39, 20, run_that_worked, ago=120, keys=(*_COMPARED, "n", "n"), others=_hidden),
    "sessions-picked": Scene(80, 14, run_that_worked, ago=120, keys=_COMPARED[:-1], others=_hidden),
    "find": Scene(120, 24, shop_api, lines=10, keys=("F", *"what", "enter", "j", "j"), others=_others),
    "marked": Scene(80, 24, shop_api, lines=10, has_marks=True),
    "marks": Scene(120, 12, shop_api, lines=10, keys=("apostrophe", "j"), has_marks=True, others=_others),
    "marks-narrow": Scene(44, 12, shop_api, lines=10, keys=("apostrophe",), has_marks=True, others=_others),
    "marks-80": Scene(
        80, 10, shop_api, lines=10, keys=("apostrophe", "slash", *"pool"), has_marks=True, others=_others
    ),
    "marks-200": Scene(200, 10, shop_api, lines=10, keys=("apostrophe",), has_marks=True, others=_others),
    "marks-none": Scene(60, 10, shop_api, lines=10, keys=("apostrophe",), first_opened=0),
    "find-narrow": Scene(44, 20, shop_api, lines=10, keys=("F", *"what", "enter", "j", "j"), others=_others),
    "find-typing": Scene(80, 16, shop_api, lines=10, keys=("F", *"change my"), others=_others),
    "find-nothing": Scene(80, 14, shop_api, lines=10, keys=("F", *"kubernetes", "enter"), others=_others),
    "find-empty": Scene(60, 14, shop_api, lines=10, keys=("F",), others=_others),
    "sessions-wide": Scene(120, 35, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000),
    "sessions-widest": Scene(200, 40, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000),
    "sessions-80x24": Scene(80, 24, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000),
    "sessions-needed": Scene(44, 20, shop_api, lines=10, keys=("s", "!"), others=_busy, first_opened=3000),
    "sessions-search": Scene(100, 20, shop_api, lines=10, keys=("s", "slash", *"web"), others=_busy, first_opened=3000),
    "sessions-light": Scene(120, 35, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000, theme="light"),
    "sessions-ascii": Scene(
        80, 24, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000, theme="mono", is_ascii=True
    ),
    "sessions-crowd": Scene(120, 35, shop_api, lines=10, keys=("s",), others=_crowd),
    "sessions-crowd-narrow": Scene(44, 20, shop_api, lines=10, keys=("s",), others=_crowd),
    "note": Scene(44, 20, shop_api, lines=10, keys=_NOTE),
    "note-wide": Scene(120, 35, shop_api, lines=10, keys=_NOTE),
    "note-waiting": Scene(44, 20, shop_api, lines=10, keys=(*_NOTE, "enter")),
    "note-waiting-wide": Scene(120, 35, shop_api, lines=10, keys=(*_NOTE, "enter")),
    "wall": Scene(120, 35, shop_api, lines=10, keys=("w",), others=busy_wall),
    "wall-narrow": Scene(44, 20, shop_api, lines=10, keys=("w",), others=busy_wall),
    "wall-80x24": Scene(80, 24, shop_api, lines=10, keys=("w",), others=busy_wall),
    "wall-200x60": Scene(200, 60, shop_api, lines=10, keys=("w",), others=busy_wall),
    "wall-light": Scene(120, 35, shop_api, lines=10, keys=("w",), others=busy_wall, theme="light"),
    "wall-ansi": Scene(120, 35, shop_api, lines=10, keys=("w",), others=busy_wall, theme="ansi"),
    "wall-mono": Scene(44, 20, shop_api, lines=10, keys=("w",), others=busy_wall, theme="mono"),
    "wall-ascii": Scene(80, 24, shop_api, lines=10, keys=("w",), others=busy_wall, is_ascii=True),
    "wall-tiny": Scene(20, 6, shop_api, lines=10, keys=("w",), others=busy_wall),
    "wall-pages": Scene(80, 24, shop_api, lines=10, keys=("w",), others=many_sessions),
    "wall-odd-names": Scene(120, 35, shop_api, lines=10, keys=("w",), others=odd_names),
    "wall-fleet": Scene(120, 35, shop_api, lines=10, keys=("w",), others=busy_wall, origins=_ORIGINS),
    "wall-fleet-narrow": Scene(44, 20, shop_api, lines=10, keys=("w",), others=busy_wall, origins=_ORIGINS),
    "sessions-fleet": Scene(
        120, 35, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000, origins=_ORIGINS
    ),
    "sessions-fleet-80": Scene(
        80, 24, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000, origins=_ORIGINS
    ),
    "sessions-fleet-narrow": Scene(
        44, 20, shop_api, lines=10, keys=("s",), others=_busy, first_opened=3000, origins=_ORIGINS
    ),
    "wall-empty": Scene(44, 20, begins_with_wall=True),
    "ascii": Scene(60, 20, shop_api, lines=10, is_ascii=True),
    "mono": Scene(80, 24, shop_api, lines=10, theme="mono"),
    "light": Scene(120, 30, shop_api, lines=10, theme="light"),
}


@contextmanager
def viewer(scene: Scene, home: Path) -> Generator[Viewer]:
    """Yield the viewer of a scene in an empty ``home``."""
    with sessions_of(scene, home) as (path, settings):
        yield Viewer(path, settings)


@contextmanager
def sessions_of(scene: Scene, home: Path) -> Generator[tuple[Path | None, Settings]]:
    """Yield a scene's journal and what else its screen depends on; unfinished journals are locked as by a server."""
    folder = home / ".local/state/seqthink/sessions"
    folder.mkdir(parents=True)
    lines = scene.journal().lines[: scene.lines] if scene.journal else []
    path = folder / f"{SESSION}.jsonl" if lines else None
    with ExitStack() as held:
        held.enter_context(patch.dict(os.environ, HOME=str(home)))
        held.enter_context(patch.object(health_watch, "FIRST_REST_SECONDS", 0.0))  # each screen waits for its end
        held.enter_context(patch.object(wall, "MAX_WAIT_SECONDS", inf))  # tiles have their places by their start
        for number, (builder, is_live) in enumerate(scene.others()):
            name = builder.lines[0].decode().split('"time":"')[1][:26].translate({ord("-"): None, ord(":"): None})
            _write(folder / f"{name}Z-aaaaa{number + 2}.jsonl", builder.lines, held if is_live else None)
        if path is not None:
            _write(path, lines, held if scene.lines is not None else None)
        moment = _time(lines) + int(scene.ago * 1_000_000)
        if scene.has_marks:
            _mark(home / "viewer", moment)
        if scene.first_opened is not None:
            ReadState(home / "viewer").begin(moment - int(scene.first_opened * 1_000_000))
        settings = _settings(scene, home, folder, moment)
        if scene.origins:
            path, fleet = held.enter_context(_fleet(scene.origins, folder, home, moment))
            settings = replace(settings, folder=home / "nowhere", catalog=SessionCatalog(fleet))
        yield path, settings


@contextmanager
def _fleet(origins: Sequence[str], folder: Path, home: Path, moment: int) -> Generator[tuple[Path, FleetPlace]]:
    """Give the session of the scene and all sessions, as the machines of a fleet have shipped them from ``folder``."""
    engine, journals = MemoryFleet(), OpenJournals(folder)
    paths = sorted(folder.glob("*.jsonl"), reverse=True)
    for path, origin in zip(paths, cycle(origins), strict=False):
        name, file, fold = SessionName(origin, path.stem), journals.file(path.stem), CardFold()
        lines, is_alive = path.read_bytes().splitlines(), path.stem in _locked(folder)
        while not fold.read(file):
            pass
        engine.append(name, lines)
        card = fold.card(file, moment, is_alive=is_alive, lines=len(lines), takes_notes=False, signed=False)
        engine.put(name, card)
        engine.shippers.add(origin)
        if is_alive:
            engine.alive.add(name)
    journals.close()
    sessions = FleetFolder(engine.open, {"XDG_RUNTIME_DIR": str(home)}, lambda: moment)
    library = FleetPlace(sessions, "hub:6379 (main)")
    try:
        library.start()
        library.look(TIMEOUT_SECONDS)
        for listed in sessions.listed:
            assert sessions.fill(listed.path), "all of it is in the engine"
        yield sessions.resolve(SESSION), library
    finally:
        library.close()
        sessions.close()


def _locked(folder: Path) -> set[str]:
    """Return the sessions whose server runs."""
    locked = locked_inodes()
    return {path.stem for path in folder.glob("*.jsonl") if path.stat().st_ino in locked}


def _write(path: Path, lines: list[bytes], held: ExitStack | None) -> None:
    path.write_bytes(b"".join(lines).replace(b'"host":"desk"', f'"host":"{socket.gethostname()}"'.encode()))
    os.utime(path, (moment := _time(lines) / 1_000_000, moment))
    if held is not None:
        fcntl.flock(held.enter_context(path.open("rb")), fcntl.LOCK_EX)


async def play(scene: Scene, pilot: Pilot[str]) -> None:
    """Wait until the journal is drawn, and press the scene's keys."""
    app = pilot.app
    assert isinstance(app, Viewer)
    with anyio.fail_after(TIMEOUT_SECONDS):
        while not app.is_ready:
            await pilot.pause()
    await _wait_for_threads(app, pilot)
    for key in scene.keys:  # each where the one before has led
        await pilot.press(key)
        await _wait_for_threads(app, pilot)
    await pilot.pause()


async def _wait_for_threads(app: Viewer, pilot: Pilot[str]) -> None:
    with anyio.fail_after(TIMEOUT_SECONDS):
        while isinstance(app.screen, _WAITED_FOR) and not app.screen.is_ready:
            await pilot.pause()
        while any(worker.group in _ENDING_WORKERS and worker.is_running for worker in app.workers):
            await pilot.pause()
        while _is_looking_for_oddities(app):
            await pilot.pause()


def _is_looking_for_oddities(app: Viewer) -> bool:
    feed = app.session_screen.state.feed
    return feed.is_loaded and feed.texts is not None and feed.texts.health.is_behind(feed.session)


def _mark(folder: Path, moment: int) -> None:
    """Mark thoughts of this session and of others; one is gone."""
    hour, marks = 3_600_000_000, Marks(folder)
    for mark in (
        Mark(
            SESSION,
            6,
            moment - hour // 60,
            "shop-api",
            5,
            "Gateway pool: 12 of 200 in use at :00, and the slowest acquire",
        ),
        Mark(SESSION, 4, moment - hour, "shop-api", 3, "Hypotheses: gateway pool, DNS, a cron job"),
        Mark("20260310T090200.000000Z-aaaaa5", 3, moment - 5 * hour, "docs", 2, "What is certain, and what is hoped"),
        Mark("20260301T090200.000000Z-aaaaa9", 12, moment - 50 * hour, "billing", 7, "Round at the end, once"),
    ):
        marks.add(mark)


def _settings(scene: Scene, home: Path, folder: Path, moment: int) -> Settings:
    places: list[Place] = [FolderPlace(folder)]
    if scene.looks_at_clients:
        places.append(TranscriptPlace(frozenset(TRANSCRIPTS), {}, home, lambda: moment))
    return Settings(
        folder=folder,
        catalog=SessionCatalog(*places),
        clock=lambda: moment,
        zone=UTC,
        signs=ASCII if scene.is_ascii else UNICODE,
        theme=scene.theme,
        is_replay=scene.is_replay,
        replay_at=scene.replay_at,
        beginning=Beginning(is_wall=scene.begins_with_wall),
        viewer_folder=home / "viewer" if scene.first_opened is not None or scene.has_marks else None,
    )


def _time(lines: list[bytes]) -> int:
    event = decode(lines[-1]) if lines else None
    time = START if event is None or isinstance(event, UnknownEvent) else event.time
    return int(time.timestamp() * 1_000_000)
