"""What a live session does now, in one line: ``now  Edit lib/registry.ex · 4 s`` (docs/screens.md, "What it does now").

The viewer, each tile of the wall and the page take the line from here.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.attention import Attention, Doing, Standing, last_activity
from seqthink.chain.columns.session_columns import RecordKind
from seqthink.chain.model import NONE
from seqthink.chain.overview.states import STATES, ShownState, shown_state
from seqthink.chain.session import Session
from seqthink.chain.state import STALE_SECONDS
from seqthink.core.text import one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe import units
from seqthink.drawing.describe.calls import called_with, working_folder
from seqthink.drawing.describe.status import Status, standing_status, standing_words
from seqthink.drawing.text.cells import cut, cut_left, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text

MAX_OBJECT_CHARS = 400
"""Characters of a path, command or question that the line looks at."""
WAITING_TOOLS = frozenset({"wait_agent"})
"""Tools with which an agent waits for its sub-agents: Codex starts them by calls that end at once."""
MIN_OBJECT_CELLS = 6
"""Cells of a path or command below which the time is left out."""


class NowLine(Struct, frozen=True, kw_only=True):
    """What a session does now. Its texts are sanitized."""

    doing: str
    """What it does: the tool's name, or in words."""
    object: str = ""
    """What it does that with: a path, a command or a question."""
    is_path: bool = False
    """Whether ``object`` is a path, which is cut on the left."""
    also: int = 0
    """How many other calls run."""
    since: int
    """Since when, in microseconds since 1970."""
    took: str = ""
    """For how long, as in ``41 s``."""
    role: Role = Role.ACCENT


class Present(Struct, frozen=True, kw_only=True):
    """A session's status at one time, and what it does: found once, for everything that is drawn at that time."""

    standing: Standing
    status: Status
    words: str
    """The status with its age: ``thinking 12s``."""
    doing: NowLine | None
    """What it does; None if it is not live."""


def present_of(
    session: Session, standing: Standing, now: int, stale_seconds: int = STALE_SECONDS, signs: Signs = UNICODE
) -> Present:
    """Return the status of a session and what it does at ``now``; arguments as of `now_line`."""
    return Present(
        standing=standing,
        status=standing_status(standing, signs, now, stale_seconds),
        words=standing_words(standing, signs, now, stale_seconds),
        doing=now_line(session, standing, now, stale_seconds),
    )


def now_line(session: Session, standing: Standing, now: int, stale_seconds: int = STALE_SECONDS) -> NowLine | None:
    """Return what a session does at ``now``; None if it is not live.

    Args:
        session: the session as it is now.
        standing: its standing.
        now: the time, in microseconds since 1970.
        stale_seconds: seconds without a line after which it counts as silent; 0 for never.
    """
    if not session.is_alive or not _goes_on(session, standing):
        return None
    line = _doing(session, standing, now, stale_seconds)
    return replace(line, took=units.rough(now - line.since)) if line.since else line


def _doing(session: Session, standing: Standing, now: int, stale_seconds: int) -> NowLine:
    if standing.attention is Attention.ASKING:
        question = one_line(standing.question[:MAX_OBJECT_CHARS])
        return NowLine(doing="asks you:", object=question, since=standing.since, role=Role.WARN)
    return (
        _pending(session, standing)
        or _waiting(session)
        or _call(session)
        or _quiet(session, standing, now, stale_seconds)
    )


