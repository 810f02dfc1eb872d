"""Parts of a page that are alike but for their texts: the template draws the first, and its texts are replaced.

A page of 100,000 thoughts has few shapes of them. The templates still say how each looks; what they would do to a text,
to sanitize and escape it, is done here to all texts of a part at once. A part is HTML, or the node tree of that HTML.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from markupsafe import Markup, escape
from msgspec import Raw, Struct, json
from msgspec.structs import replace

from seqthink.core.text import one_line, sanitize
from seqthink.drawing.rows.painter import Painter
from seqthink.share.export.html_blocks import Block, Paragraphs
from seqthink.share.export.html_items import BranchHeading, ChainHeading, LinkedFact, PageAside, PageItem, ThoughtItem
from seqthink.share.export.html_templates import render, render_macro
from seqthink.share.export.node_trees import node_tree
from seqthink.share.export.outline import ChainRow, ChainTitle, Gutters, OutlineRow, outline_row

MAX_SHAPES, MAX_PARTS = 256, 64
"""How many shapes are kept, and how many texts a part has at most; others are drawn by the template each time."""
ROWS_IN_RUN, ITEMS_IN_RUN = 64, 32
"""How many rows, and thoughts beside them, a browser lays out together, when they come into view.

``page.css`` says how high they are until then.
"""
_LINE_FEED = Markup("\n")
_APART = "~|^"
"""What separates two texts while they are sanitized and escaped, which leaves it as it is.

