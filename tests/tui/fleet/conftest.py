"""A fleet in memory, and viewers of it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.fleet import FleetPlace
from seqthink.library.viewer_store.label_book import LabelBook
from seqthink.sources.fleet.mirror.folder import FleetFolder
from tests.support.fleet.memory_machines import NOW, MemoryMachines
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.settings import Settings
from tui.state.landing import Beginning

WIDE = (120, 35)


class Fleet(MemoryMachines):
    """Machines whose sessions are in an engine in memory, and viewers of them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self.directory = folder / "viewer"
        self.clean: Callable[[str], str] | None = None
        """Takes secrets out, if anything does."""

    @asynccontextmanager
    async def viewer(
        self,
        size: tuple[int, int] = WIDE,
        *,
        shown: str | None = None,
        is_wall: bool = False,
        is_ready: bool = True,
        **more: Any,  # noqa: ANN401 - settings
    ) -> AsyncGenerator[Stage]:
        """Run a viewer; with ``shown``, on that session."""
        folder = FleetFolder(self.engine.open, {"XDG_RUNTIME_DIR": str(self._folder)}, lambda: NOW)
        library = FleetPlace(folder, "redis.example:6379 (main)", self.clean)
        path = folder.resolve(shown) if shown is not None else None
        settings: Settings = settings_of(
            self._folder / "nowhere",
            now=NOW,
            catalog=SessionCatalog(library, label_book=LabelBook(self.directory, self.clean)),
            viewer_folder=self.directory,
            beginning=Beginning(is_wall=is_wall),
            **more,
        )
        try:
            async with running_viewer(path, size, settings, is_ready=is_ready) as stage:
                yield stage
        finally:
            library.close()
            folder.close()


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    return Fleet(tmp_path)
