"""The recording of the demo: every row is there when it was on the screen, and at no other time."""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from seqthink.cli.stories.story import DemoStory, step
from tests.support.screens.animation import animate
from tests.support.screens.recording import Frame, record

STORY = DemoStory(
    name="small",
    title="small",
    question="?",
    steps=(
        step(0.3, 1, 2, "Ask first"),
        step(2.5, 2, "many", "Guess", is_refused=True),
        step(0.5, 2, 2, "Then answer", is_last=True),
    ),
)


@pytest.fixture
async def frames(tmp_path: Path) -> list[Frame]:
    return await record(STORY, tmp_path, (60, 16))


def words(markup: str) -> str:
    return " ".join(unescape("".join(re.findall(r">([^<]+)<", markup))).replace("\u00a0", " ").split())


async def test_a_recording_has_a_frame_for_each_call_and_each_second(frames: list[Frame]) -> None:
    assert [frame.at for frame in frames] == [0.0, 1.0, 2.0, 2.5, 3.0]
    assert ["Ask first" in words(frame.svg) for frame in frames] == [True] * 5
    assert ["refused" in words(frame.svg) for frame in frames] == [False] * 3 + [True] * 2
    assert ["Then answer" in words(frame.svg) for frame in frames] == [False] * 4 + [True]
    assert "thinking 2s" in words(frames[2].svg)


async def test_a_row_is_seen_from_the_frame_that_has_it_until_one_that_has_not(frames: list[Frame]) -> None:
    picture = animate(frames)
    groups = dict(re.findall(r'<g class="(f\d+-\d+) f[^"]*">(.*?)</g>', picture))

    assert ET.fromstring(picture).tag.endswith("svg")
    assert "Ask first" in words(groups["f0-3"])
    assert "refused" in words("".join(text for name, text in groups.items() if name.startswith("f3-")))
    assert "Then answer" in words(groups["f4-5"])
    for number, frame in enumerate(frames):
        there = [text for name, text in groups.items() if _is_there(name, number)]
        assert _signs("".join(there)) == _signs(_matrix(frame.svg))


async def test_a_picture_that_moves_needs_no_script_and_fetches_nothing(frames: list[Frame]) -> None:
    picture = animate(frames)

    assert "<script" not in picture
    assert "url(http" not in picture
    assert "prefers-reduced-motion" in picture


def _is_there(name: str, number: int) -> bool:
    first, stop = map(int, name[1:].split("-"))
    return first <= number < stop


def _signs(markup: str) -> list[str]:
    return sorted(words(markup).replace(" ", ""))


def _matrix(svg: str) -> str:
    return svg[svg.rindex('-matrix">') :]
