"""Parts of a page that are alike but for their texts: the template draws the first, and its texts are replaced.

A page of 100,000 thoughts has few shapes of them. The templates still say how each looks; what they would do to a text,
to sanitize and escape it, is done here to all texts of a part at once.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import ClassVar

from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from seqthink.export.html_blocks import Block, Paragraphs
from seqthink.export.html_items import LinkedFact, PageItem, ThoughtItem
from seqthink.export.html_templates import render, render_macro
from seqthink.export.outline import ChainRow, OutlineRow
from seqthink.text import one_line, sanitize

MAX_STENCILS, MAX_PARTS = 256, 64
"""How many shapes are kept, and how many texts a part has at most; others are drawn by the template each time."""
_APART = "\ue000"
"""What stands between two texts while they are escaped: a character of private use."""
_PLACE = re.compile(f"{_APART}([0-9]+){_APART}")


class DrawnRow(Struct, frozen=True):
    """A row of the tree as HTML."""

    is_heading: bool
    html: Markup


class DrawnItem(Struct, frozen=True):
    """What stands beside the tree as HTML."""

    kind: ClassVar = "drawn"
    html: Markup


def drawn_rows(rows: Iterator[ChainRow | OutlineRow | None]) -> Iterator[DrawnRow | None]:
    """Yield the rows of the tree as HTML; None stays."""
    stencils = Stencils()
    for row in rows:
        if row is None:
            yield None
        elif isinstance(row, ChainRow):
            yield DrawnRow(row.is_heading, render_macro("outline.html", "row", row))
        else:
            yield DrawnRow(row.is_heading, _drawn_row(stencils, row))


def drawn_items(items: Iterator[PageItem | None]) -> Iterator[PageItem | DrawnItem | None]:
    """Yield the thoughts without attachments whose text is paragraphs as HTML; everything else stays."""
    stencils = Stencils()
    for item in items:
        if isinstance(item, ThoughtItem) and item.has_only_text and _is_plain(item.blocks):
            yield DrawnItem(_drawn_thought(stencils, item))
        else:
            yield item


class Stencils:
    """The shapes of parts that were drawn."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[str, Sequence[int]]] = {}

    def fill(self, shape: Hashable, texts: Sequence[str], draw: Callable[[Sequence[str]], str]) -> Markup:
        """Return what ``draw`` makes of ``texts`` (unsanitized).

        Args:
            shape: equal for all parts in which ``draw`` does the same.
            texts: what differs between these. Each is shown as it is, sanitized and escaped, and nothing depends on it.
            draw: draws the part with such texts.
        """
        safe = str.split(escape(sanitize(_APART.join(texts))), _APART)
        if len(texts) > MAX_PARTS or len(safe) != len(texts):  # one has the character of private use
            return Markup(draw(texts))  # the template has escaped all values
        known = self._known.get(shape)
        if known is None:
            if len(self._known) >= MAX_STENCILS:
                self._known.clear()
            known = self._known[shape] = _stencil(draw([f"{_APART}{place}{_APART}" for place in range(len(texts))]))
        form, places = known
        return Markup(form % tuple([safe[place] for place in places]))  # literals of the template, and safe texts


def _stencil(drawn: str) -> tuple[str, Sequence[int]]:
    """Return a drawn part as a format, and which text stands at each of its places."""
    literals = _PLACE.split(drawn)
    return "%s".join(part.replace("%", "%%") for part in literals[::2]), [int(place) for place in literals[1::2]]


def _drawn_row(stencils: Stencils, row: OutlineRow) -> Markup:
    shape = (
        bool(row.anchor), row.gutter, bool(row.levels), row.role_of_levels, row.number is None,
        row.role, bool(row.rest), tuple([role for _, role in row.marks]), bool(row.duration),
    )  # fmt: skip
    number = "" if row.number is None else str(row.number)
    texts = [row.anchor, row.levels, number, one_line(row.text), row.rest, row.duration]

    def draw(texts: Sequence[str]) -> str:
        anchor, levels, number, text, rest, duration, *marks = texts
        drawn = replace(
            row,
            anchor=anchor if row.anchor else "",
            levels=levels if row.levels else "",
            number=None if row.number is None else number,
            text=text,
            rest=rest if row.rest else "",
            marks=[(mark, role) for mark, (_, role) in zip(marks, row.marks, strict=True)],
            duration=duration if row.duration else "",
        )
        return render_macro("outline.html", "row", drawn)

    return stencils.fill(shape, [*texts, *[one_line(mark) for mark, _ in row.marks]], draw)


def _is_plain(blocks: Sequence[Block]) -> bool:
    return all(isinstance(block, Paragraphs) for block in blocks)


def _drawn_thought(stencils: Stencils, item: ThoughtItem) -> Markup:
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

    return stencils.fill(shape, [*texts, *map(one_line, item.called_with)], draw)