In ASCII, because texts in ASCII are sanitized much faster. It does not end as it begins, so that no piece of a text
beside it makes another one; a part with a text that has it is drawn by the template.
"""
_MARK = "\ue000"
"""What encloses the number of a text in a drawn part: a character of private use."""
_PLACE = re.compile(f"{_MARK}([0-9]+){_MARK}")


class RowRun(Struct, frozen=True):
    """Rows of the tree one below the other, as HTML."""

    html: Markup
    is_heading: bool = False
    """Whether it is one row, with which a section begins."""
    is_full: bool = False
    """Whether there are `ROWS_IN_RUN` of them."""


class DrawnItem(Struct, frozen=True):
    """What is beside the tree as HTML."""

    kind: ClassVar = "drawn"
    html: Markup


class ItemRun(Struct, frozen=True):
    """What is beside the tree, one below the other; None where a section ends."""

    items: Sequence[PageItem | DrawnItem | None]
    is_full: bool = False
    """Whether there are `ITEMS_IN_RUN` of them, and no section begins or ends."""


def row_runs(rows: Iterator[ChainRow | OutlineRow | None]) -> Iterator[RowRun | None]:
    """Yield the rows of the tree as HTML; None stays."""
    shapes = DrawnShapes()
    run: list[Markup] = []
    for row in rows:
        is_heading = row is not None and row.is_heading
        if run and (row is None or is_heading):
            yield RowRun(_LINE_FEED.join(run))
            run.clear()
        if row is None:
            yield None
        elif is_heading:
            yield RowRun(shapes.html(_row_part(row)), is_heading=True)
        else:
            run.append(shapes.html(_row_part(row)))
            if len(run) == ROWS_IN_RUN:
                yield RowRun(_LINE_FEED.join(run), is_full=True)
                run.clear()
    if run:
        yield RowRun(_LINE_FEED.join(run))


def item_runs(items: Iterator[PageItem | None]) -> Iterator[ItemRun]:
    """Yield what is beside the tree; the thoughts without attachments whose text is paragraphs as HTML."""
    shapes = DrawnShapes()
    run: list[PageItem | DrawnItem] = []
    for item in items:
        if item is None or isinstance(item, ChainHeading) or (isinstance(item, BranchHeading) and item.is_section):
            if run:
                yield ItemRun(run)
                run = []
            yield ItemRun([item])
            continue
        if isinstance(item, ThoughtItem) and item.has_only_text and _is_plain(item.blocks):
            run.append(DrawnItem(shapes.html(_thought_part(item))))
        else:
            run.append(item)
        if len(run) == ITEMS_IN_RUN:
            yield ItemRun(run, is_full=True)
            run = []
    if run:
        yield ItemRun(run)


class RowDrawer:
    """Draws single rows of trees and timelines. Keep one: it remembers what rows have in common."""

    def __init__(self) -> None:
        self._shapes = DrawnShapes()
        self._gutters = Gutters()

    def html(self, painter: Painter, number: int) -> Markup:
        """Return an existing row as HTML."""
        return self._shapes.html(_row_part(outline_row(painter, number, self._gutters)))

    def node(self, painter: Painter, number: int) -> Raw:
        """Return the same as a node tree, in JSON."""
        return self._shapes.node(_row_part(outline_row(painter, number, self._gutters)))


def item_html(item: ThoughtItem | PageAside) -> Markup:
    """Return a thought or an aside alone as HTML."""
    if isinstance(item, ThoughtItem):
        return render("thought.html", thought=item)
    return render("aside.html", aside=item)


def item_node(item: ThoughtItem | PageAside) -> Raw:
    """Return the same as a node tree, in JSON."""
    return Raw(json.encode(node_tree(item_html(item))))


class PagePart(NamedTuple):
    """A part of a page."""

    shape: Hashable
    """Equal for all parts in which ``draw`` does the same."""
    texts: Sequence[str]
    """What differs between these, unsanitized. Each is shown as it is, and nothing depends on it."""
    draw: Callable[[Sequence[str]], str]
    """Draws the part with such texts, through a template, which escapes them."""


class _DrawnShape(NamedTuple):
    """A drawn part without its texts."""

    form: str
    """What is between the texts, as a format."""
    places: Sequence[int]
    """Which text is at each place of the format."""

    def filled(self, safe: Sequence[str]) -> str:
        return self.form % tuple([safe[place] for place in self.places])


class DrawnShapes:
    """The shapes of parts that were drawn."""

    def __init__(self) -> None:
        self._of_html: dict[Hashable, _DrawnShape] = {}
        self._of_nodes: dict[Hashable, _DrawnShape] = {}

    def html(self, part: PagePart) -> Markup:
        """Return a part as HTML."""
        safe = str.split(escape(sanitize(_APART.join(part.texts))), _APART)
        if _is_unfit(part, safe):
            return Markup(part.draw(part.texts))  # the template has escaped all values
        drawn = self._of_html.get(part.shape)
        if drawn is None:
            drawn = _remember(self._of_html, part.shape, _drawn_shape(_drawn_blank(part)))
        return Markup(drawn.filled(safe))  # literals of the template, and safe texts

    def node(self, part: PagePart) -> Raw:
        """Return the node tree of a part that is one element, in JSON."""
        safe = sanitize(_APART.join(part.texts)).split(_APART)
        if _is_unfit(part, safe):
            return Raw(json.encode(node_tree(part.draw(part.texts))))
        drawn = self._of_nodes.get(part.shape)
        if drawn is None:
            blank = json.encode(node_tree(_drawn_blank(part))).decode()
            drawn = _remember(self._of_nodes, part.shape, _drawn_shape(blank))
        return Raw(drawn.filled([json.encode(text).decode()[1:-1] for text in safe]).encode())


def _is_unfit(part: PagePart, safe: Sequence[str]) -> bool:
    """Return whether a part has too many texts, or one that has what separates them."""
    return len(part.texts) > MAX_PARTS or len(safe) != len(part.texts)


def _drawn_blank(part: PagePart) -> str:
    """Return a drawn part with its places instead of its texts."""
    return part.draw([f"{_MARK}{place}{_MARK}" for place in range(len(part.texts))])


def _drawn_shape(blank: str) -> _DrawnShape:
    literals = _PLACE.split(blank)
    return _DrawnShape(
        "%s".join(part.replace("%", "%%") for part in literals[::2]), [int(text) for text in literals[1::2]]
    )


def _remember(known: dict[Hashable, _DrawnShape], shape: Hashable, drawn: _DrawnShape) -> _DrawnShape:
    if len(known) >= MAX_SHAPES:
        known.clear()
    known[shape] = drawn
    return drawn


def _row_part(row: ChainRow | OutlineRow) -> PagePart:
    if isinstance(row, ChainRow):
        chain = row.chain

        def draw_chain(texts: Sequence[str]) -> str:
            return render_macro("outline.html", "row", replace(row, chain=ChainTitle(*texts)))

        return PagePart("chain", [str(chain.number), chain.clock], draw_chain)
    shape = (
        bool(row.anchor), row.gutter, bool(row.levels), row.role_of_levels, row.number is None, bool(row.label),
        row.role_of_label, row.role, tuple([role for _, role in row.shape]), bool(row.rest),
        tuple([role for _, role in row.marks]), bool(row.duration),
    )  # fmt: skip
    number = "" if row.number is None else str(row.number)
    texts = [
        row.anchor,
        row.levels,
        number,
        row.label and one_line(row.label),
        one_line(row.text),
        row.rest,
        row.duration,
    ]

    def draw(texts: Sequence[str]) -> str:
        anchor, levels, number, label, text, rest, duration, *signs = texts
        marks = signs[len(row.shape) :]
        drawn = replace(
            row,
            anchor=anchor if row.anchor else "",
            levels=levels if row.levels else "",
            number=None if row.number is None else number,
            label=label if row.label else "",
            text=text,
            shape=[(sign, role) for sign, (_, role) in zip(signs, row.shape, strict=False)],
            rest=rest if row.rest else "",
            marks=[(mark, role) for mark, (_, role) in zip(marks, row.marks, strict=True)],
            duration=duration if row.duration else "",
        )
        return render_macro("outline.html", "row", drawn)

    signs = [sign for sign, _ in row.shape]
    return PagePart(shape, [*texts, *signs, *[one_line(mark) for mark, _ in row.marks]], draw)


def _is_plain(blocks: Sequence[Block]) -> bool:
    return all(isinstance(block, Paragraphs) for block in blocks)


def _thought_part(item: ThoughtItem) -> PagePart:
    paragraphs = [lines for block in item.blocks if isinstance(block, Paragraphs) for lines in block.paragraphs]
    shape = (
        tuple([(fact.role, bool(fact.href)) for fact in item.facts]),
        bool(item.blocks),
        tuple([len(lines) for lines in paragraphs]),
        len(item.called_with),
    )
    texts = [item.anchor, str(item.number), item.brief]
    for fact in item.facts:
        texts += (fact.text, fact.href)
    for lines in paragraphs:
        texts += lines

    def draw(texts: Sequence[str]) -> str:
        rest = iter(texts)
        drawn = replace(
            item,
            anchor=next(rest),
            number=next(rest),
            brief=next(rest),
            facts=[
                LinkedFact(next(rest), fact.role, next(rest) if fact.href else next(rest) and "") for fact in item.facts
            ],
            blocks=[Paragraphs([[next(rest) for _ in lines] for lines in paragraphs])] if item.blocks else [],
            called_with=list(rest),
        )
        return render("thought.html", thought=drawn)

    return PagePart(shape, [*texts, *map(one_line, item.called_with)], draw)
