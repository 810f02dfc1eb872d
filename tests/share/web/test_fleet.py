"""What the pages say of other machines' sessions: where the engine is away, what it dropped, which machine is gone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.fleet import FleetPlace
from seqthink.share.web.app import make_app
from seqthink.share.web.settings import WebSettings
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.mirror.folder import FleetFolder
from seqthink.sources.fleet.opening import open_origin
from tests.support.depth import first
from tests.support.fleet.memory_machines import NOW, MemoryMachines, thought
from tests.support.fleet.redis_server import WITHOUT_ENGINE, RedisServer, engine_program, running_server
from tests.support.fleet.running_shipper import running, shipper_for
from tests.support.journals.build import JournalBuilder
from tests.support.screens.browser import browser
from tests.support.web.asgi import Reader, reading
from tests.support.web.command import running_web

DOWN = EngineUnavailableError("the engine cannot be reached: connection refused")
LOST = "engine lost since 12:31"
SHOP = "/s/lab-zzzzzz~shop"
LIST_TEXT = "document.getElementById('sessions').innerText"
ENGINE_LOST = "/^Engine lost since \\d\\d:\\d\\d/.test(document.getElementById('banner').innerText)"


class Fleet(MemoryMachines):
    """Machines whose sessions are in an engine in memory, and readers of their pages."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def read(self, use: Callable[[Reader], Awaitable[None]]) -> None:
        """Let ``use`` read the sessions."""

        async def run() -> None:
            async with reading(make_app(settings)) as reader:
                await use(reader)

        with (
            closing(FleetFolder(self.engine.open, {"XDG_RUNTIME_DIR": str(self._folder)}, lambda: NOW)) as folder,
            closing(FleetPlace(folder, "redis.example:6379 (main)")) as library,
        ):
            catalog = SessionCatalog(library)
            settings = WebSettings(catalog=catalog, clock=lambda: NOW)
            asyncio.run(run())


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return Fleet(tmp_path)


def listed(answer: Any) -> dict[str, str]:  # noqa: ANN401 - JSON
    """Return the words of the sessions' states by their keys."""
    return {one["key"]: one["state"]["word"] for group in answer["groups"] for one in group["sessions"]}


def test_a_lost_engine_is_named_on_the_list_until_it_is_back(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "shop")

    async def use(reader: Reader) -> None:
        answer = await reader.answer_with("/sessions", listed)
        assert (answer["trouble"], listed(answer)) == ("", {"lab-zzzzzz~shop": "thinking"})
        fleet.engine.break_with(DOWN)
        answer = await reader.answer_with("/sessions", lambda answer: listed(answer) == {"lab-zzzzzz~shop": "open"})
        assert answer["trouble"] == LOST
        fleet.engine.break_with(None)
        answer = await reader.answer_with("/sessions", lambda answer: listed(answer) == {"lab-zzzzzz~shop": "thinking"})
        assert answer["trouble"] == ""

    fleet.read(use)


def test_a_lost_engine_is_named_on_a_sessions_page_and_what_came_meanwhile_follows(fleet: Fleet) -> None:
    name = fleet.put("lab-zzzzzz", "shop")

    async def use(reader: Reader) -> None:
        await reader.answer_with(f"{SHOP}/state", lambda answer: answer["thoughts"] == 3 and not answer["remark"])
        fleet.engine.break_with(DOWN)
        state = await reader.answer_with(f"{SHOP}/state", lambda answer: answer["trouble"] and not answer["isLive"])
        assert (state["trouble"], state["state"]["word"], state["thoughts"]) == (LOST, "open", 3)
        fleet.engine.append(name, [thought(4), thought(5)])
        fleet.engine.break_with(None)
        await reader.answer_with(f"{SHOP}/state", lambda answer: not answer["trouble"] and answer["isLive"])
        await reader.answer_with(f"{SHOP}/state", lambda answer: answer["thoughts"] == 5)

    fleet.read(use)


def test_an_engine_that_was_never_there_is_waited_for(fleet: Fleet) -> None:
    fleet.engine.break_with(DOWN)

    async def use(reader: Reader) -> None:
        answer = await reader.answer_with("/sessions", lambda answer: answer["trouble"])
        assert answer["trouble"] == "no engine since 12:31"
        assert answer["waiting"].startswith("Waiting for the fleet's engine: the engine cannot be reached")
        fleet.put("lab-zzzzzz", "shop")
        fleet.engine.break_with(None)
        answer = await reader.answer_with("/sessions", listed)
        assert answer["trouble"] == ""

    fleet.read(use)


