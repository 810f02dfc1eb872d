"""A session's tree as an SVG picture: the rows of the screen, signs and lines as paths, text in exact columns."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, SubElement, tostring

from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.describe.session import session_progress
from seqthink.drawing.rows.painter import Painter, whole_session_painter
from seqthink.drawing.rows.row_parts import RowParts, fit_row
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.colours import Colours
from seqthink.drawing.text.glyphs import LEFT, RIGHT, UNICODE
from seqthink.drawing.text.gutter_cells import GutterCell
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width
from seqthink.drawing.tree.row_source import RowKind
from seqthink.drawing.tree.tree import Tree
from seqthink.share.export import session_facts
from seqthink.share.export.row_drawing import PlacedCell, drawn_cells
from seqthink.share.export.svg_paths import CellGrid, SvgPath, VerticalLine, svg_paths, vertical_lines

MIN_PICTURE_CELLS, MAX_PICTURE_CELLS = 64, 104
"""Minimum and maximum width of the picture; in between it is as wide as its longest row."""

FIRST_ROWS, LAST_ROWS = 200, 800
"""A longer tree is cut to this many first and last rows, because programs fail to show very high pictures."""

GRID = CellGrid(8.4, 22)
"""Size of a cell in the picture."""
_MARGIN_PX, _HEADER_PX, _BASELINE_PX, _MIN_FACTS_CELLS = 16, 56, 4.8, 8
"""Margin, height of the header, distance of the baseline from a row's middle; width below which no facts are shown."""
_FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
_RUN = re.compile(r"\S+(?: \S+)*")


def svg(texts: SessionTexts, colours: Colours) -> Iterator[str]:
    """Yield the picture."""
    painter = _fitting_painter(texts)
    count = painter.tree.count
    first = range(count if count <= FIRST_ROWS + LAST_ROWS else FIRST_ROWS)
    last = range(max(len(first), count - LAST_ROWS), count)
    rows = len(first) + bool(last) + len(last)
    size = (
        round(painter.width * GRID.width + 2 * _MARGIN_PX),
        round(_HEADER_PX + max(1, rows) * GRID.height + _MARGIN_PX),
    )
    picture = _Picture()
    for number in first:
        picture.add_row(*_row(painter, number))
    if last:
        left_out = count - len(first) - len(last)
        picture.add_notice(f"{UNICODE.missing} {left_out:,} rows are not in this picture {UNICODE.missing}")
    for number in last:
        picture.add_row(*_row(painter, number))
    if not count:
        picture.add_notice("no thoughts yet")
    root = _root(texts, colours, size)
    root.extend([*_header(texts, size[0]), *picture.drawn()])
    yield tostring(root, encoding="unicode")


def _fitting_painter(texts: SessionTexts) -> Painter:
    """Return a painter that is as wide as the rows need."""
    painter = whole_session_painter(texts, width=MAX_PICTURE_CELLS)
    count = painter.tree.count
    needed = max(MIN_PICTURE_CELLS, min(MAX_PICTURE_CELLS, width("".join(_facts(texts))) + 8))
    for number in (*range(min(count, FIRST_ROWS)), *range(max(FIRST_ROWS, count - LAST_ROWS), count)):
        if needed >= MAX_PICTURE_CELLS:
            break
        if painter.tree.row(number).kind is not RowKind.CHAIN:
            parts, _ = painter.parts(number)
            needed = max(needed, _cells(parts))
    return painter if needed >= MAX_PICTURE_CELLS else whole_session_painter(texts, width=needed)


def _cells(parts: RowParts) -> int:
    marks = sum(spans_width(group) + 1 for group in (parts.lasting_mark, *parts.mark_groups, *parts.revision_marks))
    return len(parts.cells) + spans_width(parts.label) + width(parts.text.text) + marks + 10


def _row(painter: Painter, number: int) -> tuple[list[PlacedCell], Spans]:
    """Return the drawn cells of a row, and its words with a blank for each of them."""
    tree = painter.tree
    assert isinstance(tree, Tree), "a picture shows a tree, no timeline"
    row = tree.row(number)
    if row.kind is RowKind.CHAIN:
        return _chain_rule(painter, row.chain)
    parts, layout = painter.parts(number)
    count = len(parts.cells)
    words = [
        *(Span(cell.text or " ", cell.role) for cell in parts.cells),
        *fit_row(parts, layout, painter.signs)[count:],
    ]
    return drawn_cells(tree, row, parts.cells), words


def _chain_rule(painter: Painter, chain: int) -> tuple[list[PlacedCell], Spans]:
    name, start = (f" {words} " for words in painter.chain_words(chain))
    words = f"  {name}{start:>{painter.width - len(name) - 4}}"
    ends = (2 + len(name), painter.width - len(start) - 2)
    columns = (*range(2), *range(*ends), *range(painter.width - 2, painter.width))
    return [(column, GutterCell(LEFT | RIGHT, Role.LINE)) for column in columns], [Span(words, Role.LINE)]


def _root(texts: SessionTexts, colours: Colours, size: tuple[int, int]) -> Element:
    """Return the picture with its page, and nothing on it yet."""
    session = texts.session
    width_px, height_px = size
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width_px}",
            "height": f"{height_px}",
            "viewBox": f"0 0 {width_px} {height_px}",
            "role": "img",
            "aria-labelledby": "title about",
        },
    )
    root.text = root.tail = "\n"
    counts = ", ".join(session_facts.counts(session))
    SubElement(root, "title", id="title").text = session_facts.name(session)
    about = f"The tree of a chain of thought, {session_facts.status(session).word}: {counts}."
    SubElement(root, "desc", id="about").text = about
    SubElement(root, "style").text = "\n" + _style(colours)
    page = {
        "class": "page",
        "x": "0.5",
        "y": "0.5",
        "width": f"{width_px - 1}",
        "height": f"{height_px - 1}",
        "rx": "10",
    }
    SubElement(root, "rect", page)
    for element in root:
        element.tail = "\n"
    return root


