"""The lines at the top and the bottom of the screen: how the session stands, and which keys there are."""

from seqthink.chain.model import NONE
from seqthink.drawing.cells import cut
from seqthink.drawing.compact_status import compact_status_line
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.spans import Role, Span, Spans, spans_text, spans_width, spread
from seqthink.drawing.status_line import compact_statuses, session_progress, status_line
from seqthink.drawing.transport import playback_state, transport_line
from seqthink.drawing.words import count
from seqthink.text import first_line
from tui.arrangement import WIDE
from tui.settings import Settings
from tui.shown import Shown
from tui.watching import Beside

MOST_NAME = 16
"""Cells for the name of a session that is not the one shown."""
LEAST_FOR_BESIDE = 80
"""Cells of a state line that has room for two sessions."""


def state_spans(shown: Shown, settings: Settings, width: int) -> Spans:
    """Return the state line in ``width`` cells."""
    session, signs = shown.viewing.session, settings.signs
    if shown.is_opening:
        return _opening(shown, signs, width)
    if session is None:
        return _empty(shown, signs, width)
    if shown.has_playhead:
        return transport_line(
            session,
            shown.feed.session,
            width,
            zone=settings.zone,
            signs=signs,
            speed=shown.playback.speed,
            is_playing=shown.playback.is_playing,
            is_live=shown.is_past,
        )
    extra = _extra(shown, session.unknown_count, session.corrupt_count, signs, width)
    return status_line(session, width, now=settings.clock(), stale_seconds=settings.stale, signs=signs, extra=extra)


def lone_spans(shown: Shown, settings: Settings, width: int) -> Spans:
    """Return the state line of a screen with room for nothing else: it also tells the thought that is selected."""
    viewing, texts, signs = shown.viewing, shown.feed.texts, settings.signs
    session = viewing.session
    if session is None or texts is None or shown.is_opening:
        return state_spans(shown, settings, width)
    said = shown.said or shown.feed.remark
    text = Span(said, Role.GOOD if shown.said else Role.WARN)
    if not said and viewing.thought != NONE:
        text = Span(first_line(texts.row_text(viewing.thought)))
    if shown.has_playhead:
        states = [playback_state(is_playing=shown.playback.is_playing)]
        far = f"{session.thought_count} of {shown.feed.session.thought_count}"
    else:
        states = compact_statuses(session, now=settings.clock(), stale_seconds=settings.stale, signs=signs)
        far = session_progress(session)
    return compact_status_line(states, far, text, standing(shown, signs, 0), width, signs)


def _opening(shown: Shown, signs: Signs, width: int) -> Spans:
    if shown.viewing.session is None:
        return []
    far = Span(f"{signs.expected} {shown.feed.opening.replace('…', signs.ellipsis)}", Role.ACCENT)
    return spread([far], [Span(f"{count(shown.viewing.session.thought_count, 'thought')} ", Role.MUTED)], width)


def _empty(shown: Shown, signs: Signs, width: int) -> Spans:
    if not shown.feed.is_empty:
        return []
    left = [Span(f"{signs.expected} waiting", Role.MUTED)]
    if shown.feed.remark:
        left.append(Span(f" {signs.separator} {shown.feed.remark}", Role.WARN))
    right = "" if shown.feed.path is not None else "no session now" if shown.last else "0 sessions"
    return spread(left, [Span(right, Role.MUTED)], width)


def _extra(shown: Shown, unread: int, corrupt: int, signs: Signs, width: int) -> Spans:
    is_wide = width >= WIDE
    remarks = [shown.feed.remark] if shown.feed.remark else []
    remarks += [f"new: {shown.newer}"] if shown.newer and shown.beside is None else []
    remarks += [f"{count(corrupt, 'line')} corrupt"] if corrupt else []
    remarks += [f"{count(unread, 'line')} unread"] if unread else []
    spans = [Span(f" {signs.separator} ".join(remarks), Role.WARN)] if remarks else []
    if not spans and not is_wide and shown.notes.waiting:
        return [Span(shown.notes.standing(signs), Role.NOTE)]  # a wide screen has a place for it at the bottom
    beside = shown.beside if width >= LEAST_FOR_BESIDE else None
    others = shown.live - (beside is not None and beside.is_live)
    live = [Span(f"+{others} live", Role.MUTED)] if others and is_wide else []
    parts = [part for part in (spans, _beside(beside, signs), live) if part]
    return [span for number, part in enumerate(parts) for span in ([Span("   ")] if number else []) + part]


def _beside(beside: Beside | None, signs: Signs) -> Spans:
    """Return another session's name and state, and the key that goes there."""
    if beside is None:
        return []
    name, state, separator = cut(beside.name, MOST_NAME, signs.ellipsis), beside.standing, f" {signs.separator} "
    spans = [Span(f"{name} "), Span(state.word, state.role), Span(separator, Role.MUTED)]
    return [*spans, Span("s", Role.ACCENT), Span(" sessions", Role.MUTED)]


