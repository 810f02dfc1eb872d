"""A recording as one SVG in which each row changes at its own time.

It needs no script and fetches nothing. A reader who prefers no motion sees the last frame.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from seqthink.drawing.text.cells import width
from seqthink.share.recordings.recording import CellStyle, Recording, Row

CELL_PX, ROW_PX, FONT_PX = 12.2, 24.4, 20
"""The width of a cell, the height of a row, and the size of the letters."""
_LEFT_PX, _TOP_PX, _BOTTOM_PX, _BASELINE_PX = 10, 46, 12, 18.5
"""The margins around the rows, and the distance of the letters' baseline from the top of their row."""
_FONT = "'Fira Code', 'JetBrains Mono', 'Cascadia Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace"
_BUTTONS = ("#ff5f57", "#febc2e", "#28c840")
_CALM = "@media (prefers-reduced-motion: reduce){.f{animation:none}}"


class Spell(NamedTuple):
    """The frames in which a row is unchanged: from the first until the one that changes it."""

    first: int
    stop: int

    @property
    def name(self) -> str:
        """Its name in the style sheet."""
        return f"f{self.first}-{self.stop}"


def animated_svg(recording: Recording) -> Iterator[str]:
    """Yield the picture."""
    width_px = round(recording.columns * CELL_PX + 2 * _LEFT_PX)
    height_px = round(recording.lines * ROW_PX + _TOP_PX + _BOTTOM_PX)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width_px} {height_px}",
            "role": "img",
            "aria-labelledby": "title",
        },
    )
    SubElement(root, "title", id="title").text = recording.title
    style = SubElement(root, "style")
    _add_window(root, recording, width_px, height_px)
    names: dict[CellStyle, str] = {}
    spells = _spells([frame.rows for frame in recording.frames])
    for spell, rows in sorted(spells.items()):
        is_last = spell.stop == len(recording.frames)
        group = SubElement(root, "g", {"class": f"{spell.name} f" + (" last" if is_last else "")})
        for number, row in rows:
            _add_row(group, number, row, names, recording.background)
    style.text = "\n".join([*_looks(names), *_animations(recording, sorted(spells)), _CALM])
    for element in root:
        element.tail = "\n"
    yield tostring(root, encoding="unicode") + "\n"


def _add_window(root: Element, recording: Recording, width_px: int, height_px: int) -> None:
    """Add the window: its surface, its buttons and its title."""
    size = {"x": "0.5", "y": "0.5", "width": f"{width_px - 1}", "height": f"{height_px - 1}", "rx": "8"}
    SubElement(root, "rect", {**size, "fill": recording.background, "stroke": "#808080", "stroke-opacity": "0.5"})
    for place, colour in enumerate(_BUTTONS):
        SubElement(root, "circle", {"cx": f"{24 + 22 * place}", "cy": "22", "r": "7", "fill": colour})
    title = {"class": "name", "x": f"{width_px / 2:g}", "y": "28", "text-anchor": "middle"}
    SubElement(root, "text", title).text = recording.title


def _spells(frames: Sequence[tuple[Row, ...]]) -> dict[Spell, list[tuple[int, Row]]]:
    """Return the rows, with their numbers, by the frames that show them."""
    found: defaultdict[Spell, list[tuple[int, Row]]] = defaultdict(list)
    for number in range(len(frames[0])):
        first = 0
        for stop in range(1, len(frames) + 1):
            if stop == len(frames) or frames[stop][number] != frames[first][number]:
                found[Spell(first, stop)].append((number, frames[first][number]))
                first = stop
    return found


def _add_row(group: Element, number: int, row: Row, names: dict[CellStyle, str], background: str) -> None:
    """Add the surfaces of a row that differ from the screen's, then its words."""
    top, column, words = _TOP_PX + number * ROW_PX, 0, list[Element]()
    for run in row:
        cells = width(run.text)
        if run.style.background != background:
            x, size = _LEFT_PX + column * CELL_PX, cells * CELL_PX
            place = {"x": f"{x:.1f}", "y": f"{top:.1f}", "width": f"{size:.1f}", "height": f"{ROW_PX}"}
            SubElement(group, "rect", {**place, "fill": run.style.background, "shape-rendering": "crispEdges"})
        bare = run.text.strip(" ")
        if bare:
            before = column + len(run.text) - len(run.text.lstrip(" "))
            place = {
                "class": names.setdefault(run.style, f"s{len(names)}"),
                "x": f"{_LEFT_PX + before * CELL_PX:.1f}",
                "y": f"{top + _BASELINE_PX:.1f}",
                "textLength": f"{width(bare) * CELL_PX:.1f}",
            }
            words.append(word := Element("text", place))
            word.text = bare
        column += cells
    group.extend(words)


def _looks(names: dict[CellStyle, str]) -> Iterator[str]:
    """Yield the rules of all texts, then those of each style."""
    yield f"\ntext{{font:{FONT_PX}px {_FONT};white-space:pre}}.name{{fill:#808080;font-size:18px}}"
    for style, name in names.items():
        lines = " ".join(["underline"] * style.is_underlined + ["line-through"] * style.is_struck)
        yield (
            f".{name}{{fill:{style.colour}"
            + (";font-weight:700" if style.is_bold else "")
            + (";font-style:italic" if style.is_italic else "")
            + (f";text-decoration:{lines}" if lines else "")
            + "}"
        )


def _animations(recording: Recording, spells: Sequence[Spell]) -> Iterator[str]:
    """Yield the rules that show each spell at its time."""
    seconds, count = recording.seconds, len(recording.frames)
    starts = [frame.at / seconds * 100 for frame in recording.frames]
    hidden, visible = "{visibility:hidden}", "{visibility:visible}"
    yield f".f{hidden}.last{visible}"
    for spell in spells:
        if spell == Spell(0, count):
            continue
        steps = [f"0%{visible if spell.first == 0 else hidden}"]
        steps += [f"{starts[spell.first]:.3f}%{visible}"] if spell.first else []
        steps += [f"{starts[spell.stop]:.3f}%{hidden}"] if spell.stop < count else []
        yield f"@keyframes {spell.name}{{{''.join(steps)}}}"
        yield f".{spell.name}{{animation:{spell.name} {seconds:.2f}s step-end infinite}}"
