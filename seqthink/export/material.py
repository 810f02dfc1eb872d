"""What every export is made of: the folded session, what reads its lines, and the rows of the tree."""

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.drawing.belongings import EventOf
from seqthink.drawing.rows import Painter, TextOf
from seqthink.drawing.tree import Tree


class Material(Struct, frozen=True, kw_only=True):
    """A folded session with what reads its lines: texts by thought, errors by refused call, events by their place."""

    session: Session
    text_of: TextOf
    error_of: TextOf
    event_of: EventOf

    def painter(self, width: int) -> Painter:
        """Return what draws the rows of the tree at ``width``; every chain and branch is open."""
        tree = Tree()
        tree.sync(self.session)
        tree.open_all()
        return Painter(tree=tree, text_of=self.text_of, error_of=self.error_of, width=width, screen=width)