def _header(texts: SessionTexts, width_px: int) -> Iterator[Element]:
    """Yield the line above the rows and the rule below it."""
    called, rest, right = _facts(texts)
    room = int((width_px - 2 * _MARGIN_PX) / GRID.width)
    called = cut(called, room - width(right) - 4)
    rest = cut(rest, room - width(right) - width(called) - 6)
    yield _text(called, Role.TEXT, _MARGIN_PX, 10, class_name="name")
    if width(rest) > _MIN_FACTS_CELLS:
        yield _text(rest, Role.MUTED, _MARGIN_PX + (width(called) + 2) * GRID.width, 10)
    state = session_facts.status(texts.session)
    yield _text(right, state.role, width_px - _MARGIN_PX - width(right) * GRID.width, 10)
    yield _path(f"M0.5 42.5H{width_px - 0.5}", "rule")


def _facts(texts: SessionTexts) -> tuple[str, str, str]:
    session = texts.session
    state, counts = session_facts.status(session), ", ".join(session_facts.counts(session))
    rest = " · ".join(part for part in (session_facts.client(session), counts) if part)
    return (
        session_facts.name(session),
        rest,
        f"{state.sign} {state.word}" + (f" · {session_progress(session)}" if session.thought_count else ""),
    )


def _style(colours: Colours) -> str:
    roles = "".join(f".{role.value}{{color:{colour}}}\n" for role, colour in colours.roles.items())
    return (
        f".page{{fill:{colours.background};stroke:{colours.selected}}}\n"
        f"path{{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}}\n"
        f".area{{fill:currentColor;stroke:none}}\n.rule{{stroke:{colours.selected};stroke-width:1}}\n"
        f"text{{fill:currentColor;font:14px {_FONT};white-space:pre}}\n.name{{font-weight:600}}\n{roles}"
    )


class _Picture:
    """Draws rows one below the other; vertical lines through several rows are merged into one path."""

    def __init__(self) -> None:
        self._top = float(_HEADER_PX)
        self._open: dict[tuple[Role, float], VerticalLine] = {}
        self._lines: list[SvgPath] = []
        self._signs: list[SvgPath] = []
        self._words: list[Element] = []

    def add_row(self, cells: list[PlacedCell], words: Spans) -> None:
        """Draw the next row."""
        for piece in vertical_lines(cells, GRID, _MARGIN_PX, self._top):
            key = (piece.role, piece.x)
            above = self._open.get(key)
            if above and above.bottom >= piece.top:
                self._open[key] = piece._replace(top=above.top)
                continue
            if above:
                self._lines.append(SvgPath(above.role, above.steps))
            self._open[key] = piece
        for path in svg_paths(cells, GRID, _MARGIN_PX, self._top):
            (self._signs if path.is_filled else self._lines).append(path)
        self._words += _line_end(_words(words, self._top))
        self._top += GRID.height

    def add_notice(self, sentence: str) -> None:
        """Draw a sentence in place of a row."""
        self._words += _line_end([_text(sentence, Role.MUTED, _MARGIN_PX + GRID.width, self._top)])
        self._top += GRID.height

    def drawn(self) -> Iterator[Element]:
        """Yield everything drawn, lines before signs."""
        rest = (SvgPath(line.role, line.steps) for line in self._open.values())
        for path in (*self._lines, *rest, *self._signs):
            yield _path(path.steps, path.role.value + (" area" if path.is_filled else ""))
        yield from self._words


def _path(steps: str, class_name: str) -> Element:
    path = Element("path", {"class": class_name, "d": steps})
    path.tail = "\n"
    return path


def _words(spans: Spans, top: float) -> Iterator[Element]:
    column = 0
    for span in spans:
        for run in _RUN.finditer(span.text):
            before = column + width(span.text[: run.start()])
            for part in _parts(run[0]):
                yield _text(part, span.role, _MARGIN_PX + before * GRID.width, top)
                before += width(part)
        column += width(span.text)


def _line_end(elements: Iterable[Element]) -> list[Element]:
    """Return the elements of a row, the last one at the end of its line in the file."""
    row = list(elements)
    for last in row[-1:]:
        last.tail = "\n"
    return row


def _parts(text: str) -> list[str]:
    """Return text split where characters of two cells start or end: fonts do not make them exactly two cells wide."""
    if text.isascii():
        return [text]
    parts, was_wide = [""], False
    for character in text:
        cells = width(character)
        if cells and (cells == 2) != was_wide:
            was_wide = not was_wide
            parts.append("")
        parts[-1] += character
    return [part for part in parts if part]


def _text(text: str, role: Role, left: float, top: float, *, class_name: str = "") -> Element:
    """Return text that takes exactly its cells in any font."""
    element = Element(
        "text",
        {
            "class": f"{role.value} {class_name}".rstrip(),
            "x": f"{left:.1f}",
            "y": f"{top + GRID.height / 2 + _BASELINE_PX:.1f}",
            "textLength": f"{width(text) * GRID.width:.1f}",
        },
    )
    element.text = text
    return element
