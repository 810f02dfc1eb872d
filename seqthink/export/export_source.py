"""What every export is made of: the folded session, what reads its lines, and the rows of the tree."""

from typing import Self

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.drawing.attachments import EventOf
from seqthink.drawing.painter import Painter, TextOf
from seqthink.drawing.plain import PiecesOf
from seqthink.drawing.tree import Tree
from seqthink.loading import SessionTexts


class ExportSource(Struct, frozen=True, kw_only=True):
    """A folded session with what reads its lines: texts by thought, errors by refused call, events by their place.

    ``head_of`` gives as much of a text as a row shows, ``pieces_of`` all of it.
    """

    session: Session
    head_of: TextOf
    pieces_of: PiecesOf
    error_of: TextOf
    event_of: EventOf

    @classmethod
    def from_texts(cls, texts: SessionTexts) -> Self:
        """Return what an export of a journal is made of."""
        return cls(
            session=texts.session,
            head_of=texts.row_text,
            pieces_of=texts.pieces,
            error_of=texts.refusal_reason,
            event_of=texts.event,
        )

    def painter(self, width: int) -> Painter:
        """Return what draws the rows of the tree at ``width``; every chain and branch is open."""
        tree = Tree()
        tree.sync(self.session)
        tree.open_all()
        return Painter(tree=tree, text_of=self.head_of, error_of=self.error_of, width=width, screen_width=width)
