"""Every scene looks as it did when a person last looked at it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.support.screens.scenes import SCENES, play, viewer

OTHER_SIZES = {
    "map-80x24", "live-80x24", "keys-80x24", "statistics-high", "marks-200", "sessions-80x24", "sessions-widest",
    "sessions-crowd-narrow", "note-wide", "note-waiting-wide", "wall-80x24", "wall-200x60", "wall-fleet-narrow",
    "sessions-fleet-80", "sessions-fleet-narrow",
}  # fmt: skip
"""Scenes that another one shows as well, in a size that is laid out alike."""
OTHER_LOOKS = {"sessions-light", "sessions-ascii", "wall-light", "wall-mono"}
"""Scenes that others show as well: one with these rows, another one in this theme or with these signs."""
ALL = [pytest.param(name, marks=pytest.mark.deep if name in OTHER_SIZES | OTHER_LOOKS else ()) for name in SCENES]


@pytest.mark.parametrize("name", ALL)
def test_scene_is_drawn_as_it_was(name: str, tmp_path: Path, snap_compare: Callable[..., bool]) -> None:
    scene = SCENES[name]

    async def before(pilot: Pilot[Any]) -> None:
        await play(scene, pilot)

    with viewer(scene, tmp_path) as app:
        assert snap_compare(app, terminal_size=(scene.width, scene.height), run_before=before)
