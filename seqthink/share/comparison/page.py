"""Two compared sessions as one self-contained HTML page: beside each other where there is room, else below.

The content security policy allows one style sheet, by hash, and nothing else.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import UTC
from hashlib import sha256

from markupsafe import Markup
from msgspec import Struct

from seqthink.chain.comparison.comparison import Stretch, StretchKind
from seqthink.chain.comparison.passages import PassageKind, passage_text
from seqthink.chain.comparison.side_facts import ComparedSessions, ComparedSide
from seqthink.chain.model import NONE
from seqthink.core.text import sanitize
from seqthink.drawing.describe.comparison import (
    LEFT,
    RIGHT,
    FactRow,
    answer_words,
    common_words,
    fact_rows,
    own_words,
    parting_words,
    passage_label,
)
from seqthink.drawing.markup.word_changes import word_changes
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import BOLD, Spans
from seqthink.share.export import session_facts
from seqthink.share.export.html import page_style
from seqthink.share.export.html_blocks import Block
from seqthink.share.export.html_templates import resource, stream
from seqthink.share.export.markdown_html import thought_blocks

_KIND_WORDS = {StretchKind.SAME: "the same", StretchKind.ALIKE: "alike"}


class Piece(Struct, frozen=True):
    """A piece of a text that is alike on the other side."""

    text: str
    is_own: bool
    """Whether only this side has it."""


class Cell(Struct, frozen=True):
    """A text of one side."""

    letter: str
    label: str
    lane: str
    is_prompt: bool
    is_answer: bool
    blocks: Sequence[Block] = ()
    pieces: Sequence[Piece] = ()
    """In place of the blocks, if the text is alike on the other side."""


class Row(Struct, frozen=True):
    """Texts that belong together: one of each side, or those that only one side has."""

    kind: str
    words: str
    """How the sides are related, for a text that both have."""
    is_parting: bool
    left: Sequence[Cell]
    right: Sequence[Cell]


class ComparedPage(Struct, frozen=True, kw_only=True):
    """What ``comparison.html`` shows."""

    left_name: str
    right_name: str
    facts: Sequence[FactRow]
    sentences: Sequence[str]
    rows: Iterator[Row]
    style: Markup

    @property
    def style_hash(self) -> str:
        """The hash of the style in the content security policy."""
        return f"sha256-{b64encode(sha256(self.style.encode()).digest()).decode()}"


def comparison_html(sessions: ComparedSessions) -> Iterator[str]:
    """Yield the page in pieces."""
    comparison = sessions.comparison
    sentences = [
        f"{common_words(comparison)}.",
        parting_words(sessions),
        answer_words(comparison),
        own_words(comparison),
    ]
    page = ComparedPage(
        left_name=session_facts.name(sessions.left.texts.session),
        right_name=session_facts.name(sessions.right.texts.session),
        facts=fact_rows(sessions, UNICODE, UTC),
        sentences=[sentence for sentence in sentences if sentence],
        rows=_rows(sessions),
        style=page_style() + resource("comparison.css"),
    )
    return stream("comparison.html", page=page)


def _rows(sessions: ComparedSessions) -> Iterator[Row]:
    parting = sessions.comparison.first_parting
    for place, stretch in enumerate(sessions.comparison.stretches):
        left, right = _cells(sessions, stretch)
        yield Row(stretch.kind.value, _KIND_WORDS.get(stretch.kind, ""), place == parting, left, right)


def _cells(sessions: ComparedSessions, stretch: Stretch) -> tuple[list[Cell], list[Cell]]:
    sides = ((LEFT, sessions.left, stretch.left), (RIGHT, sessions.right, stretch.right))
    if stretch.kind is not StretchKind.ALIKE:
        left, right = ([_cell(letter, side, place) for place in places] for letter, side, places in sides)
        return left, right
    texts = [sanitize(passage_text(side.texts, side.side.passages[places.start])) for _, side, places in sides]
    left, right = (
        [_cell(letter, side, places.start, spans)]
        for (letter, side, places), spans in zip(sides, word_changes(*texts), strict=True)
    )
    return left, right


def _cell(letter: str, compared: ComparedSide, place: int, spans: Spans | None = None) -> Cell:
    passage = compared.side.passages[place]
    label = passage_label(compared, passage)
    return Cell(
        letter=letter,
        label=label.name,
        lane=label.lane,
        is_prompt=passage.kind is PassageKind.PROMPT,
        is_answer=place == compared.side.answer != NONE,
        blocks=thought_blocks([passage_text(compared.texts, passage)]) if spans is None else (),
        pieces=[Piece(span.text, bool(span.face & BOLD)) for span in spans or ()],
    )
