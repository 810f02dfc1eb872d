"""Makes the pictures of `seqthink web` in ``screenshots/`` from the scenes of the viewer, in a real browser."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.support.screens.browser import Page, browser
from tests.support.web.command import RunningWeb, running_scene

_IS_LIST_DRAWN = "document.querySelector('a.one') !== null"
_IS_SESSION_DRAWN = (
    "document.querySelector('#rows .row') !== null && document.querySelector('#thought article') !== null"
)


@dataclass(frozen=True)
class PagePicture:
    """One picture: the scene whose sessions it shows, the window in pixels, and the keys that are pressed."""

    scene: str
    width: int
    height: int
    is_dark: bool = True
    scale: int = 1
    """Pixels of the picture for each of the window."""
    is_list: bool = False
    steps: tuple[tuple[str, int], ...] = ()
    """Keys, each with the number of the thought to which it leads."""


PAGE_PICTURES = {
    "page-session": PagePicture("live-wide", 1440, 810),
    "page-audit": PagePicture("audit-rejected", 1440, 900, is_dark=False, steps=(("g", 1), ("j", 2), ("j", 3))),
    "page-list": PagePicture("sessions-wide", 1200, 900, is_list=True),
    "page-phone": PagePicture("live-wide", 390, 700, scale=2),
}


def draw_pages(folder: Path) -> None:
    """Draw every picture into a folder."""
    with tempfile.TemporaryDirectory() as home, browser(Path(home)) as page:
        for name, picture in PAGE_PICTURES.items():
            with running_scene(picture.scene) as web:
                _draw(page, picture, web, folder / f"{name}.png")


def _draw(page: Page, picture: PagePicture, web: RunningWeb, path: Path) -> None:
    page.visit(web.url, picture.width, dark=picture.is_dark)
    page.resize(picture.width, picture.height, picture.scale)
    page.until(_IS_SESSION_DRAWN)
    if picture.is_list:
        page.visit(page.ask("document.querySelector('#home').href"), picture.width, dark=picture.is_dark)
        page.resize(picture.width, picture.height, picture.scale)
        page.until(_IS_LIST_DRAWN)
    for key, number in picture.steps:
        page.press(key)
        page.until(f"document.querySelector('#thought .head .n')?.textContent === '{number}'")
    page.until(
        "document.fonts.status === 'loaded' && document.getAnimations().every((one) => one.playState !== 'running')"
    )
    page.picture(path, is_whole=False)
