"""Makes ``screenshots/`` from the real app: ``python -m tests.screenshots``."""

import asyncio
import re
import tempfile
from pathlib import Path

from tests.scenes import SCENES, Scene, play, viewer

FOLDER = Path(__file__).parent.parent / "screenshots"
PICTURES = {
    "live-wide": "seqthink watch",
    "live-narrow": "seqthink watch",
    "waiting": "seqthink watch",
    "text": "seqthink watch",
    "light": "seqthink watch",
}
_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_UNIQUE = re.compile(r"terminal-\d+-")
_FONTS = "'Fira Code', 'JetBrains Mono', 'Cascadia Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def portable(svg: str, name: str) -> str:
    """Return a picture that fetches nothing and is the same each time it is made."""
    svg = _FONT_FACE.sub("", svg)
    svg = re.sub(r"font-family: ?[^;]*;", f"font-family: {_FONTS};", svg)
    return _UNIQUE.sub(f"{name}-", svg)


async def picture(scene: Scene, title: str) -> str:
    """Return the scene as SVG."""
    with tempfile.TemporaryDirectory() as folder, viewer(scene, Path(folder)) as app:
        async with app.run_test(size=(scene.width, scene.height)) as pilot:
            await play(scene, pilot)
            return app.export_screenshot(title=title)


def main() -> None:
    """Draw every picture anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, title in PICTURES.items():
        svg = portable(asyncio.run(picture(SCENES[name], title)), name)
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
