"""`i` on a sub-agent's lane writes to that agent, where that is possible; else the input says why it goes to all."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from seqthink.journal.folder import notes_path
from tests.support.journals.build import JournalBuilder
from tests.support.screens.piloted import NOW
from tests.support.screens.screen_text import HOST, Stage, running_viewer, settings_of
from tests.tui.session_view.test_note_entry import Living

SIZES = [(44, 20), (80, 24), (120, 35), (200, 60)]


def agents(*, is_able: bool = True) -> JournalBuilder:
    built = JournalBuilder().session(agentNotes=is_able).thought("Symptoms", 1, 3)
    built.event("agent", {"id": "a-1", "name": "lo\x1b[31mgs"}).thought("Read the logs", 1, 2, agent="a-1")
    return built.thought("Layers", 2, 3)


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Callable[..., Living]]:
    made: list[Living] = []

    def make(journal: JournalBuilder) -> Living:
        made.append(Living(tmp_path, journal))
        return made[-1]

    yield make
    for one in made:
        one.die()


async def select_agent(stage: Stage) -> None:
    session = stage.session.state.feed.session
    index = next(index for index in range(session.thought_count) if session.thoughts.get(index).lane != 0)
    stage.session.state.viewport.select_thought(index)
    await stage.shows("Read the logs")


@pytest.mark.parametrize("size", SIZES)
async def test_the_input_names_the_agent_and_the_note_is_for_it_alone(
    living: Callable[..., Living], size: tuple[int, int]
) -> None:
    one = living(agents())
    async with running_viewer(one.path, size, settings_of(one.path.parent, now=NOW)) as stage:
        await select_agent(stage)
        await stage.press("i")
        await stage.shows("to lo␛[31mgs")
        await stage.press(*"look", "enter")
        await stage.until(lambda: [(note.text, note.agent) for note in one.notes] == [("look", "a-1")])
        await stage.shows("waiting")
        note = one.notes[0]
        one.journal.thought("It is the pool", 2, 2, agent="a-1")
        one.journal.note(note.text, id=note.id, agent="a-1")
        one.grow(one.journal, 2)
        await stage.until(lambda: not stage.session.state.notes.waiting)
        await stage.shows("»")


async def test_tab_switches_to_any_agent_and_back(living: Callable[..., Living]) -> None:
    one = living(agents())
    async with running_viewer(one.path, (120, 35), settings_of(one.path.parent, now=NOW)) as stage:
        await select_agent(stage)
        await stage.press("i", "tab")
        await stage.shows("to claude-code, with", "Tab to one agent")
        await stage.press(*"all", "enter")
        await stage.press("i")
        await stage.shows("to lo␛[31mgs", "Tab to any agent")
        await stage.press("tab", "tab", *"one", "enter")
        await stage.until(lambda: len(one.notes) == 2)

        assert [(note.text, note.agent) for note in one.notes] == [("all", ""), ("one", "a-1")]


async def test_where_the_server_cannot_the_input_says_so_and_the_note_is_for_all(living: Callable[..., Living]) -> None:
    one = living(agents(is_able=False))
    async with running_viewer(one.path, (160, 35), settings_of(one.path.parent, now=NOW)) as stage:
        await select_agent(stage)
        await stage.press("i")
        await stage.shows("to claude-code", "its server cannot tell its agents apart (an older version): to all agents")
        await stage.press("tab", *"all", "enter")
        await stage.until(lambda: [(note.text, note.agent) for note in one.notes] == [("all", "")])


async def test_the_main_agent_s_lane_is_for_any_agent_and_what_waits_names_its_receiver(
    living: Callable[..., Living],
) -> None:
    one = living(agents())
    async with running_viewer(one.path, (160, 35), settings_of(one.path.parent, now=NOW)) as stage:
        await stage.press("i", *"any", "enter")
        await stage.until(lambda: [note.agent for note in one.notes] == [""])
        await select_agent(stage)
        await stage.press("i", *"one", "enter")
        await stage.until(lambda: len(one.notes) == 2)
        await stage.shows("waiting for lo␛[31mgs's next thought")
        await stage.press("g", "G")
        await stage.shows("note waiting · to lo␛[31mgs")
        assert notes_path(one.path).read_bytes().count(b'"v":2') == 1


async def test_a_note_that_is_being_typed_stays_open_when_its_transcript_is_translated_again(
    living: Callable[..., Living],
) -> None:
    """A transcript is translated again when a sub-agent's server begins a journal."""
    one = living(agents())
    async with running_viewer(one.path, (120, 35), settings_of(one.path.parent, now=NOW)) as stage:
        stage.session.state.feed.is_transcript = True
        await select_agent(stage)
        await stage.press("i", *"half")
        again = JournalBuilder().session(agentNotes=True).event("agent", {"id": "a-0", "name": "first"})
        again.thought("First", 1, 1, agent="a-0").event("agent", {"id": "a-1", "name": "logs"})
        again.thought("Read the logs", 1, 2, agent="a-1").thought("Again", 2, 3)
        data = again.data.replace(b'"host":"desk"', f'"host":"{HOST}"'.encode())
        one.path.write_bytes(data)
        await stage.shows("Again", "to logs")
        await stage.press(*" done", "enter")
        await stage.until(lambda: [(note.text, note.agent) for note in one.notes] == [("half done", "a-1")])
