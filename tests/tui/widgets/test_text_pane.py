"""The text pane under keys: diff, raw, reading, and a long text that never stands in the way."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from textual.pilot import Pilot

from seqthink.drawing.text.spans import spans_text
from tests.support.journals.build import JournalBuilder
from tests.support.screens.scenes import TIMEOUT_SECONDS, Scene, play, viewer
from tui.widgets.text_pane import TextPane

LONG = "\n\n".join(f"## Part {number}\n\n- **item** {number}\n- `other`" for number in range(3000))


def revised() -> JournalBuilder:
    return (
        JournalBuilder()
        .session()
        .thought("Use *5* tries for the upload.", 1, 2)
        .thought("Use *7* tries for the upload.", 2, 2, revises=1)
        .rejected(arguments={"thoughtNumber": 0})
    )


def long_one() -> JournalBuilder:
    return JournalBuilder().session().thought("Short.", 1, 2).thought(LONG, 2, 2)


def many_lines() -> JournalBuilder:
    return JournalBuilder().session().thought("\n\n".join(f"line {number}" for number in range(30)))


class Screen:
    """The text pane as a person sees it."""

    def __init__(self, pilot: Pilot[str]) -> None:
        self._pilot = pilot
        self.press = pilot.press

    @property
    def pane(self) -> TextPane:
        return self._pilot.app.query_one(TextPane)

    @property
    def lines(self) -> list[str]:
        return [spans_text(self.pane.line_at(y)[0]).strip() for y in range(self.pane.size.height)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()

    async def until(self, holds: Callable[[], bool]) -> None:
        with anyio.fail_after(TIMEOUT_SECONDS):
            while not holds():
                await self._pilot.pause()
                await anyio.sleep(0.01)


@asynccontextmanager
async def seen(
    folder: Path, journal: Callable[[], JournalBuilder], width: int = 44, height: int = 20, *keys: str
) -> AsyncGenerator[Screen]:
    scene = Scene(width, height, journal, keys=keys)
    with viewer(scene, folder) as app:
        async with app.run_test(size=(width, height)) as pilot:
            await play(scene, pilot)
            yield Screen(pilot)


async def test_d_shows_what_changed_and_goes_back(tmp_path: Path) -> None:
    async with seen(tmp_path, revised) as screen:
        assert screen.text == "Use 7 tries for the upload."
        for back in ("d", "escape", "q"):
            await screen.press("d")
            assert screen.lines[0].startswith("── 1 → 2, changes ─")
            assert screen.lines[2] == "Use *[-5-]{+7+}* tries for the upload."
            await screen.press(back)
            assert screen.text == "Use 7 tries for the upload."


async def test_d_on_a_revised_thought_shows_what_its_revision_changed(tmp_path: Path) -> None:
    async with seen(tmp_path, revised, 44, 20, "g") as screen:
        assert screen.text == "Use 5 tries for the upload."
        await screen.press("d")
        assert "Use *[-5-]{+7+}* tries" in screen.text
        await screen.press("d")
        assert screen.text == "Use 5 tries for the upload."


async def test_wide_d_turns_the_lower_part(tmp_path: Path) -> None:
    async with seen(tmp_path, revised, 120, 30) as screen:
        assert "1, as it was" in screen.text
        await screen.press("d")
        assert "1 → 2, changes" in screen.text
        assert screen.lines[1] == "Use 7 tries for the upload."


async def test_m_shows_the_text_as_it_was_written(tmp_path: Path) -> None:
    async with seen(tmp_path, revised) as screen:
        await screen.press("m")
        assert screen.text == "Use *7* tries for the upload."
        await screen.press("m")
        assert screen.text == "Use 7 tries for the upload."


async def test_a_refused_call_shows_what_it_asked_for(tmp_path: Path) -> None:
    async with seen(tmp_path, revised, 60, 24, "G") as screen:
        assert "must be a positive integer" in screen.text
        assert '"thoughtNumber": 0' in screen.text


async def test_reading_shows_every_line_once_scrolled_by(tmp_path: Path) -> None:
    async with seen(tmp_path, many_lines, 44, 20, "enter") as screen:
        met = set(screen.lines)
        while "more lines" in screen.lines[-1]:
            await screen.press("pagedown")
            met |= set(screen.lines)
        assert {f"line {number}" for number in range(30)} <= met
        await screen.press("g")
        assert screen.lines[0] == "line 0"
        await screen.press("G")
        assert "2026-03-10" in screen.lines[-1]


async def test_a_long_text_is_there_at_once_and_rendered_after_a_rest(tmp_path: Path) -> None:
    async with seen(tmp_path, long_one, 44, 20, "k", "j") as screen:
        await screen.until(lambda: screen.pane.is_preview or "Part 0\n• item 0" in screen.text)
        if screen.pane.is_preview:
            assert "## Part 0" in screen.text
        await screen.until(lambda: not screen.pane.is_preview)
        assert "Part 0" in screen.text
        assert "##" not in screen.text


async def test_what_was_read_stays_in_place_when_it_is_rendered(tmp_path: Path) -> None:
    async with seen(tmp_path, long_one, 44, 20, "enter") as screen:
        await screen.until(lambda: not screen.pane.is_preview)
        screen.pane.scroll_lines(400)
        await screen.until(lambda: "lines above" in screen.lines[0])
        part = next(line for line in screen.lines if line.startswith("Part "))
        await screen.press("m")
        await screen.until(lambda: not screen.pane.is_preview)
        assert any(part in line for line in screen.lines)


async def test_the_next_selection_does_not_wait_for_a_long_text(tmp_path: Path) -> None:
    async with seen(tmp_path, long_one, 44, 20, "k", "j", "k") as screen:
        assert screen.text == "Short."
        await screen.press("j", "k")
        assert screen.text == "Short."