def now_spans(line: NowLine | None, cells: int, signs: Signs = UNICODE) -> Spans:
    """Return the line in at most ``cells`` cells; [] for None. Time gives way to a path, command or question."""
    if line is None:
        return []
    doing = cut(line.doing, cells // 2 if line.object else cells - 5, signs.ellipsis)
    head = [Span("now", Role.MUTED), Span(f"  {doing}", line.role)]
    also = f" +{line.also}" if line.also else ""
    took = f" {signs.separator} {line.took}" if line.took else ""
    room = cells - width(spans_text(head)) - 1
    least = min(MIN_OBJECT_CELLS, width(line.object))
    tail = next((tail for tail in (f"{also}{took}", took, "") if room - width(tail) >= least), "")
    shown = (cut_left if line.is_path else cut)(line.object, room - width(tail), signs.ellipsis)
    object_spans = [Span(f" {shown}", Role.WARN if line.role is Role.WARN else Role.TEXT)] if shown else []
    return clip([*head, *object_spans, Span(tail, Role.MUTED)], cells)


def _goes_on(session: Session, standing: Standing) -> bool:
    """Return whether more is expected: also of a chain that is done, while its agent still acts on it."""
    if not standing.is_over:
        return True
    last = session.native.last_record_of(session.native.last_agent)
    is_newest = last.time > session.thoughts.time_of(session.thought_count - 1) if session.thought_count else False
    return standing.attention is Attention.DONE and is_newest and last.kind is not RecordKind.END


def _pending(session: Session, standing: Standing) -> NowLine | None:
    """Return that an audit runs, or that the client's model is asked."""
    audit = session.running_audit
    if audit is not None:
        return NowLine(doing="auditing", object=one_line(audit.doing or ""), since=microseconds_of(audit.time))
    if standing.doing is Doing.SAMPLING:
        return NowLine(doing=STATES[ShownState.SAMPLING].word, since=standing.since)
    return None


def _waiting(session: Session) -> NowLine | None:
    """Return for how many sub-agents the main agent waits; None if it does not."""
    main, _ = session.native.running_calls_of(None)
    at_work = list(_agents_at_work(session))
    calls = {event.call for agent in at_work if (event := session.agents.event_of(agent)) is not None}
    begun = session.native.last_record_of(None).time
    if main is not None:
        is_waiting = main.call in calls or main.tool in WAITING_TOOLS
    else:
        is_waiting = not begun and session.native.last_agent is not None
    if not at_work or not is_waiting:
        return None
    since = main.time if main is not None else last_activity(session)
    return NowLine(doing=f"waiting for {units.count(len(at_work), 'sub-agent')}", since=since)


def _agents_at_work(session: Session) -> Iterator[int]:
    for agent in range(MAIN_AGENT + 1, session.agents.count + 1):
        if session.agents.has_ended(agent) or session.agents.is_fork(agent):
            continue
        newest = session.chains.newest_of(session.chain_count - 1, agent) if session.chain_count else NONE
        if newest == NONE or not session.thoughts.is_final(newest):
            yield agent


def _call(session: Session) -> NowLine | None:
    """Return which call of a tool is waited for: the main agent's, else that of the agent that wrote last."""
    for agent in (None, session.native.last_agent):
        call, count = session.native.running_calls_of(agent)
        if call is not None:
            shown, is_path = called_with(working_folder(session), call.tool, call.text)
            return NowLine(
                doing=one_line(call.tool), object=one_line(shown), is_path=is_path, also=count - 1, since=call.time
            )
    return None


def _quiet(session: Session, standing: Standing, now: int, stale_seconds: int) -> NowLine:
    """Return that the model thinks, or is waited for; after a long time only that nothing comes."""
    since = last_activity(session)
    fresh = standing._replace(attention=Attention.THINKING, doing=Doing.THINKING)
    if shown_state(fresh, now, stale_seconds) is ShownState.QUIET:
        return NowLine(doing="silent", since=since, role=Role.MUTED)
    return NowLine(doing="thinking" if _thinks(session) else "waiting for the model", since=since)


def _thinks(session: Session) -> bool:
    """Return whether the newest line is a thought, a reasoning item or a prompt."""
    last = session.native.last_record_of(session.native.last_agent)
    newest = session.thought_count - 1
    if newest >= 0 and session.native.kind_of(newest) is None and session.thoughts.time_of(newest) >= last.time:
        return True
    return last.kind is RecordKind.THINKING
