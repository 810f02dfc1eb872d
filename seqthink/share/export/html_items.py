"""What is beside the tree of a page: thoughts, what is between them, and the headings of their sections."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import ClassVar, NamedTuple

from msgspec import Struct

from seqthink.chain.model import NONE, AsideKind
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.core.events import RejectedEvent, ThoughtEvent
from seqthink.core.text import first_line
from seqthink.drawing.describe.asides import aside_line, aside_sign, aside_text, refused_words
from seqthink.drawing.describe.calls import left_out_words, listed_call, listed_items, put_back_facts
from seqthink.drawing.describe.json_values import MAX_ITEMS, pretty_json
from seqthink.drawing.describe.lanes import lane_name
from seqthink.drawing.describe.oddities import oddity_sentences
from seqthink.drawing.describe.thought import call_facts, native_heading, retraction_facts
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.glyphs import UNICODE, retraction_sign
from seqthink.drawing.text.spans import Role
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from seqthink.share.export import session_facts
from seqthink.share.export.attachments import AttachmentCard, cards, comment_cards
from seqthink.share.export.html_blocks import Block, CallRow, Calls, Code, Raw, Sentence
from seqthink.share.export.markdown_html import thought_blocks
from seqthink.share.export.outline import ChainTitle, aside_anchor, chain_title, thought_anchor
from seqthink.share.export.revision_blocks import revision_blocks
from seqthink.share.export.sections import section_rows

_MAX_BRIEF_CHARS = 100
"""Characters of a folded thought."""


class LinkedFact(NamedTuple):
    """A few words about a thought."""

    text: str
    role: Role
    href: str
    """The anchor of the thought that they link to, or ""."""


class ThoughtItem(Struct, frozen=True, kw_only=True):
    """A thought."""

    kind: ClassVar = "thought"
    anchor: str
    number: int | str
    facts: Sequence[LinkedFact]
    brief: str
    """What is shown of it while it is folded."""
    blocks: Sequence[Block]
    """Its text."""
    cards: Iterator[AttachmentCard]
    """Its attachments."""
    cards_left_out: int
    """How many more attachments it has."""
    called_with: Sequence[str]
    """Facts about its call."""
    has_only_text: bool = False
    """Whether it has no attachments."""


class PageAside(Struct, frozen=True, kw_only=True):
    """What is between two thoughts: a refused call, a prompt, what was done."""

    kind: ClassVar = "aside"
    anchor: str
    title: str
    role: Role
    blocks: Sequence[Block]
    """What is shown below the title; nothing for a title that says all."""
    is_open: bool = False
    """Whether the blocks are shown at first."""


class ChainHeading(Struct, frozen=True):
    """The heading of a chain, with which a section begins."""

    kind: ClassVar = "chain"
    title: ChainTitle


class BranchHeading(Struct, frozen=True):
    """The heading of a branch."""

    kind: ClassVar = "branch"
    name: str
    role: Role
    is_section: bool
    """Whether a section begins with it."""


class Gap(Struct, frozen=True):
    """Numbers that were left out."""

    kind: ClassVar = "gap"
    missing: int
    """How many."""


PageItem = ThoughtItem | PageAside | ChainHeading | BranchHeading | Gap


def page_items(texts: SessionTexts, painter: Painter) -> Iterator[PageItem | None]:
    """Yield what is beside the rows of the tree, and None wherever a section ends."""
    tree = painter.tree
    assert isinstance(tree, Tree), "a page shows a tree"
    for outlined in section_rows(tree):
        if outlined is None:
            yield None
        elif item := _item(texts, outlined.row, painter.odd, is_section=outlined.is_heading):
            yield item


def page_item(texts: SessionTexts, seq: int, *, is_diff: bool = False) -> ThoughtItem | PageAside | None:
    """Return the thought or the aside of an entry of the session shown; None if there is none.

    With ``is_diff`` a revision has what it changed in place of its text.
    """
    session = texts.session
    index = session.thoughts.index_of_seq(seq)
    if index != NONE and index < session.thought_count:
        return _thought(texts, index, None, is_diff=is_diff)
    ordinal = aside_of_seq(session, seq)
    return _aside(texts, ordinal) if ordinal != NONE else None


def aside_of_seq(session: Session, seq: int) -> int:
    """Return the aside whose first line is an entry of the journal; NONE if there is none."""
    asides = session.asides
    ordinal = bisect_left(range(asides.count), seq, key=lambda each: asides.get(each).seq)
    return ordinal if ordinal < asides.count and asides.get(ordinal).seq == seq else NONE


def _item(texts: SessionTexts, row: TreeRow, odd: Collection[int] | None, *, is_section: bool) -> PageItem | None:
    """Return what is beside a row, if anything is."""
    session = texts.session
    match row.kind:
        case RowKind.THOUGHT:
            return _thought(texts, row.ordinal, odd)
        case RowKind.ASIDE:
            return _aside(texts, row.ordinal)
        case RowKind.CHAIN:
            return ChainHeading(chain_title(session, row.chain))
        case RowKind.BRANCH:
            role = session_facts.lane_role(session, row.lane)
            return BranchHeading(lane_name(session, session.lanes.get(row.lane)) or "?", role, is_section)
        case RowKind.GAP:
            return Gap(session.thoughts.skipped_count_of(row.ordinal))
        case RowKind.EXPECTED:
            return None


def _thought(texts: SessionTexts, index: int, odd: Collection[int] | None, *, is_diff: bool = False) -> ThoughtItem:
    """Return a thought; ``odd`` are those with an oddity, None if that is not known."""
    session = texts.session
    thought, attached = session.thoughts.get(index), session.thoughts.attachments(index)
    event, comments = texts.event(thought.offset, thought.size), session.labels.on(thought.seq)
    return ThoughtItem(
        anchor=f"t{thought.seq}",
        number=thought.number
        if thought.native is None
        else native_heading(thought, is_final=session.thoughts.is_final(index)),
        facts=[
            LinkedFact(fact.text, fact.role, thought_anchor(session, fact.thought) if fact.thought != NONE else "")
            for fact in session_facts.thought_facts(session, thought, attached)
        ],
        brief=first_line(texts.row_text(index), _MAX_BRIEF_CHARS),
        blocks=revision_blocks(texts, thought.target, index)
        if is_diff and thought.target != NONE
        else thought_blocks(texts.pieces(index)),
        cards=chain(comment_cards(comments), cards(attached, texts) if attached else ()),
        cards_left_out=max(0, len(attached) - MAX_ITEMS),
        has_only_text=not (attached or comments),
        called_with=[
            *(oddity_sentences(texts.health.at(session), session, index) if odd is None or index in odd else ()),
            *call_facts(session, thought, event if isinstance(event, ThoughtEvent) else None),
            *(retraction_facts(texts.prefix(index).text) if thought.is_retraction else ()),
        ],
    )


def _aside(texts: SessionTexts, ordinal: int) -> PageAside:
    session = texts.session
    kind = session.asides.get(ordinal).kind
    if kind is AsideKind.REFUSED:
        return _refused(texts, ordinal)
    sign, role = aside_sign(kind)
    text = aside_text(texts, session, ordinal)
    blocks: list[Block] = [Raw(text)] if text else []
    if kind is AsideKind.ACTIONS:
        blocks = [_calls(texts, ordinal)]
    title = f"{getattr(UNICODE, sign)} {aside_line(texts, session, ordinal, UNICODE)}"
    if session.asides.get(ordinal).is_retraction:
        title += f" {retraction_sign(UNICODE)}"
        blocks += map(Sentence, [*retraction_facts(text), *put_back_facts(session, ordinal)])
    return PageAside(anchor=aside_anchor(session, ordinal), title=title, role=role, blocks=blocks)


def _calls(texts: SessionTexts, ordinal: int) -> Calls:
    left_out, items = listed_items(texts.session, ordinal)
    calls = [listed_call(texts, texts.session, item) for item in items]
    return Calls(
        [CallRow(call.tool, call.object, call.end_words, call.role, call.reason) for call in calls],
        left_out_words(left_out) if left_out else "",
    )


def _refused(texts: SessionTexts, ordinal: int) -> PageAside:
    refusal = texts.session.asides.get(ordinal)
    event = texts.event(refusal.offset, refusal.size)
    blocks: list[Block] = [Raw(texts.refusal_reason(ordinal))]
    if isinstance(event, RejectedEvent) and event.arguments is not None:
        blocks += [
            Sentence("Its arguments, cut at 4 KiB:" if event.truncated else "Its arguments:"),
            Code(pretty_json(event.arguments)),
        ]
    return PageAside(
        anchor=aside_anchor(texts.session, ordinal),
        title=f"✗ {refused_words(texts, texts.session, ordinal)}",
        role=Role.BAD,
        blocks=blocks,
        is_open=True,
    )
