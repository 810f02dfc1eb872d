"""The folded session as JSON, format ``seqthink.session/1`` (docs/journal.md, "The folded session as JSON")."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from seqthink.chain.model import NONE, AsideItem, AsideKind, Lane
from seqthink.chain.session import Session
from seqthink.chain.session_texts import SessionTexts, text_that_titles
from seqthink.core.events import ActionEvent
from seqthink.core.labels import labels_fields
from seqthink.core.text import first_line
from seqthink.core.times import datetime_of
from seqthink.drawing.describe.calls import listed_call

MAX_TITLE_CHARS = 80
"""Length of a title that is made from a thought."""


class _Text:
    """A text given in ``pieces``."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self.pieces = pieces


def document_text(texts: SessionTexts) -> Iterator[str]:
    """Yield the document as text in pieces, in ASCII only: no control character of a thought reaches a terminal."""
    yield from _encoded(_document(texts), "\n")
    yield "\n"


def document(texts: SessionTexts) -> dict[str, Any]:
    """Return the session as JSON values."""
    return _built(_document(texts))


def _encoded(value: object, line: str) -> Iterator[str]:
    """Yield a value as JSON; each of its lines begins with ``line``, nested lines with two more blanks."""
    within = line + "  "
    match value:
        case dict() if any(isinstance(field, Iterator | _Text) for field in cast("dict[str, object]", value).values()):
            for number, (name, field) in enumerate(cast("dict[str, object]", value).items()):
                yield f"{',' if number else '{'}{within}{json.dumps(name)}: "
                yield from _encoded(field, within)
            yield line + "}"
        case Iterator():
            is_empty = True
            for item in cast("Iterator[object]", value):
                yield ("[" if is_empty else ",") + within
                yield from _encoded(item, within)
                is_empty = False
            yield "[]" if is_empty else line + "]"
        case _Text():
            yield '"'
            yield from (json.dumps(piece)[1:-1] for piece in value.pieces)
            yield '"'
        case _:
            yield json.dumps(value, indent=2).replace("\n", line)  # JSON escapes line feeds within strings


def _built(value: Any) -> Any:  # noqa: ANN401 - values of JSON are of any kind
    """Return a value with its iterators turned into lists and its texts joined."""
    match value:
        case dict():
            return {name: _built(field) for name, field in cast("dict[str, object]", value).items()}
        case Iterator():
            return [_built(item) for item in cast("Iterator[object]", value)]
        case _Text():
            return "".join(value.pieces)
        case _:
            return value


def _document(texts: SessionTexts) -> dict[str, Any]:
    """Return the document with iterators for long lists and texts, so that few texts are in memory at a time."""
    session = texts.session
    info = session.session_event
    return {
        "format": "seqthink.session/1",
        "session": info.session if info else None,
        "title": session.title or (chain_title(texts, 0) if session.chain_count else None),
        **({"labels": _labels(session)} if labels_fields(session.labels) else {}),
        "state": session.state.value,
        "alive": session.is_alive,
        "chains": (_chain(texts, chain) for chain in range(session.chain_count)),
        **({"actions": (_action(texts, item) for item in _calls(session))} if session.native.names_call_ends else {}),
        "unread": session.unknown_count,
        "corrupt": session.corrupt_count,
    }


def _labels(session: Session) -> dict[str, Any]:
    """Return what people say about the session: nothing of it is the agent's."""
    fields = labels_fields(session.labels)
    comments = [{**comment, "time": _time(comment["time"])} for comment in fields.get("comments", ())]
    return {**fields, **({"comments": comments} if comments else {})}


def chain_title(texts: SessionTexts, chain: int) -> str:
    """Return the first ``MAX_TITLE_CHARS`` characters of the first line of what titles the chain."""
    return first_line(text_that_titles(texts, chain))[:MAX_TITLE_CHARS]


def _chain(texts: SessionTexts, chain: int) -> dict[str, Any]:
    session = texts.session
    return {
        "title": chain_title(texts, chain),
        "state": session.chain_state(chain).value,
        "lanes": (_lane(texts, session.lanes.get(lane)) for lane in session.chains.lanes_of(chain)),
    }


def _lane(texts: SessionTexts, lane: Lane) -> dict[str, Any]:
    session = texts.session
    indices = lane.thoughts[: session.lanes.length_of(lane.ordinal)]
    return {
        "branch": lane.name,
        "named": lane.is_named,
        "fork": _seq(session, lane.origin),
        "forkNumber": lane.fork_number or None,
        **({"agent": session.agents.id_of(lane.agent)} if session.agents.count else {}),
        "thoughts": (_thought(texts, index) for index in indices),
    }


def _thought(texts: SessionTexts, index: int) -> dict[str, Any]:
    session = texts.session
    thought = session.thoughts.get(index)
    is_native = thought.native is not None
    return {
        "seq": thought.seq,
        **({"kind": thought.native.value if thought.native else "thought"} if session.native.count else {}),
        "number": None if is_native else thought.number,
        "total": None if is_native else thought.estimate,
        "change": thought.estimate_change,
        "revision": thought.is_revision,
        "revises": _seq(session, thought.target),
        **({"bringsBack": brought_back} if (brought_back := _brought_back(session, index)) else {}),
        "repeat": thought.is_repeat,
        "final": session.thoughts.is_final(index),
        **({"leftBehind": True} if session.native.is_left_behind(index) else {}),
        "thought": _Text(texts.pieces(index)),
        "time": _time(thought.time),
    }


def _calls(session: Session) -> list[AsideItem]:
    """Return the calls of other tools, in the order of the journal."""
    asides = session.asides
    rows = (row for row in range(asides.count) if asides.get(row).kind is AsideKind.ACTIONS)
    return sorted((item for row in rows for item in asides.items_of(row)), key=lambda item: item.entry_index)


def _action(texts: SessionTexts, item: AsideItem) -> dict[str, Any]:
    event, call = texts.event(item.offset, item.size), listed_call(texts, texts.session, item)
    begun = event if isinstance(event, ActionEvent) else None
    known = {
        "seq": begun.seq if begun is not None else None,
        "tool": item.name,
        "summary": begun.summary if begun is not None else None,
        "agent": begun.agent if begun is not None else None,
        "time": _time(item.time),
        "durationMs": call.took_us / 1000 if call.took_us else None,
        "result": call.result,
        "error": call.reason or None,
    }
    return {name: value for name, value in known.items() if value is not None}


def _time(microseconds: int) -> str:
    return datetime_of(microseconds).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _brought_back(session: Session, index: int) -> list[str | None]:
    return [session.lanes.get(lane).name for lane in session.branch_returns.brought_back_by(index)]


def _seq(session: Session, index: int) -> int | None:
    return session.thoughts.seq_of(index) if index != NONE else None
