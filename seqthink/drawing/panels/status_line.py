"""The first line of the screen: the session's status, name and progress (docs/screens.md, "Narrow" and "Wide")."""

from msgspec import Struct

from seqthink.chain.questions import QuestionKind
from seqthink.chain.session import Session
from seqthink.chain.state import STALE_SECONDS, State
from seqthink.drawing.describe import units
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text, spans_width, spread
from seqthink.events import Entry, SessionEvent
from seqthink.text import SafeText, one_line

MIN_NAME_CELLS = 6
"""Cells below which a name is not shown."""


class Status(Struct, frozen=True):
    """How a state is displayed."""

    sign: str
    word: str
    role: Role
    """The colour of sign and word."""


def status_of(
    state: State, signs: Signs, *, is_quiet: bool = False, asking: QuestionKind | None = None, is_auditing: bool = False
) -> Status:
    """Return how to display a state (docs/screens.md, "States"). With ``is_quiet`` a thinking session is "quiet".

    A question to the user or the model, or a running audit, is shown instead.
    """
    if asking == "elicit":
        return Status(signs.expected, "asking you", Role.WARN)
    if is_auditing:
        return Status(signs.expected, "auditing", Role.ACCENT)
    if asking == "sample":
        return Status(signs.expected, "asking model", Role.ACCENT)
    if is_quiet and state is State.THINKING:
        return Status(signs.expected, "quiet", Role.WARN)
    return {
        State.THINKING: Status(signs.thought, "thinking", Role.ACCENT),
        State.DONE: Status(signs.final, "done", Role.GOOD),
        State.LEFT: Status(signs.expected, "left", Role.WARN),
        State.STOPPED: Status(signs.stopped, "stopped", Role.MUTED),
        State.LOST: Status(signs.refused, "lost", Role.BAD),
        State.UNKNOWN: Status(signs.expected, "open", Role.MUTED),
    }[state]


def session_name(session: Session) -> SafeText:
    """Return the display name of a session; a title stays after a resume."""
    if session.session_event is None:
        return SafeText("?")
    return one_line(session.title) if session.title else session_label(session.session_event)


def session_label(info: SessionEvent) -> SafeText:
    """Return the title, else the folder's name, else the client's name, else the id."""
    folder = (info.cwd or "").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    client = info.client.name if info.client else ""
    return one_line(info.title or folder or client or info.session)


def session_progress(session: Session) -> str:
    """Return ``6 of ~8``: highest number and estimate of the leading thought's lane; "" without thoughts."""
    if not session.thought_count:
        return ""
    return lane_progress(session, session.thoughts.lane_of(session.current_thought))


def lane_progress(session: Session, lane: int) -> str:
    """Return ``6 of ~8`` for a lane that has thoughts; ``~`` means that more may come."""
    newest = session.thoughts.get(session.lanes.newest_in(lane))
    is_over = session.thoughts.is_final(newest.index) or session.chain_state(newest.chain) is State.DONE
    about = "~" if newest.highest_number < newest.estimate and not is_over else ""
    return f"{newest.highest_number} of {about}{newest.estimate}"


def last_activity(session: Session) -> int:
    """Return the time of the last activity in microseconds since 1970; 0 for none.

    Activity is a thought, a refused call, an open question, a step of an audit, or the start of the server.
    """
    times = [session.thoughts.time_of(session.thought_count - 1)] if session.thought_count else []
    if session.refusal_count:
        times.append(session.refusals.get(session.refusal_count - 1).time)
    times += [_microseconds(event) for event in (session.open_question, session.running_audit) if event is not None]
    if not times and session.session_event is not None:
        times.append(_microseconds(session.session_event))
    return max(times, default=0)


def _microseconds(event: Entry) -> int:
    return int(event.time.timestamp() * 1_000_000)


def status_line(
    session: Session,
    cells: int,
    *,
    now: int | None,
    stale_seconds: int = STALE_SECONDS,
    signs: Signs = UNICODE,
    extra: Spans | None = None,
) -> Spans:
    """Return the status line in exactly ``cells`` cells.

    From the right, revisions, branches, client, name and ``extra`` are dropped when there is no room; state and count
    never are, the age only in the narrowest line.

    Args:
        session: the session.
        cells: width of the line.
        now: the current time in microseconds since 1970; None leaves the age out.
        stale_seconds: seconds without a thought after which a thinking session counts as quiet.
        signs: the character set.
        extra: spans at the right end of a wide line, instead of the name in a narrow one.
    """
    shown, newest = session_status(session, now, stale_seconds, signs), last_activity(session)
    states = [f"{shown.sign} {word}" for word in (_with_age(shown.word, newest, now), shown.word)]
    draw = _narrow if cells < NARROW_BELOW_CELLS else _wide
    return clip(draw(session, cells, states, shown.role, signs, extra or []), cells)


