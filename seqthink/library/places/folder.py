"""The sessions of a folder of journals."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path

from typing_extensions import override

from seqthink.core.text import SafeText
from seqthink.journal.follow import follow_folder
from seqthink.journal.store import SessionFile, list_sessions, modified, no_journals
from seqthink.library.places.place import Place, PlaceReport, short_path

PAUSE_SECONDS = 0.01
"""Pause after a change was reported. Each listener takes the next hint when it has time for it."""


class FolderPlace(Place):
    """The journals in ``folder``, which may not be there yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder_name = str(folder)
        self._had_folder = False

    @property
    @override
    def name(self) -> SafeText:
        return short_path(self._folder)

    @override
    def holds(self, path: Path) -> bool:
        return os.path.dirname(path) == self._folder_name  # noqa: PTH120 - asked for thousands: a tenth of `Path.parent`

    @override
    def sessions(self) -> list[SessionFile]:
        return list_sessions(self._folder)

    @override
    def hints(self) -> AsyncGenerator[bool, None]:
        return follow_folder(self._folder, pause_seconds=PAUSE_SECONDS)

    @property
    @override
    def version(self) -> int:
        changed = modified(self._folder)
        self._had_folder = self._had_folder or bool(changed)
        return changed

    @property
    @override
    def report(self) -> PlaceReport:
        return _FolderReport(self._folder, was_lost=self._had_folder and not modified(self._folder))


class _FolderReport(PlaceReport):
    def __init__(self, folder: Path, *, was_lost: bool) -> None:
        self._folder, self._was_lost = folder, was_lost

    @property
    @override
    def left_out(self) -> list[str]:
        sentence = no_journals(self._folder)
        return [sentence] if sentence else []

    @property
    @override
    def lost(self) -> str:
        return f"sessions are gone: {self._folder} was deleted" if self._was_lost else ""
