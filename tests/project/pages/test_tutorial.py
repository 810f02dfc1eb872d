"""The tutorial can be followed: its drawing is the program's, and its keys show what it says; its commands run."""

import sys

import pytest

from tests.support.docs import readme, tutorial
from tests.support.docs.pages import page
from tests.support.screens.screen_text import running_viewer, settings_of


def test_the_drawing_is_what_its_command_prints() -> None:
    assert tutorial.drawing() == readme.run(tutorial.drawing_command())


def test_drawing_it_again_changes_nothing() -> None:
    text = page("tutorial").text

    assert tutorial.redrawn(text) == text


@pytest.mark.pilot
async def test_each_key_shows_what_the_tutorial_says() -> None:
    settings = settings_of(readme.SAMPLE.parent, is_replay=True, replay_at=sys.maxsize)

    async with running_viewer(readme.SAMPLE, (100, 30), settings) as stage:
        for step in tutorial.key_steps():
            await stage.press(*step.keys)
            await stage.shows(step.shown)
