"""Two compared sessions as JSON, format ``seqthink.diff/1`` (docs/sessions.md, "As data")."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from seqthink.chain.comparison.comparison import Comparison, Stretch, StretchKind
from seqthink.chain.comparison.passages import Passage, PassageKind, passage_text
from seqthink.chain.comparison.side_facts import ComparedSessions, ComparedSide
from seqthink.chain.model import NONE
from seqthink.core.times import datetime_of

SCHEMA = "seqthink.diff/1"


def document_text(sessions: ComparedSessions) -> Iterator[str]:
    """Yield the document as text in pieces, in ASCII only: no control character of a thought reaches a terminal."""
    yield json.dumps(_head(sessions), indent=2).removesuffix("\n}") + ',\n  "rows": ['
    separator = "\n    "
    for stretch in sessions.comparison.stretches:
        for row in _rows(sessions, stretch):
            yield separator + json.dumps(row)
            separator = ",\n    "
    yield "\n  ]\n}\n"


def _head(sessions: ComparedSessions) -> dict[str, Any]:
    comparison = sessions.comparison
    return {
        "schema": SCHEMA,
        "a": _side(sessions.left),
        "b": _side(sessions.right),
        "answers": comparison.answers.value if comparison.answers is not None else None,
        "partsAt": _parting(comparison),
        "same": comparison.count(StretchKind.SAME),
        "alike": comparison.count(StretchKind.ALIKE),
        "onlyA": comparison.left_only,
        "onlyB": comparison.right_only,
    }


def _side(compared: ComparedSide) -> dict[str, Any]:
    session, facts, side = compared.texts.session, compared.facts, compared.side
    info = session.session_event
    return {
        "session": info.session if info is not None else None,
        "title": session.title,
        "client": info.client.name if info is not None and info.client is not None else None,
        "models": list(facts.models),
        "state": facts.state.value,
        "prompts": facts.prompts,
        "thoughts": facts.thoughts,
        "estimated": facts.estimated or None,
        "reached": facts.reached or None,
        "branches": list(facts.branches),
        "revisions": facts.revisions,
        "agents": facts.agents,
        "refused": facts.refused,
        "seconds": facts.took / 1e6,
        "secondsBetween": facts.between / 1e6,
        "contextTokens": facts.context or None,
        "reasoningTokens": facts.tokens or None,
        "ownWords": list(side.own_words),
        "answer": side.passages[side.answer].seq if side.answer != NONE else None,
    }


def _parting(comparison: Comparison) -> dict[str, int | None] | None:
    if comparison.first_parting == NONE:
        return None
    stretch = comparison.stretches[comparison.first_parting]
    return {
        "a": _first_seq(comparison.left.passages, stretch.left),
        "b": _first_seq(comparison.right.passages, stretch.right),
    }


def _first_seq(passages: Sequence[Passage], places: range) -> int | None:
    return passages[places.start].seq if places else None


def _rows(sessions: ComparedSessions, stretch: Stretch) -> Iterator[dict[str, Any]]:
    left, right = sessions.left, sessions.right
    if stretch.kind is StretchKind.APART:
        yield from ({"kind": "onlyA", "a": _passage(left, place)} for place in stretch.left)
        yield from ({"kind": "onlyB", "b": _passage(right, place)} for place in stretch.right)
        return
    yield {
        "kind": stretch.kind.value,
        "likeness": round(stretch.likeness, 3),
        "a": _passage(left, stretch.left.start),
        "b": _passage(right, stretch.right.start),
    }


def _passage(compared: ComparedSide, place: int) -> dict[str, Any]:
    passage, session = compared.side.passages[place], compared.texts.session
    is_thought = passage.kind is PassageKind.THOUGHT
    lane = session.lanes.get(session.thoughts.lane_of(passage.thought)) if passage.thought != NONE else None
    known = {
        "kind": passage.kind.value,
        "seq": passage.seq,
        "number": session.thoughts.number_of(passage.thought) if is_thought else None,
        "agent": passage.agent,
        "branch": lane.name if lane is not None and not lane.is_root else None,
        "time": datetime_of(passage.time).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "text": passage_text(compared.texts, passage),
    }
    return {name: value for name, value in known.items() if value is not None}
