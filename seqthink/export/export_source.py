"""The input of every export: the folded session, and functions that read its texts from the journal."""

from typing import Self

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.drawing.describe.attachments import EventOf
from seqthink.drawing.plain import PiecesOf
from seqthink.drawing.rows.painter import Painter, TextOf
from seqthink.drawing.tree.tree import Tree
from seqthink.loading import SessionTexts


class ExportSource(Struct, frozen=True, kw_only=True):
    """A folded session, and functions that read its texts from the journal."""

    session: Session
    row_text_of: TextOf
    """Returns the start of a thought's text, as much as a row shows, by the thought's index."""
    pieces_of: PiecesOf
    """Returns a thought's whole text in pieces, by the thought's index."""
    error_of: TextOf
    """Returns the error of a refused call, by its ordinal."""
    event_of: EventOf
    """Returns the event of a journal line, by byte offset and size."""

    @classmethod
    def from_texts(cls, texts: SessionTexts) -> Self:
        """Return the source for a journal."""
        return cls(
            session=texts.session,
            row_text_of=texts.row_text,
            pieces_of=texts.pieces,
            error_of=texts.refusal_reason,
            event_of=texts.event,
        )

    def painter(self, width: int) -> Painter:
        """Return a painter for the tree at ``width`` cells, with every chain and branch open."""
        tree = Tree()
        tree.sync(self.session)
        tree.open_all()
        return Painter(tree=tree, text_of=self.row_text_of, error_of=self.error_of, width=width, screen_width=width)
