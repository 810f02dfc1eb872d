"""The rows of an open session, with native reasoning or without: trees by what readers have folded, made once each.

Everything here is for the one thread that has the session's turn.
"""

from collections import OrderedDict
from collections.abc import Iterable
from datetime import tzinfo
from itertools import chain as joined

from seqthink.chain.health.health import Health
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts
from seqthink.drawing.rows.painter import PAGE_ACTION_CELLS, Painter
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.tree import Tree
from seqthink.library.journal_texts import JournalTexts
from seqthink.share.web.parameters import Folds

MAX_TREES = 8
"""How many trees and timelines are kept of a session, those used last."""
ROW_CELLS = 160
"""The width of the rows in cells: more than enough, since the page itself cuts them."""


class ShownTree:
    """A tree or a timeline, and what one reader has folded in it."""

    def __init__(self, view: str, folds: Folds) -> None:
        self.rows: Tree | Timeline = Timeline() if view == "timeline" else Tree()
        self._folds = folds
        self._lanes_seen = self._chains_seen = 0
        self._shows: object = None
        self._synced: Session | None = None
        self._painter: Painter | None = None

    def show(self, whole: Session, shown: Session) -> None:
        """Add what has arrived in ``whole``, and show ``shown``, which is ``whole`` or earlier."""
        state = (whole.entry_count, shown.entry_count, shown.writer)
        if state == self._shows:
            return
        is_grown = self._synced is None or self._synced.entry_count != whole.entry_count
        if is_grown or self._synced is None:
            self._synced = whole
            self.rows.sync(whole, shown)
            if isinstance(self.rows, Tree):
                self._fold(self.rows, whole)
        else:
            self.rows.show(shown)
        self._shows, self._painter = state, None

    def _fold(self, tree: Tree, whole: Session) -> None:
        """Open every chain that has begun, and fold what the reader has folded of what is new."""
        chains = whole.chain_count
        if chains > self._chains_seen:
            closed = _numbers(self._folds.chains, 0, chains) if chains > 1 else []
            tree.show_chains(chains, closed)
            self._chains_seen = chains
        lanes = whole.chains.lanes_of(chains - 1).stop if chains else 0
        if lanes > self._lanes_seen:
            tree.fold_lanes(_numbers(self._folds.lanes, self._lanes_seen, lanes))
            self._lanes_seen = lanes

    def painter(self, texts: SessionTexts, zone: tzinfo, now: int | None) -> Painter:
        """Return what draws the rows."""
        if self._painter is None or self._painter.now != now:
            self._painter = Painter(
                tree=self.rows,
                texts=texts,
                width=ROW_CELLS,
                screen_width=ROW_CELLS,
                zone=zone,
                now=now,
                most_action_cells=PAGE_ACTION_CELLS,
            )
        return self._painter


class SessionRows:
    """The texts, the health and the trees of a session in one of its two forms.

    Args:
        texts: the texts of the session in this form.
    """

    def __init__(self, texts: JournalTexts) -> None:
        self.texts = texts
        texts.health = self.health = Health()
        self._trees: OrderedDict[tuple[str, Folds], ShownTree] = OrderedDict()

    def tree(self, view: str, folds: Folds, shown: Session) -> ShownTree:
        """Return the rows of ``view`` (``tree`` or ``timeline``) with these folds, at the position of ``shown``."""
        key = (view, folds)
        tree = self._trees.pop(key, None) or ShownTree(view, folds)
        self._trees[key] = tree
        if len(self._trees) > MAX_TREES:
            self._trees.popitem(last=False)
        tree.show(self.texts.session, shown)
        return tree


def _numbers(ranges: Iterable[range], first: int, stop: int) -> list[int]:
    """Return the numbers of ranges from ``first`` to before ``stop``."""
    return list(joined.from_iterable(range(max(first, part.start), min(stop, part.stop)) for part in ranges))
