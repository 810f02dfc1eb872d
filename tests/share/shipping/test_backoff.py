"""How long a shipper waits for an engine that fails, and what it says about it."""

from itertools import pairwise

from seqthink.share.shipping.backoff import FIRST_SECONDS, MAX_SECONDS, Backoff
from seqthink.sources.fleet.failures import EngineUnavailableError

GONE = EngineUnavailableError("the engine is gone")


def test_each_pause_is_twice_as_long_as_the_one_before_up_to_a_bound_and_short_again_once_it_worked() -> None:
    backoff = Backoff(lambda _line: None, lambda: 1.0)
    pauses = [backoff.failed(GONE) for _ in range(12)]
    backoff.worked()

    assert pauses[0] == FIRST_SECONDS
    assert all(later == min(2 * earlier, MAX_SECONDS) for earlier, later in pairwise(pauses))
    assert pauses[-1] == MAX_SECONDS
    assert backoff.failed(GONE) == FIRST_SECONDS


def test_a_pause_is_shortened_at_random_by_half_at_most() -> None:
    assert Backoff(lambda _line: None, lambda: 0.0).failed(GONE) == FIRST_SECONDS / 2


def test_a_failure_is_said_once_and_that_it_is_over_once() -> None:
    said: list[str] = []
    backoff = Backoff(said.append, lambda: 1.0)
    for _ in range(3):
        backoff.failed(GONE)
    backoff.worked()
    backoff.worked()

    assert said == ["the engine is gone; trying again until it works", "the engine is back"]
