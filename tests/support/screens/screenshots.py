"""Makes ``screenshots/`` from the real app: ``python -m tests.support.screens.screenshots``."""

import asyncio
import html
import re
import tempfile
from pathlib import Path

from seqthink.cli.stories import shop_api
from seqthink.drawing.text.cells import width
from tests.support.screens.animation import animate
from tests.support.screens.page_pictures import draw_pages
from tests.support.screens.recording import record
from tests.support.screens.scenes import SCENES, Scene, play, viewer

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
RECORDED = (100, 26)
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


def main() -> None:
    """Redraw every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        svg = portable(
            asyncio.run(picture(SCENES[name], f"seqthink {'replay' if SCENES[name].is_replay else 'watch'}")), name
        )
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        frames = asyncio.run(record(shop_api.STORY, Path(home), RECORDED))
    frames = [frame._replace(svg=portable(frame.svg, "demo")) for frame in frames]
    (FOLDER / "demo.svg").write_text(animate(frames), encoding="utf-8")
    draw_pages(FOLDER)


if __name__ == "__main__":
    main()
