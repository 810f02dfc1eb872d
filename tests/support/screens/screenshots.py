"""Makes ``screenshots/`` from the real app: ``python -m tests.support.screens.screenshots``."""

import asyncio
import html
import re
import tempfile
from datetime import UTC
from pathlib import Path

from seqthink.cli.stories import shop_api
from seqthink.cli.stories.story import DemoStory
from seqthink.drawing.text.cells import width
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.share.recordings.animated_svg import animated_svg
from tests.support.journals.build import JournalBuilder
from tests.support.screens.page_pictures import draw_pages
from tests.support.screens.scenes import SCENES, Scene, play, viewer
from tui.recording import record
from tui.settings import Settings

FOLDER = Path(__file__).parents[3] / "screenshots"
PICTURES = (
    "live-wide",
    "live-narrow",
    "waiting-wide",
    "text",
    "light",
    "branches",
    "revisions",
    "chart",
    "map-words",
    "chains",
    "timeline",
    "agents-timeline",
    "subagents",
    "plain",
    "audit-rejected",
    "diff",
    "search",
    "sessions-wide",
    "find",
    "wall",
    "wall-narrow",
    "wall-fleet",
    "sessions-fleet",
    "statistics",
    "replay",
)
RECORDED_SIZE, RECORDED_SPEED, RECORDED_IDLE_SECONDS = (100, 26), 2.0, 2.0
_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_TEXT = re.compile(r'(<text [^>]*?)textLength="[^"]*"([^>]*>)([^<]*)</text>')
_CELL = 12.2
_UNIQUE = re.compile(r"terminal-\d+-")
_FONTS = "'Fira Code', 'JetBrains Mono', 'Cascadia Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def portable(svg: str, name: str) -> str:
    """Return a picture that fetches nothing and is the same in every run."""
    svg = _FONT_FACE.sub("", svg)
    svg = re.sub(r"font-family: ?[^;]*;", f"font-family: {_FONTS};", svg)
    return _TEXT.sub(_in_cells, _UNIQUE.sub(f"{name}-", svg))


def _in_cells(match: re.Match[str]) -> str:
    """Stretch a text over its cells: Rich counts characters, which squeezes wide ones."""
    cells = width(html.unescape(match[3]))
    return f'{match[1]}textLength="{cells * _CELL:g}"{match[2]}{match[3]}</text>'


async def picture(scene: Scene, title: str) -> str:
    """Return the scene as SVG."""
    with tempfile.TemporaryDirectory() as folder, viewer(scene, Path(folder)) as app:
        async with app.run_test(size=(scene.width, scene.height)) as pilot:
            await play(scene, pilot)
            return app.export_screenshot(title=title)


def story_journal(story: DemoStory) -> JournalBuilder:
    """Return the journal that a server would write of a story, at the story's pace."""
    builder = JournalBuilder().session(cwd=f"/home/ana/{story.title}")
    for place, step in enumerate(story.steps):
        after = step.pause_seconds if place else 0
        if step.is_refused:
            error = f'Invalid totalThoughts: must be a positive integer, got "{step.arguments["totalThoughts"]}"'
            builder.rejected(error, arguments=step.arguments, after=after)
        else:
            builder.event("thought", step.arguments, after=after)
    return builder.end()


def moving_picture(story: DemoStory) -> str:
    """Return the replay of a story as an animated SVG, as `seqthink export` makes it."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            folder=Path(folder),
            catalog=SessionCatalog(),
            clock=lambda: 0,
            zone=UTC,
            speed=RECORDED_SPEED,
            idle_limit=RECORDED_IDLE_SECONDS,
        )
        recording = record(story_journal(story).write(Path(folder) / "demo.jsonl"), settings, RECORDED_SIZE)
    return "".join(animated_svg(recording))


def main() -> None:
    """Redraw every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        svg = portable(
            asyncio.run(picture(SCENES[name], f"seqthink {'replay' if SCENES[name].is_replay else 'watch'}")), name
        )
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
    (FOLDER / "demo.svg").write_text(moving_picture(shop_api.STORY), encoding="utf-8")
    draw_pages(FOLDER)


if __name__ == "__main__":
    main()
