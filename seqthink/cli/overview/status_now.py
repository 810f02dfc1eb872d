"""`seqthink status --now`: what each live session does now, one line each. Loaded only for this option."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, Protocol, TypeVar

from seqthink.chain.attention import Attention, EndingCall, Standing
from seqthink.chain.overview.session_filter import SessionFilter
from seqthink.chain.overview.states import STATE_SIGNS, STATES, ShownState
from seqthink.chain.overview.work_place import work_place
from seqthink.core.errors import CorruptLineError
from seqthink.core.events import SessionEvent
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe import units
from seqthink.drawing.describe.calls import called_with, folder_of
from seqthink.drawing.describe.session import session_label
from seqthink.drawing.text.cells import cut, cut_left, pad, width
from seqthink.journal.decode import decode
from seqthink.library.catalog.wanted_sessions import WantedSessions

MAX_NAME_CELLS: Final = 24
MAX_DOING_CELLS: Final = 60
_IS_LIVE: Final = frozenset({Attention.ASKING, Attention.STUCK, Attention.THINKING})


class SessionNow(NamedTuple):
    """A session, as far as its lines were read."""

    name: SafeText
    standing: Standing
    state: ShownState
    call: EndingCall | None = None
    """The call of a tool that it waits for."""
    folder: str = ""
    """The folder that it works in."""


def name_and_folder_in(head: bytes, session: str) -> tuple[SafeText, str]:
    """Return what a session is called by the first line of its journal, else its id; and the folder it works in."""
    event = _session_event(head)
    return (session_label(event), folder_of(event)) if event is not None else (one_line(session), "")


def _session_event(head: bytes) -> SessionEvent | None:
    try:
        event = decode(head) if head else None
    except CorruptLineError:
        return None
    return event if isinstance(event, SessionEvent) else None


class HasHead(Protocol):
    """A session of which the first line of its journal is known."""

    @property
    def head(self) -> bytes:
        """The line; empty if it was not read."""
        ...


_HasHead = TypeVar("_HasHead", bound=HasHead)


def wanted_among(sessions: Iterable[_HasHead], wanted: SessionFilter) -> Iterator[_HasHead]:
    """Yield the sessions that are wanted, by the first lines of their journals."""
    matching = WantedSessions(wanted)
    return (one for one in sessions if matching.has_place(work_place(_session_event(one.head))))


def now_lines(sessions: Iterable[SessionNow], now: int, *, is_ascii: bool) -> Iterator[str]:
    """Yield a line for each live session, those that need you first: ``● shop-api  Bash mix test · 41 s``.

    Args:
        sessions: the sessions, live or not.
        now: the time, in microseconds since 1970.
        is_ascii: whether the signs are ASCII.
    """
    live = [one for one in sessions if one.standing.attention in _IS_LIVE]
    live.sort(key=lambda one: (STATES[one.state].rank, -one.standing.since))
    ellipsis, separator = ("~", "-") if is_ascii else ("…", "·")
    for one in live:
        doing, since = _doing(one, ellipsis)
        took = f" {separator} {units.rough(now - since)}" if since else ""
        sign = STATE_SIGNS[STATES[one.state].sign][is_ascii]
        name = pad(cut(one.name, MAX_NAME_CELLS, ellipsis), MAX_NAME_CELLS)
        yield f"{sign} {name}  {doing}{took}"


def _doing(one: SessionNow, ellipsis: str) -> tuple[str, int]:
    """Return what a session does, and since when; a path is cut on the left."""
    if one.state is ShownState.ASKING:
        question = one_line(f"asks you: {one.standing.question}")
        return cut(question, MAX_DOING_CELLS, ellipsis), one.standing.since
    if one.state is ShownState.ACTING and one.call is not None:
        tool = cut(one_line(one.call.tool), MAX_DOING_CELLS // 2, ellipsis)
        shown, is_path = called_with(one.folder, one.call.tool, one.call.text)
        rest = (cut_left if is_path else cut)(one_line(shown), MAX_DOING_CELLS - width(tool) - 1, ellipsis)
        return " ".join(filter(None, (tool, rest))), one.call.time
    return STATES[one.state].word, one.standing.since
