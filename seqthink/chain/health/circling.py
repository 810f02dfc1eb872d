"""When numbers circle (docs/journal.md, "Chain health"): one rule for the fold and the server's hint.

Standard library only: the server applies it between a call and its answer.
"""

from collections.abc import Hashable
from typing import Final

MAX_PERIOD: Final = 4
"""The longest run of numbers that is looked for."""
MIN_ROUNDS: Final = 3
MIN_STEPS: Final = 6
MAX_STEPS: Final = MAX_PERIOD * MIN_ROUNDS
"""How many of the newest steps `circle_period` needs."""


def circle_period(steps: tuple[Hashable, ...]) -> int:
    """Return how many steps come again and again at the end of ``steps``, 0 if none do.

    They must have come ``MIN_ROUNDS`` times in a row, and be at least ``MIN_STEPS`` steps together.
    """
    for period in range(1, MAX_PERIOD + 1):
        length = max(MIN_ROUNDS * period, MIN_STEPS)
        if len(steps) < length:
            return 0
        if steps[-1] == steps[-1 - period] and steps[-length:-period] == steps[period - length :]:
            return period
    return 0
