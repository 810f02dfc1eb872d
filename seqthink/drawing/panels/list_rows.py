"""Rows of lists to choose from: sessions, newest first (docs/screens.md, "Sessions"), and commands of the palette."""

from collections.abc import Sequence
from itertools import islice

from seqthink.chain.state import STALE_SECONDS, State
from seqthink.drawing.describe import units
from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.describe.status import Status, status_of
from seqthink.drawing.rows.sparkline import MAX_SPARKLINE_CELLS
from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spans_width, spread
from seqthink.drawing.text.wrap import wrap
from seqthink.text import SafeText, one_line

STATE_CELLS, NAME_CELLS, COUNT_CELLS = 14, 13, 6
"""Widths of the columns."""
NARROW_STATE_CELLS = 11
PREVIEW_LINES = 3
MIN_TITLE_CELLS = 16
"""Cells that the title gets before the client is shown."""


def session_list_heading(live: int, older: int, cells: int, *, right: Spans, signs: Signs = UNICODE) -> Spans:
    """Return the first line: how many sessions are live, how many older, and ``right`` at its end."""
    counts = (
        f"{live} live {signs.separator} {older} older"
        if live and older
        else f"{live} live"
        if live
        else f"{older} older"
    )
    text = counts if live + older else "none yet"
    return clip(spread([Span(" Sessions", Role.ACCENT), Span(f"   {text}")], [*right, Span(" ")], cells), cells)


def session_row(
    listed: ListedSession,
    cells: int,
    *,
    now: int,
    stale_seconds: int = STALE_SECONDS,
    signs: Signs = UNICODE,
    is_selected: bool = False,
) -> Spans:
    """Return one row in exactly ``cells`` cells; facts not counted yet stay blank.

    Args:
        listed: the session.
        cells: width of the row.
        now: the current time, in microseconds since 1970.
        stale_seconds: seconds without a thought after which a thinking session counts as quiet.
        signs: the character set.
        is_selected: whether the row is selected.
    """
    cursor = Span(signs.selected, Role.ACCENT) if is_selected else Span(" ")
    draw = _narrow if cells < NARROW_BELOW_CELLS else _wide
    return clip([cursor, *draw(listed, cells - 1, _state(listed, now, stale_seconds, signs), signs)], cells)


def _wide(listed: ListedSession, cells: int, state: Span, signs: Signs) -> Spans:
    spans = [
        Span(pad(state.text, STATE_CELLS), state.role),
        Span(_column(listed.name, signs)),
    ]
    right = MAX_SPARKLINE_CELLS + COUNT_CELLS + 3
    if cells - STATE_CELLS - 2 * NAME_CELLS - right >= MIN_TITLE_CELLS:
        spans.append(Span(_column(listed.client, signs), Role.MUTED))
    room = cells - spans_width(spans) - right
    count = f"{'>' if listed.is_cut else ''}{listed.thoughts}" if listed.is_counted else ""
    return [
        *spans,
        Span(_padded(listed.title, room, signs)),
        Span("  "),
        *_right_aligned(listed.sparkline, MAX_SPARKLINE_CELLS),
        Span(f"{count:>{COUNT_CELLS}} ", Role.MUTED),
    ]


def _narrow(listed: ListedSession, cells: int, state: Span, signs: Signs) -> Spans:
    room = cells - NARROW_STATE_CELLS - MAX_SPARKLINE_CELLS - 1
    return [
        Span(pad(state.text, NARROW_STATE_CELLS), state.role),
        Span(_padded(listed.name, room, signs)),
        Span(" "),
        *_right_aligned(listed.sparkline, MAX_SPARKLINE_CELLS),
    ]


def _state(listed: ListedSession, now: int, stale: int, signs: Signs) -> Span:
    """Return sign and age; a word only where the sign alone is ambiguous."""
    age = units.age(now, listed.last_change)
    if listed.state is State.UNKNOWN and not listed.is_counted:
        return Span(f"  {age}", Role.MUTED)
    shown = status_of(listed.state, signs, is_quiet=now - listed.last_change > stale * 1_000_000)
    return Span(f"{shown.sign} {_word(listed.state, shown)}{age}", shown.role)


def _word(state: State, shown: Status) -> str:
    is_plain = state in {State.DONE, State.STOPPED} or (state is State.THINKING and shown.word == "thinking")
    return "" if is_plain else f"{shown.word} "


def _column(text: SafeText, signs: Signs) -> str:
    return _padded(text, NAME_CELLS - 1, signs) + " "


def _padded(text: str, cells: int, signs: Signs) -> str:
    shown = cut(text, cells, signs.ellipsis)
    return shown + " " * (cells - width(shown))


def _right_aligned(spans: Sequence[Span], cells: int) -> Spans:
    return [Span(" " * max(0, cells - spans_width(spans))), *spans]


def session_preview(listed: ListedSession | None, cells: int, signs: Signs = UNICODE) -> list[Spans]:
    """Return the `PREVIEW_LINES` that say what narrow rows have no room for: client, number of thoughts, title."""
    count = f"{listed.thoughts}" if listed is not None and listed.is_counted else ""
    left = [Span(f"{signs.rule * 2} ", Role.LINE), Span(str(listed.client) if listed is not None else "")]
    title = islice(wrap(listed.title, cells - 2), PREVIEW_LINES - 1) if listed is not None else ()
    return [rule(left, count, cells, signs), *([Span(" "), Span(line)] for line in title)]


def session_list_keys(right: Span, cells: int) -> Spans:
    """Return the last line: the keys, and ``right`` at its end."""
    spans: Spans = [Span(" ")]
    for key, does in (("Enter", "open"), ("x", "export"), ("y", "copy id"), ("Esc", "back")):
        spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
    return spread(spans, [right, Span(" ")], cells)


def empty_list_lines(folder: str, cells: int, *, is_filtered: bool, signs: Signs = UNICODE) -> list[Spans]:
    """Return the text shown instead of an empty list."""
    if is_filtered:
        return [[], [Span(" Nothing matches. Esc shows them all.", Role.MUTED)]]
    return [
        [],
        [Span(" No sessions yet. Each agent that calls", Role.MUTED)],
        [Span(" `seqthink serve` gets one, in", Role.MUTED)],
        [Span(" " + cut(folder, cells - 2, signs.ellipsis), Role.MUTED)],
    ]


def command_row(
    name: str, hint: str, match_positions: Sequence[int], cells: int, *, signs: Signs, is_selected: bool = False
) -> Spans:
    """Return a command in exactly ``cells`` cells; the characters at ``match_positions`` are bold.

    The name is cut before the key is.
    """
    name, hint = one_line(name), one_line(hint)
    cursor = Span(signs.selected, Role.ACCENT) if is_selected else Span(" ")
    shown = cut(name, cells - 2 - (width(hint) + 2 if hint else 0), signs.ellipsis)
    matched = {index for index in match_positions if index < len(shown)}
    spans = [Span(sign, Role.ACCENT, BOLD) if at in matched else Span(sign) for at, sign in enumerate(shown)]
    return clip(spread([cursor, *spans], [Span(f"{hint} ", Role.MUTED)], cells), cells)
