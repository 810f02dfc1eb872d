"""The chapters of a session: where a chain begins, a prompt came, a branch opened or came back, or a mind changed.

They give an overview of a long session, so of each kind only a bounded number is returned, at even distances. Those
that are left out when a session grows stay left out: an overview does not flicker.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from seqthink.chain.model import Landmark
from seqthink.chain.session import Session


class ChapterKind(IntEnum):
    """The kinds of chapters, the most important first."""

    CHAIN = 0
    """A chain begins, one of several."""
    PROMPT = 1
    """The main agent was asked something."""
    FORK = 2
    """A branch or a subagent's lane opens."""
    RETURN = 3
    """A thought brings branches back."""
    REVISION = 4
    """A thought revises another."""
    RETRACTION = 5
    """An agent takes something back, in its own words."""


class Chapter(NamedTuple):
    """Where a chapter begins."""

    kind: ChapterKind
    ordinal: int
    """Its chain; of what was said without a row of native reasoning its aside; else the thought."""
    is_aside: bool = False
    """Whether ``ordinal`` is that of an aside."""


def chapters_of(session: Session, most: int) -> Iterator[Chapter]:
    """Yield the chapters of a session, at most ``most`` of each kind; kind by kind, in order of arrival."""
    if session.chain_count > 1:
        yield from (Chapter(ChapterKind.CHAIN, chain) for chain in thinned(range(session.chain_count), most))
    prompts = thinned(session.asides.prompts, most)
    yield from (Chapter(ChapterKind.PROMPT, ordinal, is_aside=True) for ordinal in prompts)
    retracting = thinned(session.asides.retractions, most)
    yield from (Chapter(ChapterKind.RETRACTION, ordinal, is_aside=True) for ordinal in retracting)
    if not session.thought_count:
        return
    yield from (Chapter(ChapterKind.PROMPT, index) for index in thinned(session.native.prompts, most))
    yield from (Chapter(ChapterKind.FORK, index) for index in _at_landmarks(session, Landmark.BRANCH, most))
    yield from (Chapter(ChapterKind.RETURN, index) for index in thinned(session.branch_returns.returning, most))
    yield from (Chapter(ChapterKind.REVISION, index) for index in _at_landmarks(session, Landmark.REVISION, most))
    yield from (Chapter(ChapterKind.RETRACTION, index) for index in thinned(session.native.retractions, most))


def _at_landmarks(session: Session, kind: Landmark, most: int) -> Iterator[int]:
    found = session.landmarks.between(kind, 0, session.thought_count)
    return (session.landmarks.thought_at(kind, ordinal) for ordinal in thinned(found, most))


def thinned(ordinals: Sequence[int], most: int) -> Sequence[int]:
    """Return every one, or every second, fourth, … of ``ordinals``, so that there are at most ``most``."""
    step = 1
    while len(ordinals) > most * step:
        step *= 2
    return ordinals[::step]
