"""The calls of tools and their ends, found slowly and plainly from docs/journal.md alone: the oracle for the fold."""

from collections.abc import Sequence
from typing import Any

from seqthink.core.events import ActionEvent, EndEvent, SessionEvent, SkippedEvent, UnknownEvent, WriterState
from tests.support.journals.events_factory import Item

_SAY_NOTHING = (SessionEvent, EndEvent, SkippedEvent, UnknownEvent)
"""Lines that are not an agent's words, or of no agent."""
_AGENTS_WORDS = frozenset({"thought", "prompt", "reasoning", "remark", "turn", "compacted", "rewound"})


def naive_actions(items: Sequence[Item], writer: WriterState) -> list[dict[str, Any]]:
    """Return the calls as the document has them, without what only their lines say."""
    calls = [place for place, item in enumerate(items) if isinstance(item, ActionEvent) and _is_call(items, place)]
    return [_action(items, place, writer) for place in calls]


def _action(items: Sequence[Item], place: int, writer: WriterState) -> dict[str, Any]:
    begun = items[place]
    assert isinstance(begun, ActionEvent)
    end = begun if begun.failed else next((each for each in _later(items, place) if _ends(items, place, each)), None)
    time = begun.time.isoformat(timespec="microseconds").replace("+00:00", "Z")
    action: dict[str, Any] = {"tool": begun.tool, "time": time}
    if end is None:
        return action | {
            "result": "running" if writer is WriterState.ALIVE and _is_waited_for(items, place) else "not known"
        }
    took = (end.time - begun.time).total_seconds() * 1000
    return action | ({"durationMs": took} if took > 0 else {}) | {"result": "failed" if end.failed else end.ended}


def _later(items: Sequence[Item], place: int) -> list[ActionEvent]:
    return [item for item in items[place + 1 :] if isinstance(item, ActionEvent)]


def _is_call(items: Sequence[Item], place: int) -> bool:
    """Whether a line counts as a call: it begins one, or says that an unknown one failed."""
    item = items[place]
    assert isinstance(item, ActionEvent)
    if item.ended is not None:
        return False
    return not item.failed or _open_call(items, place) is None


def _open_call(items: Sequence[Item], place: int) -> int | None:
    """Return the place of the call that a line ends: the newest of its id, unless that has ended."""
    end = items[place]
    assert isinstance(end, ActionEvent)
    for before in reversed(range(place)):
        item = items[before]
        if not isinstance(item, ActionEvent) or not end.call or item.call != end.call or item.ended == "unknown":
            continue
        return None if item.failed or item.ended is not None else before
    return None


def _ends(items: Sequence[Item], place: int, end: ActionEvent) -> bool:
    if not end.failed and end.ended not in {"done", "interrupted"}:
        return False
    return _open_call(items, next(at for at, item in enumerate(items) if item is end)) == place


def _is_waited_for(items: Sequence[Item], place: int) -> bool:
    return begins(items, place) and not any(_parts(items, place, later) for later in range(place + 1, len(items)))


def begins(items: Sequence[Item], place: int) -> bool:
    """Whether a line begins a call that its agent has not made before."""
    item = items[place]
    assert isinstance(item, ActionEvent)
    return not item.is_end and not _is_second(items, place)


def _is_second(items: Sequence[Item], place: int) -> bool:
    """Whether a line has the id of a call that its agent has made before."""
    item = items[place]
    assert isinstance(item, ActionEvent)
    return bool(item.call) and any(
        isinstance(one, ActionEvent) and (one.agent or None, one.call) == (item.agent or None, item.call)
        for one in items[:place]
    )


def _parts(items: Sequence[Item], place: int, later: int) -> bool:
    """Whether a later line says that a call is no longer waited for."""
    begun, item = items[place], items[later]
    assert isinstance(begun, ActionEvent)
    if isinstance(item, SessionEvent | EndEvent):
        return True
    if isinstance(item, (str, *_SAY_NOTHING)) or (getattr(item, "agent", None) or None) != (begun.agent or None):
        return False
    if not isinstance(item, ActionEvent):
        return str(type(item).__struct_config__.tag) in _AGENTS_WORDS
    if (item.call or "") == (begun.call or ""):
        return True
    return not item.is_end and not _is_second(items, later) and not _names_ends(items[:later])


def _names_ends(items: Sequence[Item]) -> bool:
    """Whether a journal has named the end of a call that succeeded."""
    return any(
        isinstance(item, ActionEvent) and not item.failed and (item.ended is not None or _is_second(items, place))
        for place, item in enumerate(items)
    )
