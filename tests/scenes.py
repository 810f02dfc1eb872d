"""Named screens: a journal, a size, keys. They feed the snapshot tests and the pictures in ``screenshots/``."""

import fcntl
import socket
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import anyio
from textual.pilot import Pilot

from seqthink.drawing.glyphs import ASCII, UNICODE
from seqthink.events import UnreadEvent
from seqthink.journal.decode import decode
from tests.build import SESSION, START, JournalBuilder, shop_api
from tui.app import Viewer
from tui.settings import Settings

BOUND = 20.0


@dataclass(frozen=True)
class Scene:
    """One screen: what has been journaled, how long ago, the size, and the keys that lead to it.

    ``lines`` cuts the journal after so many events; a journal without its end has a server that lives.
    """

    width: int
    height: int
    journal: Callable[[], JournalBuilder] | None = None
    lines: int | None = None
    ago: float = 12
    keys: tuple[str, ...] = ()
    look: str = "dark"
    is_ascii: bool = False
    is_replay: bool = False
    replay_at: int | None = None


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


SCENES: Mapping[str, Scene] = {
    "straight-narrow": Scene(44, 20, shop_api, lines=6),
    "live-narrow": Scene(44, 20, shop_api, lines=10),
    "live-wide": Scene(120, 30, shop_api, lines=10),
    "live-80x24": Scene(80, 24, shop_api, lines=10),
    "done-wide": Scene(120, 30, shop_api, ago=120),
    "one-thought": Scene(44, 20, _index, ago=120),
    "waiting": Scene(44, 20),
    "text": Scene(80, 24, shop_api, keys=("k", "enter"), ago=120),
    "folded": Scene(60, 20, shop_api, keys=("g", "j", "j", "j", "h"), ago=120),
    "keys": Scene(60, 24, shop_api, keys=("question_mark",), ago=120),
    "replay-narrow": Scene(44, 20, shop_api, is_replay=True, replay_at=7),
    "timeline": Scene(60, 20, shop_api, lines=10, keys=("t",)),
    "ascii": Scene(60, 20, shop_api, lines=10, is_ascii=True),
    "light": Scene(120, 30, shop_api, lines=10, look="light"),
}


@contextmanager
def viewer(scene: Scene, folder: Path) -> Generator[Viewer]:
    """Give the viewer of a scene, its journal in ``folder``; one that is cut short is held as by a living server."""
    lines = scene.journal().lines[: scene.lines] if scene.journal else []
    path = folder / f"{SESSION}.jsonl" if lines else None
    with ExitStack() as held:
        if path is not None:
            path.write_bytes(b"".join(lines).replace(b'"host":"desk"', f'"host":"{socket.gethostname()}"'.encode()))
            if scene.lines is not None:
                fcntl.flock(held.enter_context(path.open("rb")), fcntl.LOCK_EX)
        yield Viewer(path, _settings(scene, _time(lines) + int(scene.ago * 1_000_000)))


async def play(scene: Scene, pilot: Pilot[str]) -> None:
    """Wait until the journal is drawn, and press the scene's keys."""
    app = pilot.app
    assert isinstance(app, Viewer)
    with anyio.fail_after(BOUND):
        while not app.is_ready:
            await pilot.pause()
    await pilot.press(*scene.keys)
    await pilot.pause()


def _settings(scene: Scene, moment: int) -> Settings:
    return Settings(
        folder=Path("~/.local/state/seqthink/sessions"),
        clock=lambda: moment,
        zone=UTC,
        signs=ASCII if scene.is_ascii else UNICODE,
        look=scene.look,
        is_replay=scene.is_replay,
        replay_at=scene.replay_at,
    )


def _time(lines: list[bytes]) -> int:
    event = decode(lines[-1]) if lines else None
    time = START if event is None or isinstance(event, UnreadEvent) else event.time
    return int(time.timestamp() * 1_000_000)
