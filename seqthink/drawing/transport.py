"""The first line of the screen while the playhead says what is shown (screens.md, "(e)")."""

from datetime import tzinfo

from seqthink.chain.session import Session
from seqthink.drawing import words
from seqthink.drawing.cells import cut, width
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.layout import NARROW
from seqthink.drawing.spans import Role, Span, Spans, spans_width, spread
from seqthink.drawing.state_line import LEAST_NAME, session_name
from seqthink.text import one_line


def speed_in_words(speed: float, signs: Signs) -> str:
    """Return ``4×``."""
    return f"{speed:g}{signs.times}"


def lone_transport(*, is_playing: bool) -> Span:
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

    It shortens as the state line does: the client goes first, then the name. ``is_live`` means that the session still
    grows, and the present is a key away.
    """
    state = lone_transport(is_playing=is_playing)
    moment = whole.moment_at(session.entries)
    clock = words.clock(moment, zone) if moment else ""
    pace = speed_in_words(speed, signs)
    place = f"{session.length} of {whole.length}"
    if cells < NARROW:
        return _narrow(state, pace, place, clock, cells, signs)
    right = Span("live, in the past " if is_live else "replay ", Role.NOTE if is_live else Role.MUTED)
    client = one_line(session.info.client.name if session.info and session.info.client else "")
    name = session_name(session)
    whose = f"{name} {signs.separator} {client}" if client and client != name else name
    rest = [f"thought {place}", clock]
    room = cells - spans_width([state, right]) - 1
    for head in (whose, name, cut(name, max(LEAST_NAME, room - width("   ".join([pace, "", *rest])) - 3), signs.cut)):
        parts = [part for part in (pace, head, *rest) if part]
        if width("".join(f"   {part}" for part in parts)) <= room:
            break
    else:
        parts = [pace, *rest]
    return spread([state, Span("".join(f"   {part}" for part in parts))], [right], cells)


def _narrow(state: Span, pace: str, place: str, clock: str, cells: int, signs: Signs) -> Spans:
    lefts = [f" {pace} {signs.separator} {place}", f" {signs.separator} {place}"]
    left = next((left for left in lefts if width(state.text + left) + 1 + width(clock) <= cells), "")
    if left:
        return spread([state, Span(left)], [Span(clock)], cells)
    return spread([Span(cut(f"{state.text} {place}", cells, signs.cut), state.role)], [], cells)