def standing(shown: Shown, signs: Signs, width: int, *, with_notes: bool = True) -> str:
    """Return what there is to say besides the keys: how search and filter stand, or what waits and what is new.

    On a narrow screen that is also another session's state, for which the state line has no room.
    """
    news, beside = shown.arrived, spans_text(_beside(shown.beside, signs)) if width < LEAST_FOR_BESIDE else ""
    parts = (
        shown.notes.standing(signs) if with_notes else "",
        f"{news} new {signs.separator} f" if news else "",
        beside.removesuffix(" sessions"),
    )
    return shown.find.status(shown.viewing, signs.ellipsis) or f" {signs.separator} ".join(filter(None, parts))


def key_spans(shown: Shown, settings: Settings, width: int) -> Spans:
    """Return the line of keys in ``width`` cells: the line that is typed into, else the keys of the moment."""
    signs = settings.signs
    if shown.find.field is not None:
        return shown.find.line(shown.viewing, width, signs.ellipsis)
    right = [Span(shown.said, Role.GOOD)] if shown.said else _standing_right(shown, signs, width)
    keys = _keys(shown, signs)
    # where what is said needs the room, the keys go; the last to go is the one that explains all
    while keys and spans_width([*_named(keys), *right]) >= width:
        del keys[-2:-1]
        if len(keys) == 1:
            keys = []
    if not keys:
        right = [Span(cut(spans_text(right), width - 2, signs.ellipsis), right[0].role)]
    return spread(_named(keys), [*right, Span(" ")], width)


def note_line(shown: Shown, settings: Settings, width: int) -> Spans:
    """Return the note that is typed, on the one line that a small screen has for it."""
    if shown.notes.field is None or shown.said:
        return key_spans(shown, settings, width)
    return shown.notes.field.spans(f" {settings.signs.note} ", width)


def _named(keys: list[tuple[str, str]]) -> Spans:
    spans: Spans = [Span(" ")]
    for key, does in keys:
        spans += [Span(key, Role.ACCENT), Span(f" {does}  " if does else "  ", Role.MUTED)]
    return spans


def _keys(shown: Shown, signs: Signs) -> list[tuple[str, str]]:
    if shown.notes.field is not None:
        return [("Enter", "send"), ("Esc", "close, keep the draft")]
    if shown.is_reading:
        return _keys_of_text(shown, signs)
    return _keys_of_time(shown) if shown.has_playhead else _keys_of_tree(shown, signs)


def _keys_of_time(shown: Shown) -> list[tuple[str, str]]:
    return [
        ("Space", "pause" if shown.playback.is_playing else "play"),
        (", .", "step"),
        ("[ ]", "marks"),
        *([("0–9", "tenths")] if shown.is_replay else []),
        ("< >", "speed"),
        ("Home End", ""),
        ("t", "tree" if shown.viewing.is_timeline else "timeline"),
        ("?", "keys"),
    ]


def _keys_of_tree(shown: Shown, signs: Signs) -> list[tuple[str, str]]:
    keys = signs.keys
    return [
        (f"{keys['up']}{keys['down']}", "move"),
        (f"{keys['left']}{keys['right']}", "fold"),
        ("Enter", "read"),
        ("r", "revised/by"),
        ("/", "search"),
        ("t", "tree" if shown.viewing.is_timeline else "timeline"),
        ("s", "sessions"),
        *([("i", "note")] if shown.feed.session.is_alive else []),
        ("?", "keys"),
    ]


def _keys_of_text(shown: Shown, signs: Signs) -> list[tuple[str, str]]:
    keys = signs.keys
    return [
        (f"{keys['up']}{keys['down']}", "scroll"),
        ("m", "rendered" if shown.is_raw else "raw"),
        ("d", "texts" if shown.is_diff else "diff"),
        ("y", "copy"),
        ("o", "editor"),
        ("/", "search"),
        ("Esc", "back"),
        ("?", "keys"),
    ]


def _standing_right(shown: Shown, signs: Signs, width: int) -> Spans:
    is_at_rest = not shown.find.is_on
    waiting = standing(shown, signs, width)
    if (shown.is_replay and is_at_rest) or not (width >= WIDE or waiting):
        return [Span("q", Role.ACCENT), Span(f" {way_back(shown)}", Role.MUTED)]
    is_with_it = shown.viewing.is_following and not shown.is_past and is_at_rest
    role = Role.NOTE if shown.notes.waiting and is_at_rest else Role.MUTED
    return [Span(waiting or ("following" if is_with_it else "held"), role)]


def way_back(shown: Shown) -> str:
    """Return what ``q`` does: it quits where nothing is open that it would leave."""
    session, thought = shown.viewing.session, shown.viewing.thought
    is_on_diff = shown.is_diff and session is not None and thought != NONE and session.target_of(thought) != NONE
    return "back" if shown.is_reading or shown.is_text_active or is_on_diff or shown.find.is_on else "quit"