def session_status(
    session: Session, now: int | None, stale_seconds: int = STALE_SECONDS, signs: Signs = UNICODE
) -> Status:
    """Return the status of a session; without ``now`` (microseconds) none is quiet."""
    if not session.thought_count and session.state is State.THINKING:
        return Status(signs.expected, "waiting", Role.MUTED)
    is_quiet = now is not None and now - last_activity(session) > stale_seconds * 1_000_000
    asking = session.open_question and session.open_question.kind
    is_auditing = session.running_audit is not None
    return status_of(session.state, signs, is_quiet=is_quiet, asking=asking, is_auditing=is_auditing)


def compact_statuses(
    session: Session, *, now: int | None, stale_seconds: int = STALE_SECONDS, signs: Signs = UNICODE
) -> list[Span]:
    """Return the forms of the status, the longest first: ``● thinking 12s``, ``● 12s``, ``●``."""
    shown, newest = session_status(session, now, stale_seconds, signs), last_activity(session)
    age = units.age(now, newest) if now is not None and newest else shown.word
    wordy = _with_age(shown.word, newest, now)
    return [Span(text, shown.role) for text in (f"{shown.sign} {wordy}", f"{shown.sign} {age}", shown.sign)]


def _wide(session: Session, cells: int, states: list[str], role: Role, signs: Signs, extra: Spans) -> Spans:
    name, client = (
        session_name(session),
        one_line(session.session_event.client.name if session.session_event and session.session_event.client else ""),
    )
    counts = (
        (session.agent_count, "sub-agent"),
        (session.branch_count, "branch"),
        (session.revision_count, "revision"),
    )
    facts = [units.count(number, noun) for number, noun in counts if number]
    title = f"{name} {signs.separator} {client}" if client and client != name else name
    rest = session_progress(session)
    end = (spans_width(extra) + 3 if extra else 0) + 1
    for head, kept in ((title, facts), (title, facts[:1]), (title, []), (name, [])):
        parts = [part for part in (head, rest, *kept) if part]
        if width("   ".join([states[0], *parts])) + end <= cells:
            break
    else:
        room = cells - width(f"{states[0]}      {rest}") - end
        parts = [cut(name, room, signs.ellipsis), rest] if room >= MIN_NAME_CELLS else [rest]
        kept = []
    spans = [Span(states[0], role)]
    for number, part in enumerate(part for part in parts if part):
        spans += [Span("   "), Span(part, Role.TEXT if number < len(parts) - len(kept) else Role.MUTED)]
    if spans_width(spans) + end > cells:
        extra = []
    return spread(spans, [*extra, Span(" ")], cells)


def _narrow(session: Session, cells: int, states: list[str], role: Role, signs: Signs, extra: Spans) -> Spans:
    rest = session_progress(session)
    state = next((state for state in states if width(state) + 1 + width(rest) <= cells), "")
    if not state:
        rest = rest.replace(" of ", "/")
        state = cut(states[1], max(1, cells - width(rest) - 1), signs.ellipsis)
    room = cells - width(state) - width(rest) - 4
    # `extra` is news about the journal, which matters more than the session's name
    name = spans_text(extra) or cut(session_name(session), min(room, 12 if cells < 44 else room), signs.ellipsis)
    left = [Span(state, role)]
    if name and room > 3:
        left.append(
            Span(f" {signs.separator} {cut(name, room, signs.ellipsis)}", extra[0].role if extra else Role.MUTED)
        )
    return spread(left, [Span(rest)], cells)


def _with_age(word: str, newest: int, now: int | None) -> str:
    if now is None or not newest:
        return word
    age = units.age(now, newest)
    if word in {State.DONE, State.STOPPED, State.LOST} and age != "now" and "-" not in age:
        return f"{word} {age} ago" if word == State.DONE else f"{word} {age}"
    return f"{word} {age}"
