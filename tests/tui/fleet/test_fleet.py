"""The viewer on the sessions of other machines."""

from pathlib import Path

import pytest

from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from tests.support.depth import first
from tests.support.fleet.memory_machines import thought
from tests.tui.fleet.conftest import Fleet
from tui.screens.sessions import SessionsScreen

DOWN = EngineUnavailableError("the engine cannot be reached: connection refused")


async def test_newest_session_is_shown_with_its_machine(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "old", ago=300)
    fleet.put("build-box-a2b3c4", "shop", 4)

    async with fleet.viewer() as stage:
        await stage.shows("step 4", "shop · claude-code · build-box", "thinking")

        assert "evil" not in stage.text


async def test_history_goes_on_live(fleet: Fleet) -> None:
    name = fleet.put("lab-zzzzzz", "shop")

    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        fleet.engine.append(name, [thought(4)])
        await stage.shows("step 4")


@pytest.mark.deep  # the wall names it as well
async def test_lost_engine_is_named_until_it_is_back(fleet: Fleet) -> None:
    name = fleet.put("lab-zzzzzz", "shop")

    async with fleet.viewer() as stage:
        await stage.shows("thinking")
        fleet.engine.break_with(DOWN)
        await stage.shows("engine lost since 12:31")
        assert "thinking" not in stage.text
        fleet.engine.append(name, [thought(4), thought(5)])
        fleet.engine.break_with(None)
        await stage.shows("step 5", "thinking")
        await stage.until(lambda: "engine lost" not in stage.text)


async def test_lost_engine_is_named_on_the_wall(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "shop")
    fleet.put("build-box-a2b3c4", "docs")

    async with fleet.viewer(is_wall=True) as stage:
        await stage.shows("shop · lab · claude-code", "docs · build-box · claude-code", "2 thinking")
        fleet.engine.break_with(DOWN)
        await stage.shows("engine lost since 12:31", "2 open")
        fleet.engine.break_with(None)
        await stage.until(lambda: "2 thinking" in stage.text and "engine lost" not in stage.text)


async def test_viewer_waits_for_an_engine_that_is_not_there(fleet: Fleet) -> None:
    fleet.engine.break_with(DOWN)

    async with fleet.viewer() as stage:
        await stage.shows("Waiting for the fleet's engine: the engine cannot be reached", "no engine since 12:31")
        fleet.put("lab-zzzzzz", "shop")
        fleet.engine.break_with(None)
        await stage.shows("step 3")


async def test_refusing_engine_ends_the_viewer(fleet: Fleet) -> None:
    fleet.engine.break_with(EngineRefusedError("the engine refuses this user"))

    async with fleet.viewer(is_ready=False) as stage:
        await stage.until(lambda: stage.app.failure)

        assert isinstance(stage.app.failure, EngineRefusedError)


def fetched(folder: Path) -> set[str]:
    """Return the sessions whose lines are here."""
    return {path.stem for path in folder.rglob("s??.jsonl")}


async def test_list_shows_cards_alone(fleet: Fleet, tmp_path: Path) -> None:
    for number in range(40):
        fleet.put(f"box{number % 3}-a2b3c4", f"s{number:02}", ago=(number + 1) * 1000)
    fleet.engine.alive.clear()  # the wall reads those that are alive, or changed a short while ago

    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        await stage.press("s")
        await stage.shows("40 ", "box0", "box1", "box2")
        await stage.press("end")
        await stage.shows("s39")

        assert fetched(tmp_path) == {"s00"}


async def test_list_is_searched_by_machine(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "shop")
    fleet.put("build-box-a2b3c4", "docs")

    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        await stage.press("s")
        await stage.shows("shop", "docs")
        await stage.press("/", *"build")
        await stage.until(lambda: "1 of 2" in stage.text)

        assert isinstance(stage.app.screen, SessionsScreen)


async def test_same_id_on_two_machines_is_two_sessions(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "same", 3)
    fleet.put("build-box-a2b3c4", "same", 5, ago=900)

    async with fleet.viewer() as stage:
        await stage.shows("step 3", "lab")
        await stage.press("b")
        await stage.press("s")
        await stage.shows("lab", "build-box")
        await stage.press("home", "enter")
        await stage.shows("step 5", "build-box")

        assert not stage.session.state.marked_seqs


async def test_trimmed_head_is_named(fleet: Fleet) -> None:
    name = fleet.put("lab-zzzzzz", "shop", 8, total=20)
    fleet.engine.trim(name, 5)

    async with fleet.viewer() as stage:
        await stage.shows("step 8", "lines 1–4 are no longer kept")


@pytest.mark.parametrize("size", first(1, [(200, 60), (44, 20), (120, 35), (80, 24)]))
async def test_machine_gives_way_in_narrow_rows(fleet: Fleet, size: tuple[int, int]) -> None:
    fleet.put("lab-zzzzzz", "shop")

    async with fleet.viewer(size) as stage:
        await stage.shows("step 3")

        assert ("lab" in stage.lines[0]) == (size[0] >= 60)


async def test_note_goes_through_the_engine_until_its_receipt(fleet: Fleet) -> None:
    name = fleet.put("lab-zzzzzz", "shop")

    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        await stage.press("i")
        await stage.shows("to claude-code on lab through redis.example:6379")
        await stage.press(*"hello", "enter")
        await stage.until(lambda: fleet.engine.sent)
        to, note = fleet.engine.sent[0]
        await stage.shows("waiting")
        fleet.engine.append(
            name,
            [
                b'{"v":1,"seq":5,"time":"2026-11-14T12:30:21.000Z","type":"note","id":"%s","text":"hello","of":1,'
                b'"writtenAt":"2026-11-14T12:30:20.000Z"}' % note.id.encode()
            ],
        )
        await stage.shows("note delivered")

        assert (to, note.text, "@" in note.by) == (name, "hello", True)


async def test_note_field_is_closed_where_the_machine_takes_none(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "shop", notes=0)

    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        await stage.press("i")
        await stage.shows("its machine takes no notes (ship --notes lets them in)")


async def test_note_that_the_engine_refuses_is_a_draft_again(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet.put("lab-zzzzzz", "shop")

    def refuse(*_: object) -> None:
        raise EngineRefusedError("this user may not send notes")

    monkeypatch.setattr("tests.support.fleet.memory_fleet.MemoryEngine.send_note", refuse)
    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        await stage.press("i", *"hello", "enter")
        await stage.shows("not sent: this user may not send notes")
        await stage.press("i")
        await stage.shows("not sent: this user may not send notes")


async def test_a_lost_session_differs_from_one_whose_machine_is_away(fleet: Fleet) -> None:
    lost, away = fleet.put("lab-zzzzzz", "lost", ago=5), fleet.put("build-box-a2b3c4", "away", ago=9)
    fleet.engine.alive -= {lost, away}
    fleet.engine.shippers.discard(away.origin)

    async with fleet.viewer(is_wall=True) as stage:
        await stage.shows("1 lost", "1 open")


async def test_cards_are_redacted_where_lines_are(fleet: Fleet) -> None:
    fleet.put("lab-zzzzzz", "shop", title="the key is hunter2", question="is hunter2 right?")
    fleet.clean = lambda text: text.replace("hunter2", "[redacted]")

    async with fleet.viewer() as stage:
        await stage.shows("step 3")
        await stage.press("s")
        await stage.shows("the key is [red")

        assert "hunter2" not in stage.text
