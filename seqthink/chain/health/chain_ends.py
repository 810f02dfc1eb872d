"""What is odd about how a chain ended: too early, or with branches left (docs/journal.md, "Chain health")."""

from collections.abc import Iterator

from seqthink.chain.health.oddities import Oddity, OddityKind
from seqthink.chain.model import NONE
from seqthink.chain.session import Session

MIN_MISSING = 3
"""How many of the expected thoughts an early end leaves out at least."""
MAX_LANES = 500
"""How many lanes of a chain are looked at, the first."""


def chain_end_oddities(session: Session, chain: int) -> Iterator[Oddity]:
    """Yield what is odd about the end of a chain; nothing while it is not done."""
    if not session.chains.is_concluded(chain):
        return
    for ordinal in session.chains.lanes_of(chain)[:MAX_LANES]:
        newest = session.lanes.leading_in(ordinal)
        if newest == NONE or session.native.kind_of(newest) is not None or session.native.is_left_behind(newest):
            continue
        if session.lanes.get(ordinal).is_root:
            yield from _early_end(session, newest)
        else:
            yield from _left_branch(session, ordinal, newest)


def _early_end(session: Session, newest: int) -> Iterator[Oddity]:
    number, estimate = session.thoughts.highest_number_of(newest), session.thoughts.estimate_of(newest)
    is_early = 2 * number <= estimate and estimate - number >= MIN_MISSING
    if is_early and session.thoughts.is_final(newest):
        yield Oddity(kind=OddityKind.EARLY_END, thought=newest, numbers=(number, estimate))


def _left_branch(session: Session, ordinal: int, newest: int) -> Iterator[Oddity]:
    """Yield the branch as left: short of its estimate, without a conclusion, and nothing later on a lane it left."""
    is_short = session.thoughts.highest_number_of(newest) < session.thoughts.estimate_of(newest)
    if not is_short or session.thoughts.is_final(newest):
        return
    above = session.lanes.get(ordinal).parent
    while above != NONE:
        if session.lanes.newest_in(above) > newest:
            return
        above = session.lanes.get(above).parent
    yield Oddity(kind=OddityKind.LEFT_BRANCH, thought=newest, lane=ordinal)
