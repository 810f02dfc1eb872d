"""Every scene looks as it did when a person last looked at it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.support.screens.scenes import SCENES, play, viewer


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_drawn_as_it_was(name: str, tmp_path: Path, snap_compare: Callable[..., bool]) -> None:
    scene = SCENES[name]

    async def before(pilot: Pilot[Any]) -> None:
        await play(scene, pilot)

    with viewer(scene, tmp_path) as app:
        assert snap_compare(app, terminal_size=(scene.width, scene.height), run_before=before)
