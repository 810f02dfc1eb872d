"""Lines grouped by the thought behind them: the answer to `seqthink why`. Pure."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from seqthink.library.why.attribution import Attribution, Doubt, Level
from seqthink.library.why.recorded_edits import RecordedEdit
from seqthink.library.why.thoughts_behind import Behind, SoughtCall


class AnsweringEdit(NamedTuple):
    """An edit, and the lines that come from it."""

    edit: RecordedEdit
    action: str
    """The call in words."""
    numbers: tuple[int, ...]


class LineAnswer(Struct, frozen=True, kw_only=True):
    """Lines that one thought led to, as sure as each other."""

    path: str
    """The file as it is called now."""
    numbers: tuple[int, ...]
    level: Level
    doubt: Doubt
    session: int | None
    """The session's number in the index; None if none was found."""
    edits: "tuple[AnsweringEdit, ...]"
    """The edits that the thought led to, in order, as far as they concern these lines."""
    time: int
    """When the last of them was made, or the session was at work, in microseconds since 1970."""
    commits: tuple[str, ...]
    """The ids of the commits that brought the lines, in order; an uncommitted line's is left out."""
    behind: Behind | None


class CallOf(NamedTuple):
    """A call, and whose it is."""

    session: int
    call: SoughtCall


def call_of(found: Attribution) -> CallOf | None:
    """Return the call whose thought is asked for; None where nothing was found."""
    if found.session is None:
        return None
    edit = found.edit.edit if found.edit is not None else None
    call = SoughtCall(edit.call, edit.agent, edit.time) if edit is not None else SoughtCall("", None, found.time)
    return CallOf(found.session, call)


class _Group:
    """Lines that belong together."""

    def __init__(self) -> None:
        self.lines: list[Attribution] = []
        self.behind: Behind | None = None
        self.edits: dict[tuple[str, str], AnsweringEdit] = {}

    def add(self, one: Attribution, behind: Behind | None) -> None:
        self.lines.append(one)
        self.behind = self.behind or behind
        if one.edit is None:
            return
        edit = one.edit.edit
        key = edit.call, edit.path
        known = self.edits.get(key) or AnsweringEdit(edit, behind.action if behind is not None else "", ())
        number = (one.line.number,) if one.line.number else ()
        self.edits[key] = known._replace(numbers=(*known.numbers, *number))

    def answer(self, path: str) -> LineAnswer:
        first = self.lines[0]
        return LineAnswer(
            path=path,
            numbers=tuple(one.line.number for one in self.lines if one.line.number),
            level=first.level,
            doubt=first.doubt,
            session=first.session,
            edits=tuple(sorted(self.edits.values(), key=lambda made: made.edit.time)),
            time=max(one.time for one in self.lines),
            commits=tuple(dict.fromkeys(one.line.commit for one in self.lines if one.line.commit)),
            behind=self.behind,
        )


def grouped(path: str, found: Sequence[Attribution], behind_of: Callable[[CallOf], Behind | None]) -> list[LineAnswer]:
    """Return the answers for the lines of a file, in the order of their first lines."""
    groups: dict[tuple[object, ...], _Group] = {}
    for one in found:
        call = call_of(one)
        thought = behind_of(call) if call is not None else None
        who: tuple[object, ...] = ()
        if call is not None:
            who = (call.session, thought.kind, thought.seq) if thought is not None and thought.seq else call
        key = (*who, one.level, one.doubt)
        groups.setdefault(key, _Group()).add(one, thought)
    return [group.answer(path) for group in groups.values()]


def best(answers: Sequence[LineAnswer]) -> LineAnswer | None:
    """Return the surest answer with a thought that can be opened; None if there is none."""
    order = list(Level)
    opened = [one for one in answers if one.behind is not None and one.behind.seq]
    return min(opened, key=lambda one: order.index(one.level), default=None)
