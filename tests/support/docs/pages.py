"""The pages of `docs/` as data for their tests.

``python -m tests.support.docs.pages`` rewrites what is generated in them.

A drawing is a fenced block whose info names a scene, or two that stand side by side, each with a size of its own if it
has one: ```` ```text live-narrow chains@44x24 ````.
"""

import asyncio
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from seqthink.drawing.text.cells import width
from tests.conftest import PROJECT
from tests.support.docs.readme import codes
from tests.support.docs.reference import GENERATED
from tests.support.screens.scenes import SCENES, Scene, play, viewer
from tests.support.screens.screen_text import text_of
from tests.support.servers.deviations import table

DOCS = PROJECT / "docs"
SEPARATOR = " ┊ "

_FENCE = re.compile(r"^```(\w*)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"`` .+? ``|`[^`\n]+`")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_MAPPED = re.compile(r"^\| \[(.+?)\]\((.+?)\) \|", re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


class Fence(NamedTuple):
    """A fenced block: its language, what else its first line says, its text."""

    language: str
    info: str
    text: str


class Page:
    """A Markdown page of the repository."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    @property
    def name(self) -> str:
        """The path from the root of the repository."""
        return self.path.relative_to(PROJECT).as_posix()

    @property
    def fences(self) -> list[Fence]:
        return [Fence(*found) for found in _FENCE.findall(self.text)]

    @property
    def prose(self) -> str:
        """The text without its fenced blocks."""
        return _FENCE.sub("", self.text)

    @property
    def headings(self) -> list[str]:
        """The headings, without the backticks in them."""
        return [heading.replace("`", "") for heading in _HEADING.findall(self.prose)]

    @property
    def anchors(self) -> set[str]:
        """The anchors of the headings, as GitHub makes them."""
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in self.headings}

    @property
    def links(self) -> list[str]:
        """Where the links and pictures lead."""
        return _LINK.findall(_INLINE_CODE.sub("", self.prose))

    @property
    def drawings(self) -> list[Fence]:
        """The blocks of text that name a scene."""
        return [fence for fence in self.fences if fence.info and fence.language == "text"]

    def rows(self, name: str) -> list[list[str]]:
        """Return the rows of the one table whose head begins with ``name``."""
        tables = [[_cells(line) for line in found.splitlines()] for found in _TABLE.findall(self.prose)]
        [rows] = [rows for head, _, *rows in tables if head[0] == name]
        return rows

    def commands(self) -> list[str]:
        """Return every command line of the shell blocks, without comments."""
        joined = "".join(fence.text for fence in self.fences if fence.language == "sh").replace("\\\n", " ")
        return [line.partition("    #")[0].strip() for line in joined.splitlines() if line.strip()]


OURS = ("audit", "fleet", "journal", "screens", "tools", "viewer")
"""The pages that say what is promised; what the others show is held by tests of their own."""
README = Page(PROJECT / "README.md")


def page(name: str) -> Page:
    """Return the page ``name`` of `docs/`."""
    return Page(DOCS / f"{name}.md")


def pages() -> list[Page]:
    """Return all pages of `docs/` and its folders."""
    return [Page(path) for path in sorted(DOCS.rglob("*.md"))]


class MapEntry(NamedTuple):
    """A page as the map of all pages names it; its path begins in `docs/`."""

    title: str
    path: str


def mapped_pages() -> dict[str, list[MapEntry]]:
    """Return the pages that `docs/README.md` lists, by kind and in its order."""
    _, *sections = page("README").text.split("\n## ")
    return {
        section.partition("\n")[0]: [MapEntry(*found) for found in _MAPPED.findall(section)] for section in sections
    }


def code_rows(rows: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """Return what stands between backticks in each cell."""
    return [[codes(cell) for cell in row] for row in rows]


def drawn(info: str) -> str:
    """Return the drawing that ``info`` names: one scene's screen, or several side by side."""
    screens = [_screen(name) for name in info.split()]
    if len(screens) == 1:
        return "\n".join(screens[0][1]).rstrip() + "\n"
    lines: list[str] = []
    for row in range(max(len(rows) for _, rows in screens)):
        parts = [_padded(rows[row] if row < len(rows) else "", cells) for cells, rows in screens]
        lines.append(SEPARATOR.join(parts).rstrip(" "))
    return "\n".join(lines) + "\n"


def _screen(name: str) -> tuple[int, list[str]]:
    """Return the width of a scene, and its lines without the blanks at their ends."""
    scene = _scene(name)
    with (
        tempfile.TemporaryDirectory() as home
    ):  # is removed after the loop has ended: its threads may still write there
        return scene.width, asyncio.run(_play(scene, Path(home))).split("\n")


def _scene(name: str) -> Scene:
    plain, _, size = name.partition("@")
    if not size:
        return SCENES[plain]
    cells, rows = map(int, size.split("x"))
    return replace(SCENES[plain], width=cells, height=rows)


async def _play(scene: Scene, home: Path) -> str:
    with viewer(scene, home) as app:
        async with app.run_test(size=(scene.width, scene.height)) as pilot:
            await play(scene, pilot)
            return text_of(app)


def _padded(line: str, cells: int) -> str:
    return line + " " * (cells - width(line))


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def redrawn(text: str) -> str:
    """Return a page's ``text`` with its drawings as the program draws them now."""

    def draw(found: re.Match[str]) -> str:
        language, info, _ = found.groups()
        return f"```{language} {info}\n{drawn(info)}```" if info and language == "text" else found[0]

    return _FENCE.sub(draw, text)


def retabled(text: str) -> str:
    """Return a page's ``text`` with the table of deviations as it is now."""
    for found in _TABLE.findall(text):
        if "Recorded cases" in found:
            return text.replace(found, table())
    return text


if __name__ == "__main__":
    for name, generate in GENERATED.items():
        (DOCS / f"{name}.md").write_text(generate(), encoding="utf-8")
    for one in pages():
        one.path.write_text(retabled(redrawn(one.text)), encoding="utf-8")
