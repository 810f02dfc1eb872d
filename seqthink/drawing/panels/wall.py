"""The first and the last line of the wall, and what it says while there is nothing to show (docs/screens.md)."""

from collections.abc import Sequence

from msgspec import Struct

from seqthink.chain.overview.states import ShownState, counts_by_state
from seqthink.drawing.describe.status import counts_spans, state_status
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spans_width, spread
from seqthink.drawing.text.wrap import wrap


class WallCount(Struct, frozen=True, kw_only=True):
    """How many sessions there are, and how many of them the page does not show."""

    states: tuple[ShownState, ...] = ()
    """The state of each session."""
    page: int = 0
    """The page, counted from 0."""
    pages: int = 1
    hidden: int = 0
    """Sessions on other pages."""
    needing: int = 0
    """Of these, how many need the person."""
    wanted: str = ""
    """The filter of sessions, as it was typed; empty if all are shown."""
    trouble: str = ""
    """Why what is shown may be old, in words."""


def wall_heading(count: WallCount, cells: int, signs: Signs) -> Spans:
    """Return the first line: how many sessions need, think and are done, and what other pages hold."""
    wordy = _counts(count.states, signs, has_words=True)
    brief = _counts(count.states, signs, has_words=False)
    right, short = _other_pages(count, signs), _other_pages(count, signs, is_short=True)
    numbers: Spans = [*short[:-1], Span(f"{count.page + 1}/{count.pages} ", Role.MUTED)] if short else []
    ends = [right, short, numbers, []]
    if count.wanted:
        ends.insert(0, [Span(f"& {cut(count.wanted, cells // 3, signs.ellipsis)}   ", Role.ACCENT), *right])
    if count.trouble:
        trouble: Spans = [Span(f"{signs.refused} {count.trouble} ", Role.BAD)]
        ends = [trouble + right, trouble]
    for left, end in ((wordy, ends[0]), *((brief, end) for end in ends)):
        if spans_width(left) + spans_width(end) + 1 <= cells:
            return spread(left, end, cells)
    if count.trouble:
        return [Span(cut(f"{signs.refused} {count.trouble}", cells, signs.ellipsis), Role.BAD)]
    return clip(brief, cells)


def _counts(states: Sequence[ShownState], signs: Signs, *, has_words: bool) -> Spans:
    """Return how many sessions are in each state, in words or by sign alone."""
    spans: Spans = [Span(" Wall", Role.ACCENT)]
    if not states:
        return [*spans, Span("   none yet", Role.MUTED)]
    if not has_words:
        brief = [Span("  "), *counts_spans(states, signs, gap="  ")]
        return [*spans, *(span._replace(face=BOLD) for span in brief)]
    for state, number in counts_by_state(states).items():
        shown = state_status(state, signs)
        spans += [Span("   "), Span(f"{shown.sign}{number}", shown.role, BOLD), Span(f" {shown.word}", shown.role)]
    return spans


def _other_pages(count: WallCount, signs: Signs, *, is_short: bool = False) -> Spans:
    if count.pages < 2:
        return []
    page = f"{count.page + 1}/{count.pages}" if is_short else f"page {count.page + 1} of {count.pages}"
    needing = f"{signs.attention}{count.needing}"
    spans: Spans = [Span(f"{needing} " if is_short else f"{needing} on another page   ", Role.WARN, BOLD)]
    hidden = "" if is_short else f"{count.hidden} more {signs.separator} "
    return [*(spans if count.needing else []), Span(f"{hidden}{page} {signs.separator} PgDn ", Role.MUTED)]


def wall_keys(keys: Sequence[tuple[str, str]], right: Span, cells: int) -> Spans:
    """Return the last line: as many keys as there is room for, and ``right`` at its end."""
    spans: Spans = [Span(" ")]
    room = cells - (width(right.text) + 2 if right.text else 0)
    for key, meaning in keys:
        entry = [Span(key, Role.ACCENT), Span(f" {meaning}  ", Role.MUTED)]
        if spans_width(spans) + spans_width(entry) - 2 > room:
            break
        spans += entry
    return spread(clip(spans, room), [right, Span(" ")], cells) if right.text else clip(spans, cells)


def empty_wall_lines(cells: int) -> list[Spans]:
    """Return what the wall says while there is nothing to show."""
    sentences = (
        "Nothing is going on: the wall waits for an agent that thinks.",
        "It shows the sessions that are live, and those that changed in the last ten minutes.",
        "s lists the earlier ones.",
    )
    return [[], *([Span(f" {line}", Role.MUTED)] for text in sentences for line in wrap(text, cells - 2))]
