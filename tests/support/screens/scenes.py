"""Named screens: a journal, a size, keys. They feed the snapshot tests and ``screenshots/``."""

import fcntl
import os
import socket
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from unittest.mock import patch

import anyio
from textual.pilot import Pilot

from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.events import UnknownEvent
from seqthink.journal.decode import decode
from seqthink.transcripts.registry import TRANSCRIPTS
from tests.support.journals.build import SESSION, START, JournalBuilder, shop_api
from tests.support.journals.code_review_journal import code_review
from tests.support.journals.example_chains import cache, questions, queue, slow_login
from tests.support.transcripts.translated import three_agents
from tui.app import Viewer
from tui.screens.sessions import SessionsScreen
from tui.settings import Settings
from tui.sources.transcript_library import TranscriptLibrary

TIMEOUT_SECONDS = 20.0


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
    looks_at_clients: bool = False
    """Whether the viewer also looks for transcripts, of which there are none."""


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


def _flaky() -> JournalBuilder:
    """Return a lost session: a branch after the second thought, a revision, and many thoughts to go."""
    builder = JournalBuilder(START - timedelta(hours=30)).session(client="codex", cwd="/home/ana/web-app")
    builder.thought("Flaky test: order, clock or network?", 1, 20).thought("It fails on Mondays", 2, 20)
    for number in (1, 2, 3):
        builder.thought("Freeze the clock", number, 3, branch="clock", from_=2)
    for number in range(3, 20):
        builder.thought("It fails alone too", number, 20, revises=2 if number == 4 else None)
    return builder


_NOTE = ("i", *"Look at the report job first: it runs at :00 on every node, and nobody remembers why.")

SCENES: Mapping[str, Scene] = {
    "straight-narrow": Scene(44, 20, shop_api, lines=6),
    "live-narrow": Scene(44, 20, shop_api, lines=10),
    "live-wide": Scene(120, 30, shop_api, lines=10),
    "live-80x24": Scene(80, 24, shop_api, lines=10),
    "done-wide": Scene(120, 30, shop_api, ago=120),
    "one-thought": Scene(44, 20, _index, ago=120),
    "waiting": Scene(44, 20),
    "waiting-wide": Scene(80, 24, looks_at_clients=True),
    "text": Scene(80, 24, shop_api, keys=("k", "enter"), ago=120),
    "folded": Scene(60, 20, shop_api, keys=("g", "j", "j", "j", "h"), ago=120),
    "keys": Scene(60, 24, shop_api, keys=("question_mark",), ago=120),
    "palette": Scene(80, 24, shop_api, lines=10, keys=("colon", *"ti")),
    "palette-narrow": Scene(44, 20, shop_api, lines=10, keys=("colon",)),
    "replay": Scene(100, 24, shop_api, is_replay=True, replay_at=7),
    "replay-narrow": Scene(44, 20, shop_api, is_replay=True, replay_at=7),
    "timeline": Scene(60, 20, shop_api, lines=10, keys=("t",)),
    "timeline-wide": Scene(120, 30, queue, ago=120, keys=("t",)),
    "branches": Scene(120, 30, queue, ago=120),
    "agents": Scene(120, 30, slow_login, lines=11, ago=6),
    "agents-narrow": Scene(44, 20, slow_login, lines=13, ago=6),
    "agents-timeline": Scene(80, 24, slow_login, ago=120, keys=("t",)),
    "subagents": Scene(120, 30, three_agents, lines=54, ago=2),
    "subagents-narrow": Scene(44, 30, three_agents, lines=54, ago=2),
    "subagents-native": Scene(120, 34, three_agents, lines=54, ago=2, keys=("v",)),
    "revisions": Scene(120, 30, cache, ago=120),
    "chart": Scene(120, 34, cache, ago=120, keys=("g", "j", "j", "j")),
    "chains": Scene(44, 20, questions, lines=27, ago=3),
    "audit": Scene(120, 34, shop_api, ago=120, keys=("k",)),
    "audit-rejected": Scene(120, 44, code_review, ago=120, keys=("g", "j", "j")),
    "audit-passed": Scene(120, 35, code_review, ago=120, keys=("g", "j", "j", "j")),
    "audit-running": Scene(120, 35, code_review, lines=14, ago=1),
    "audit-running-narrow": Scene(44, 20, code_review, lines=33, ago=1),
    "audit-asking": Scene(80, 24, code_review, lines=40, ago=3),
    "second-judge": Scene(80, 60, code_review, ago=120, keys=("k", "k", "k", "enter")),
    "diff": Scene(120, 30, cache, ago=120, keys=("k", "d")),
    "search": Scene(80, 24, shop_api, ago=120, keys=("slash", *"pool", "enter")),
    "filter": Scene(80, 24, shop_api, ago=120, keys=("ampersand", *"is:revision", "enter")),
    "sessions": Scene(100, 20, shop_api, lines=10, keys=("s",), others=_others),
    "sessions-narrow": Scene(44, 20, shop_api, lines=10, keys=("s",), others=_others),
    "note": Scene(44, 20, shop_api, lines=10, keys=_NOTE),
    "note-wide": Scene(120, 35, shop_api, lines=10, keys=_NOTE),
    "note-waiting": Scene(44, 20, shop_api, lines=10, keys=(*_NOTE, "enter")),
    "note-waiting-wide": Scene(120, 35, shop_api, lines=10, keys=(*_NOTE, "enter")),
    "ascii": Scene(60, 20, shop_api, lines=10, is_ascii=True),
    "mono": Scene(80, 24, shop_api, lines=10, theme="mono"),
    "light": Scene(120, 30, shop_api, lines=10, theme="light"),
}


@contextmanager
def viewer(scene: Scene, home: Path) -> Generator[Viewer]:
    """Yield the viewer of a scene in an empty ``home``; unfinished journals are locked as by a running server."""
    folder = home / ".local/state/seqthink/sessions"
    folder.mkdir(parents=True)
    lines = scene.journal().lines[: scene.lines] if scene.journal else []
    path = folder / f"{SESSION}.jsonl" if lines else None
    with ExitStack() as held:
        held.enter_context(patch.dict(os.environ, HOME=str(home)))
        for number, (builder, is_live) in enumerate(scene.others()):
            name = builder.lines[0].decode().split('"time":"')[1][:26].translate({ord("-"): None, ord(":"): None})
            _write(folder / f"{name}Z-aaaaa{number + 2}.jsonl", builder.lines, held if is_live else None)
        if path is not None:
            _write(path, lines, held if scene.lines is not None else None)
        yield Viewer(path, _settings(scene, home, folder, _time(lines) + int(scene.ago * 1_000_000)))


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
    await pilot.press(*scene.keys)
    with anyio.fail_after(TIMEOUT_SECONDS):
        while isinstance(app.screen, SessionsScreen) and not app.screen.is_ready:
            await pilot.pause()
    await pilot.pause()


def _settings(scene: Scene, home: Path, folder: Path, moment: int) -> Settings:
    sources = frozenset(TRANSCRIPTS) if scene.looks_at_clients else frozenset[str]()
    return Settings(
        folder=folder,
        library=TranscriptLibrary(sources, {}, home, lambda: moment) if sources else None,
        clock=lambda: moment,
        zone=UTC,
        signs=ASCII if scene.is_ascii else UNICODE,
        theme=scene.theme,
        is_replay=scene.is_replay,
        replay_at=scene.replay_at,
    )


def _time(lines: list[bytes]) -> int:
    event = decode(lines[-1]) if lines else None
    time = START if event is None or isinstance(event, UnknownEvent) else event.time
    return int(time.timestamp() * 1_000_000)
