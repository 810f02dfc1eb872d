"""The folded session as JSON, format ``seqthink.session/1`` (journal.md, "The folded session as JSON")."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.text import first_line

TITLE_LENGTH = 80

TextOf = Callable[[int], str]
"""Gives the whole text of a thought by its index."""


def document(session: Session, text_of: TextOf) -> dict[str, Any]:
    """Return the session as values for JSON; texts come from ``text_of``, exactly as they were journaled."""
    info = session.info
    chains = [_chain(session, chain, text_of) for chain in range(session.chain_count)]
    return {
        "format": "seqthink.session/1",
        "session": info.session if info else None,
        "title": (info.title if info and info.title else None) or (chains[0]["title"] if chains else None),
        "state": session.state.value,
        "alive": session.alive,
        "chains": chains,
        "unread": session.unread,
        "corrupt": session.corrupt,
    }


def chain_title(session: Session, chain: int, text_of: TextOf) -> str:
    """Return the first characters of the first line of the chain's first thought."""
    return first_line(text_of(session.chain_range(chain)[0]))[:TITLE_LENGTH]


def _chain(session: Session, chain: int, text_of: TextOf) -> dict[str, Any]:
    return {
        "title": chain_title(session, chain, text_of),
        "state": session.chain_state(chain).value,
        "lanes": [_lane(session, session.lane(lane), text_of) for lane in session.chain_lanes(chain)],
    }


def _lane(session: Session, lane: Lane, text_of: TextOf) -> dict[str, Any]:
    indices = lane.thoughts[: session.lane_length(lane.ordinal)]
    return {
        "branch": lane.name,
        "named": lane.is_named,
        "fork": _seq(session, lane.fork),
        "forkNumber": lane.fork_number or None,
        "thoughts": [_thought(session, index, text_of) for index in indices],
    }


def _thought(session: Session, index: int, text_of: TextOf) -> dict[str, Any]:
    thought = session.thought(index)
    time = datetime.fromtimestamp(thought.time // 1_000_000, UTC).replace(
        microsecond=thought.time % 1_000_000
    )
    return {
        "seq": thought.seq,
        "number": thought.number,
        "total": thought.total,
        "change": thought.change,
        "revision": thought.is_revision,
        "revises": _seq(session, thought.target),
        "repeat": thought.is_repeat,
        "final": session.is_final(index),
        "thought": text_of(index),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z",
    }


def _seq(session: Session, index: int) -> int | None:
    return session.thought(index).seq if index != NONE else None
