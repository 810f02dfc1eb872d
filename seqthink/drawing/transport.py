"""The first line of the screen while the playhead says what is shown (screens.md, "(e)")."""

from collections.abc import Iterator
from datetime import tzinfo

from seqthink.chain.session import Session
from seqthink.drawing import words
from seqthink.drawing.cells import cut, width
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.spans import Role, Span, Spans, spans_text, spans_width, spread
from seqthink.drawing.status_line import MIN_NAME_CELLS, session_name
from seqthink.text import one_line

LineEnds = tuple[Spans, Spans]
"""What stands at the left end, and at the right one."""


def speed_text(speed: float, signs: Signs) -> str:
    """Return ``4×``."""
    return f"{speed:g}{signs.times}"


def playback_state(*, is_playing: bool) -> Span:
    """Return ``playing`` or ``paused``."""
    return Span("playing" if is_playing else "paused", Role.GOOD if is_playing else Role.ACCENT)


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
    """Return the line in exactly ``cells`` cells: playing or paused, speed, place, and the journal's own clock.

    It shortens as the state line does: the client goes first, then the name; the place is never dropped. ``is_live``
    means that the session still grows, and the present is a key away.
    """
    state = playback_state(is_playing=is_playing)
    moment = whole.time_at(session.entry_count)
    clock = words.clock(moment, zone) if moment else ""
    pace = speed_text(speed, signs)
    lines: list[LineEnds] = []
    if cells >= NARROW_BELOW_CELLS:
        label = Span("live, in the past ", Role.NOTE) if is_live else Span("replay ", Role.MUTED)
        facts = [f"thought {session.thought_count} of {whole.thought_count}", clock]
        room = cells - width("   ".join([state.text, pace, "", *facts])) - width(label.text) - 1
        heads = [head for head in _names(session, room, signs) if width(head) <= room]
        lines = [([state, _in_line(pace, *heads[:1], *facts)], [label]), ([state, _in_line(pace, *facts)], [])]
    lines += _narrow(state, pace, session.thought_count, whole.thought_count, clock, signs)
    least: LineEnds = ([Span(cut(spans_text(lines[-1][0]), cells, signs.ellipsis), state.role)], [])
    left, right = next((line for line in lines if _fits(line, cells)), least)
    return spread(left, right, cells)


def _fits(line: LineEnds, cells: int) -> bool:
    left, right = line
    return spans_width([*left, *right]) + bool(right) <= cells


def _names(session: Session, room: int, signs: Signs) -> list[str]:
    """Return what the session may be called, the longest first."""
    name = session_name(session)
    client = one_line(
        session.session_event.client.name if session.session_event and session.session_event.client else ""
    )
    whose = f"{name} {signs.separator} {client}" if client and client != name else name
    return [whose, name, *([cut(name, room, signs.ellipsis)] if room >= MIN_NAME_CELLS else [])]


def _in_line(*parts: str) -> Span:
    return Span("".join(f"   {part}" for part in parts if part))


def _narrow(state: Span, pace: str, shown: int, whole: int, clock: str, signs: Signs) -> Iterator[LineEnds]:
    """Yield the line as a narrow screen has it, the fullest first."""
    place, right = f"{shown} of {whole}", [Span(clock)] if clock else []
    yield [state, Span(f" {pace} {signs.separator} {place}")], right
    yield [state, Span(f" {signs.separator} {place}")], right
    yield [state, Span(f" {signs.separator} {place}")], []
    yield [state, Span(f" {place}")], []
    yield [state, Span(f" {shown}/{whole}")], []
    yield [Span(f"{shown}/{whole}", state.role)], []