def test_a_session_that_was_not_fetched_before_the_engine_was_lost_is_no_missing_file(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "shop", name="shop-api")

    async def use(reader: Reader) -> None:
        await reader.answer_with("/sessions", listed)
        fleet.engine.break_with(DOWN)
        state = await reader.answer_with(f"{SHOP}/state", lambda answer: not answer["remark"])
        assert (state["name"], state["machine"], state["trouble"]) == ("shop-api", "lab", LOST)
        fleet.engine.break_with(None)
        await reader.answer_with(f"{SHOP}/state", lambda answer: answer["thoughts"] == 3)

    fleet.read(use)


def test_an_engine_that_refuses_is_named(fleet: Fleet) -> None:
    fleet.engine.break_with(EngineRefusedError("the engine refuses this user"))

    async def use(reader: Reader) -> None:
        answer = await reader.answer_with("/sessions", lambda answer: answer["error"])
        assert answer["error"] == "listing the sessions: the engine refuses this user; trying again"
        refused = await reader.get(f"{SHOP}/state")
        assert (refused.status, refused.json) == (503, {"error": "the engine refuses this user"})

    fleet.read(use)


def test_a_fleet_without_sessions_says_how_they_come(fleet: Fleet) -> None:
    async def use(reader: Reader) -> None:
        answer = (await reader.get("/sessions")).json
        assert answer["waiting"].startswith("No sessions in the fleet yet.")

    fleet.read(use)


def test_lines_that_are_no_longer_kept_are_named(fleet: Fleet) -> None:
    fleet.engine.trim(fleet.put("lab-zzzzzz", "shop", 8, total=20), 5)

    async def use(reader: Reader) -> None:
        state = await reader.answer_with(f"{SHOP}/state", lambda answer: "opening" not in answer["remark"])
        assert state["remark"] == "lines 1–4 are no longer kept"

    fleet.read(use)


@pytest.mark.parametrize(("has_shipper", "word"), first(1, [(True, "lost"), (False, "open")], is_unpacked=True))
def test_a_session_without_a_heartbeat_is_lost_or_open(fleet: Fleet, word: str, *, has_shipper: bool) -> None:
    name = fleet.put("lab-zzzzzz", "shop")

    async def use(reader: Reader) -> None:
        await reader.answer_with(f"{SHOP}/state", lambda answer: answer["state"]["word"] == "thinking")
        fleet.engine.alive.discard(name)
        if not has_shipper:
            fleet.engine.shippers.clear()
        await reader.answer_with(f"{SHOP}/state", lambda answer: answer["state"]["word"] == word)
        await reader.answer_with("/sessions", lambda answer: listed(answer) == {"lab-zzzzzz~shop": word})

    fleet.read(use)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[RedisServer]:
    """A real engine that keeps what it acknowledged."""
    if not engine_program():
        pytest.skip(WITHOUT_ENGINE)
    with running_server(tmp_path / "engine", aof=True) as server:
        yield server


@pytest.mark.deep  # a browser of its own; without one each page is tested above
def test_in_a_browser_both_pages_say_that_the_engine_is_lost_until_it_is_back(
    engine: RedisServer, tmp_path: Path
) -> None:
    journal = JournalBuilder().session().thought("before the engine ended", 1, 3)
    journal.write(tmp_path / "shop.jsonl")
    origin = open_origin(parse_address(engine.url), "build17-abcdef", {})
    with (
        closing(origin),
        running(shipper_for(origin, tmp_path, [])),
        running_web("--fleet", engine.url, environ={"XDG_RUNTIME_DIR": str(tmp_path)}) as web,
        browser(tmp_path / "browser") as page,
    ):
        page.visit(web.url)
        page.until(f"{LIST_TEXT}.includes('build17')")
        page.until("document.getElementById('banner').hidden")
        engine.kill()
        page.until(ENGINE_LOST)
        engine.start()
        page.until("document.getElementById('banner').hidden")
        page.until("document.querySelector('a.one') !== null")
        page.visit(page.ask("document.querySelector('a.one').href"))
        page.until("document.getElementById('rows')?.innerText.includes('before the engine ended')")
        page.until("document.getElementById('banner').hidden")
        engine.kill()
        page.until(ENGINE_LOST)
        journal.thought("while it was away", 2, 3).write(tmp_path / "shop.jsonl")
        engine.start()
        page.until("document.getElementById('banner').hidden")
        page.until("document.getElementById('rows').innerText.includes('while it was away')")
