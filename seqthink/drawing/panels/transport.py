"""The transport line: the first line of the screen while a session is replayed (docs/screens.md, "Replay")."""

from collections.abc import Iterator
from datetime import tzinfo

from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.describe.context_use import gauge_spans
from seqthink.drawing.describe.session import length_of, session_name, session_title
from seqthink.drawing.panels.status_line import MIN_NAME_CELLS
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, spans_text, spans_width, spread

LineEnds = tuple[Spans, Spans]
"""The spans at the left end and at the right end of a line."""


def speed_text(speed: float, signs: Signs) -> str:
    """Return a playback speed, such as ``4×``."""
    return f"{speed:g}{signs.times}"


def playback_state(*, is_playing: bool, is_over: bool = False) -> Span:
    """Return ``playing`` or ``paused``; of a replay that is over, ``ended``."""
    if is_playing:
        return Span("playing", Role.GOOD)
    return Span("ended", Role.MUTED) if is_over else Span("paused", Role.ACCENT)


def position_words(session: Session, whole: Session, *, is_brief: bool = False) -> str:
    """Return how far the playhead is in calls of the thinking tool: ``thought 7 of 11``; at the end ``11 thoughts``.

    What has nothing but native reasoning counts by its rows: ``row 7 of 11``.
    """
    has_calls = bool(whole.native.call_count)
    shown, total = (one.native.call_count if has_calls else one.thought_count for one in (session, whole))
    if session.entry_count >= whole.entry_count:
        return length_of(whole)
    return f"{shown} of {total}" if is_brief else f"{position_unit(whole)} {shown} of {total}"


def position_unit(whole: Session) -> str:
    """Return what a session's positions count: its thoughts; without calls of the thinking tool its rows."""
    return "thought" if whole.native.call_count else "row"


def transport_line(
    session: Session,
    whole: Session,
    cells: int,
    *,
    zone: tzinfo,
    signs: Signs,
    speed: float,
    is_playing: bool,
    is_live: bool = False,
) -> Spans:
    """Return the line in exactly ``cells`` cells: playing or paused, speed, position, and the journal's clock.

    It shortens as the status line does: first the client is dropped, then the name; the position never is. With
    ``is_live`` the session is still growing, and the line says that it shows the past.
    """
    is_over = not is_live and session.entry_count >= whole.entry_count
    state = playback_state(is_playing=is_playing, is_over=is_over)
    time = whole.positions.time_at(session.entry_count)
    clock = units.clock(time, zone) if time else ""
    speed_label = speed_text(speed, signs)
    lines: list[LineEnds] = []
    if cells >= NARROW_BELOW_CELLS:
        label = Span("live, in the past ", Role.NOTE) if is_live else Span("replay ", Role.MUTED)
        facts = [position_words(session, whole), clock]
        room = cells - width("   ".join([state.text, speed_label, "", *facts])) - width(label.text) - 1
        heads = [head for head in _names(session, room, signs) if width(head) <= room]
        whole_line = [state, _joined(speed_label, *heads[:1], *facts)]
        lines = [
            *(([*whole_line, Span("   "), form], [label]) for form in gauge_spans(session, signs)),
            (whole_line, [label]),
            ([state, _joined(speed_label, *facts)], []),
        ]
    lines += _narrow(state, speed_label, position_words(session, whole, is_brief=True), clock, signs)
    shortest: LineEnds = ([Span(cut(spans_text(lines[-1][0]), cells, signs.ellipsis), state.role)], [])
    left, right = next((line for line in lines if _fits(line, cells)), shortest)
    return spread(left, right, cells)


def _fits(line: LineEnds, cells: int) -> bool:
    left, right = line
    return spans_width([*left, *right]) + bool(right) <= cells


def _names(session: Session, room: int, signs: Signs) -> list[str]:
    """Return the possible names of the session, the longest first."""
    name = session_name(session)
    title = session_title(name, session.session_event, signs.separator)
    return [title, name, *([cut(name, room, signs.ellipsis)] if room >= MIN_NAME_CELLS else [])]


def _joined(*parts: str) -> Span:
    return Span("".join(f"   {part}" for part in parts if part))


def _narrow(state: Span, speed_label: str, progress: str, clock: str, signs: Signs) -> Iterator[LineEnds]:
    """Yield the variants for a narrow screen, the fullest first."""
    right, shortest = [Span(clock)] if clock else [], progress.replace(" of ", "/").partition(" ")[0]
    yield [state, Span(f" {speed_label} {signs.separator} {progress}")], right
    yield [state, Span(f" {signs.separator} {progress}")], right
    yield [state, Span(f" {signs.separator} {progress}")], []
    yield [state, Span(f" {progress}")], []
    yield [state, Span(f" {shortest}")], []
    yield [Span(shortest, state.role)], []
