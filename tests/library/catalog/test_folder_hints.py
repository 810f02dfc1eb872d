"""One follower for several listeners: each hears of every change, and the last one to leave ends it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from seqthink.library.catalog.folder_hints import FolderHints
from seqthink.library.places import folder as folder_place
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import JournalBuilder


def write(folder: Path, name: str) -> None:
    JournalBuilder().session().thought("one", 1, 1).write(folder / name)


async def test_every_listener_hears_at_once_and_of_each_change(tmp_path: Path) -> None:
    hints = FolderHints([FolderPlace(tmp_path).hints])
    async with aclosing(hints.stream()) as first, aclosing(hints.stream()) as second:
        with anyio.fail_after(10):
            at_once = [await anext(first), await anext(second)]
            write(tmp_path, "20260310T140200.000000Z-aaaaaa.jsonl")
            while not await anext(first):
                pass
            while not await anext(second):
                pass

    assert at_once == [True, True]


@pytest.mark.slow  # waits until a listener is late
async def test_a_change_is_not_lost_on_a_listener_that_is_busy(tmp_path: Path) -> None:
    hints = FolderHints([FolderPlace(tmp_path).hints])
    async with aclosing(hints.stream()) as busy, aclosing(hints.stream()) as quick:
        with anyio.fail_after(10):
            await anext(busy)
            while await anext(quick):  # until a heartbeat: what came before the watch is heard
                pass
            write(tmp_path, "20260310T140200.000000Z-aaaaaa.jsonl")
            while not await anext(quick):
                pass
            while await anext(quick):
                pass

            assert await anext(busy)


async def test_the_folder_is_followed_once_while_anybody_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, started, plain = list[Path](), list[Path](), folder_place.follow_folder

    async def counted(folder: Path, *, pause_seconds: float) -> AsyncGenerator[bool, None]:
        started.append(folder)
        running.append(folder)
        try:
            async with aclosing(plain(folder, pause_seconds=pause_seconds)) as looks:
                async for announced in looks:
                    yield announced
        finally:
            running.remove(folder)

    monkeypatch.setattr(folder_place, "follow_folder", counted)
    hints = FolderHints([FolderPlace(tmp_path).hints])
    with anyio.fail_after(10):
        async with aclosing(hints.stream()) as first:
            await anext(first)
            async with aclosing(hints.stream()) as second:
                await anext(second)
                await anext(second)
            await anext(first)
            while_one_listens = len(running)
        while running:
            await anyio.lowlevel.checkpoint()
        async with aclosing(hints.stream()) as third:
            await anext(third)
            await anext(third)

    assert while_one_listens == 1
    assert len(started) == 2


async def test_what_cannot_be_followed_is_said_to_every_listener(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(_: Path, *, pause_seconds: float) -> AsyncGenerator[bool, None]:  # noqa: ARG001 - as `follow_folder`
        yield True
        raise PermissionError

    monkeypatch.setattr(folder_place, "follow_folder", failing)
    hints = FolderHints([FolderPlace(tmp_path).hints])
    for _ in range(2):
        async with aclosing(hints.stream()) as listener:
            with anyio.fail_after(10), pytest.raises(PermissionError):
                await _until_it_ends(listener)


async def _until_it_ends(listener: AsyncGenerator[bool, None]) -> None:
    async for _ in listener:
        pass
