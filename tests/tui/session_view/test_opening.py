"""A long journal while it is being read: the tree grows, the keys answer, and the first line says how far it is."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import anyio
import pytest

from seqthink.journal.follow import follow
from seqthink.journal.reader import Batch
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.session_view import loader

OPENING = re.compile(r"opening … \d+ % .* \d+ thoughts")
NARROW, WIDE = (44, 20), (120, 35)
LENGTH = 400


class Gate:
    """Lets a journal be read up to a certain number of slices, and the rest when it is opened."""

    def __init__(self) -> None:
        self.slices = 2
        self.is_open = anyio.Event()
        self.moved = anyio.Event()

    def let_one_through(self) -> None:
        """Let one more slice be read, but never the last one."""
        self.slices = min(self.slices + 1, 12)
        self.moved.set()
        self.moved = anyio.Event()

    def open(self) -> None:
        """Let everything be read."""
        self.is_open.set()
        self.moved.set()

    async def follow(self, path: Path, **options: object) -> AsyncGenerator[Batch]:
        given = 0
        async for batch in follow(path, slice_bytes=1 << 12, **options):  # pyright: ignore[reportArgumentType] - as it was called
            given += 1
            while given > self.slices and not self.is_open.is_set():
                await self.moved.wait()
            yield batch


@pytest.fixture(autouse=True)
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(loader, "follow", made.follow)
    monkeypatch.setattr(loader, "OPENING_REPORT_SECONDS", 0)
    monkeypatch.setattr(loader, "OPENING_DRAW_SECONDS", 0)
    monkeypatch.setattr(loader, "OPENING_GROWTH_SECONDS", 0)
    return made


def straight(length: int = LENGTH) -> JournalBuilder:
    journal = JournalBuilder().session()
    for number in range(1, length + 1):
        journal.thought(f"Step {number} of a long chain", number, 2 * length)
    return journal


async def opens(stage: Stage) -> None:
    await stage.until(lambda: OPENING.search(stage.text) is not None and "Step " in stage.cursor)


async def read_all(stage: Stage, gate: Gate) -> None:
    gate.open()
    await stage.until(lambda: stage.app.is_ready and "opening" not in stage.text)
    await stage.pilot.pause()


def selected(stage: Stage) -> tuple[int, str]:
    """Return the line of the selected row, and its number."""
    return stage.lines.index(stage.cursor), stage.cursor.split("Step ")[1].split()[0]


@pytest.mark.parametrize("size", first(1, [WIDE, NARROW, (80, 24), (200, 60)]))
async def test_the_newest_thought_that_was_read_is_selected_and_at_last_the_newest(
    tmp_path: Path, gate: Gate, size: tuple[int, int]
) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, size, settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        before = int(selected(stage)[1])
        gate.let_one_through()
        await stage.until(lambda: int(selected(stage)[1]) > before)
        assert int(selected(stage)[1]) < LENGTH
        await read_all(stage, gate)

        assert selected(stage)[1] == str(LENGTH)
        assert stage.session.state.viewport.is_following


async def test_a_thought_that_the_user_went_to_stays_in_its_line(tmp_path: Path, gate: Gate) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, WIDE, settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        await stage.press("pageup", "j")
        before = selected(stage)
        await read_all(stage, gate)

        assert selected(stage) == before
        assert not stage.session.state.viewport.is_following


async def test_keys_work_on_what_has_been_read(tmp_path: Path, gate: Gate) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, WIDE, settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        await stage.press("g")
        assert selected(stage)[1] == "1"
        await stage.press("slash", *"step 7 ", "enter")
        await stage.until(lambda: selected(stage)[1] == "7")
        await stage.press("escape", "f")
        await read_all(stage, gate)
        assert selected(stage)[1] == str(LENGTH)


async def test_what_is_appended_meanwhile_is_followed(tmp_path: Path, gate: Gate) -> None:
    journal = straight()
    path = journal.write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        before = len(journal.data)
        journal.thought("A newer one", LENGTH + 1, 2 * LENGTH)
        with path.open("ab") as file:
            file.write(journal.data[before:])
        await read_all(stage, gate)
        assert "A newer one" in stage.cursor


@pytest.mark.parametrize("cut", [0.5, 0.0])
async def test_a_journal_that_is_cut_off_meanwhile_is_shown_as_it_is(tmp_path: Path, gate: Gate, cut: float) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        data = path.read_bytes()
        other = straight(30).data if not cut else data[: int(len(data) * cut)]
        path.with_name("other").write_bytes(other)
        path.with_name("other").replace(path)
        await read_all(stage, gate)
        assert cut or "Step 30 " in stage.text


async def test_a_journal_that_is_deleted_meanwhile_leaves_what_was_read(tmp_path: Path, gate: Gate) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        path.unlink()
        gate.open()
        await stage.shows("the journal is gone")
        assert "Step " in stage.cursor


async def test_another_session_that_is_chosen_meanwhile_takes_its_place(tmp_path: Path, gate: Gate) -> None:
    path, other = straight().write(tmp_path / "a.jsonl"), straight(300).write(tmp_path / "b.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        stage.session.switcher.choose(other)
        await read_all(stage, gate)
        assert "Step 300 " in stage.cursor


@pytest.mark.parametrize("size", first(3, [(30, 1), (40, 12), (100, 12), (39, 3), (44, 14), (99, 12)]))
async def test_it_fits_on_any_screen(tmp_path: Path, gate: Gate, size: tuple[int, int]) -> None:
    path = straight().write(tmp_path / "a.jsonl")
    async with running_viewer(path, WIDE, settings_of(tmp_path), is_ready=False) as stage:
        await opens(stage)
        await stage.resize(*size)
        await stage.until(lambda: all(len(line) <= size[0] for line in stage.lines))
        await stage.press("k", "pageup", "j", "f")
        await stage.resize(*WIDE)
        await read_all(stage, gate)
        assert selected(stage)[1] == str(LENGTH)
