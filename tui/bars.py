"""The lines at the top and the bottom of the screen: how the session stands, and which keys there are."""

from seqthink.drawing.cells import cut
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.spans import Role, Span, Spans, spans_width, spread
from seqthink.drawing.state_line import replay_line, state_line
from seqthink.drawing.words import count
from tui.arrangement import WIDE
from tui.settings import Settings
from tui.shown import Shown


def state_spans(shown: Shown, settings: Settings, width: int) -> Spans:
    """Return the state line in ``width`` cells."""
    session, signs = shown.viewing.session, settings.signs
    if shown.is_opening:
        return _opening(shown, signs, width)
    if session is None:
        return _empty(shown, signs, width)
    if settings.is_replay:
        return replay_line(session, shown.feed.session, width, zone=settings.zone, signs=signs)
    extra = _extra(shown, session.unread, session.corrupt, signs, is_wide=width >= WIDE)
    return state_line(session, width, now=settings.clock(), stale=settings.stale, signs=signs, extra=extra)


def _opening(shown: Shown, signs: Signs, width: int) -> Spans:
    if shown.viewing.session is None:
        return []
    far = Span(f"{signs.expected} {shown.feed.opening.replace('…', signs.cut)}", Role.ACCENT)
    return spread([far], [Span(f"{count(shown.viewing.session.length, 'thought')} ", Role.MUTED)], width)


def _empty(shown: Shown, signs: Signs, width: int) -> Spans:
    if not shown.feed.is_empty:
        return []
    left = [Span(f"{signs.expected} waiting", Role.MUTED)]
    if shown.feed.remark:
        left.append(Span(f" {signs.separator} {shown.feed.remark}", Role.WARN))
    return spread(left, [Span("no session now" if shown.last else "0 sessions", Role.MUTED)], width)


def _extra(shown: Shown, unread: int, corrupt: int, signs: Signs, *, is_wide: bool) -> Spans:
    remarks = [shown.feed.remark] if shown.feed.remark else []
    remarks += [f"new: {shown.newer}"] if shown.newer else []
    remarks += [f"{count(corrupt, 'line')} corrupt"] if corrupt else []
    remarks += [f"{count(unread, 'line')} unread"] if unread else []
    spans = [Span(f" {signs.separator} ".join(remarks), Role.WARN)] if remarks else []
    live = [Span(f"+{shown.live} live", Role.MUTED)] if shown.live and is_wide else []
    return [*spans, Span("   "), *live] if spans and live else spans + live


def standing(shown: Shown, signs: Signs) -> str:
    """Return what there is to say besides the keys: how search and filter stand, or how many thoughts are new."""
    news = shown.viewing.news
    return shown.find.status(shown.viewing.thought, signs.cut) or (f"{news} new {signs.separator} f" if news else "")


def key_spans(shown: Shown, settings: Settings, width: int) -> Spans:
    """Return the line of keys in ``width`` cells: the line that is typed into, else the keys of the moment."""
    signs = settings.signs
    if shown.find.field is not None:
        return shown.find.line(shown.viewing.thought, width, signs.cut)
    spans: Spans = [Span(" ")]
    for key, does in _keys_of_text(shown, signs) if shown.is_reading else _keys_of_tree(shown, signs):
        spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
    right = Span(shown.said, Role.GOOD) if shown.said else Span(_follows(shown, settings), Role.MUTED)
    if spans_width([*spans, right]) >= width:
        spans, right = [], Span(cut(right.text, width - 2, signs.cut), right.role)
    return spread(spans, [right, Span(" ")], width)


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


def _follows(shown: Shown, settings: Settings) -> str:
    if settings.is_replay:
        return ""
    if shown.viewing.is_following and not shown.find.is_on:
        return "following"
    return standing(shown, settings.signs) or "held"
