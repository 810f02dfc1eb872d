"""The first line of the screen: the session's status, name and progress (docs/screens.md, "Narrow" and "Wide")."""

from collections.abc import Iterator

from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.describe.context_use import gauge_spans
from seqthink.drawing.describe.now_line import Present
from seqthink.drawing.describe.session import (
    counts_of,
    progress_and_branch,
    session_name,
    session_title,
)
from seqthink.drawing.describe.status import Status
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS, NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text, spans_width, spread

MIN_CELLS_BESIDE_COUNTS = 30
"""Cells that the session itself has beside the counts of others."""
MIN_NAME_CELLS = 6
"""Cells below which a name is not shown."""
MIN_NARROW_NAME_CELLS = 8
"""Cells of a name in a narrow line below which how full the context is is left out."""
MAX_BRANCH_CELLS, MAX_BRANCH_CELLS_NARROW = 24, 12
"""Width of the name of the branch whose progress is shown."""


def status_line(
    session: Session,
    cells: int,
    status: Status,
    *,
    words: str = "",
    signs: Signs = UNICODE,
    extra: Spans | None = None,
    counts: Spans | None = None,
    host: str = "",
) -> Spans:
    """Return the status line in exactly ``cells`` cells.

    When there is no room, the bar of the context is dropped first; then from the right revisions, branches, client and
    machine, what the context uses, name and ``extra``, then the branch that the count is of; state and count never are,
    the age only in the narrowest line.

    Args:
        session: the session.
        cells: width of the line.
        status: the session's status.
        words: the same with its age; empty leaves the age out.
        signs: the character set.
        extra: spans at the right end of a wide line, instead of the name in a narrow one.
        counts: how many other sessions there are, at the right end; from its end it gives way first.
        host: the machine of a fleet that the session runs on; a narrow line has no room for it.
    """
    is_narrow = cells < NARROW_BELOW_CELLS
    counts = list(counts or [])
    while counts and spans_width(counts) + MIN_CELLS_BESIDE_COUNTS > cells:
        counts = counts[:-2]
    own_cells = cells - spans_width(counts) - 1 if counts else cells
    states = [f"{status.sign} {word}" for word in (words or status.word, status.word)]
    name, (progress, branch) = session_name(session), progress_and_branch(session)
    branch = cut(branch, MAX_BRANCH_CELLS_NARROW if is_narrow else MAX_BRANCH_CELLS, signs.ellipsis)
    beside = width(states[1]) + 2 if is_narrow else width(states[0]) + 8
    if branch and width(branch) + width(progress) + beside <= own_cells:
        progress = f"{branch} {progress}"
    gauges = gauge_spans(session, signs)
    if is_narrow:
        own = _narrow(name, progress, own_cells, states, status.role, signs, extra or [], gauges)
    else:
        facts, title = counts_of(session), session_title(name, session.session_event, signs.separator, host)
        names = (title, f"{name} {signs.separator} {host}" if host else title, name)
        own = _wide(names, progress, facts, own_cells, states, status.role, signs, extra or [], gauges)
    own = clip(own, own_cells)
    if not counts:
        return own
    return [*own, Span(" "), *counts] if is_narrow else [*own, *counts, Span(" ")]


def compact_statuses(present: Present, now: int) -> list[Span]:
    """Return the forms of the status, the longest first: ``● thinking 12s``, ``● 12s``, ``●``."""
    status, since = present.status, present.standing.since
    age = units.age(now, since) if since else status.word
    return [Span(text, status.role) for text in (f"{status.sign} {present.words}", f"{status.sign} {age}", status.sign)]


def compact_status_line(states: list[Span], count: str, text: Span, right: str, cells: int, signs: Signs) -> Spans:
    """Return the status line of a screen with room for one line only, in exactly ``cells`` cells.

    Everything else is shortened before the thought gets less than its minimum width (docs/screens.md, "What gives way
    as width shrinks").

    Args:
        states: the session's status, the longest form first.
        count: the progress, as ``6 of ~8``.
        text: the thought.
        right: further text, shown where there is room.
        cells: width of the line.
        signs: the character set.
    """
    short = count.replace(" of ", "/")
    heads = [_compact_head(states[0], count), *(_compact_head(state, short) for state in states)]
    least = [MIN_TEXT_CELLS] * (len(heads) - 2) + [-1, -1]  # for the last two the trailing blank may be cut
    found = (head for head, room in zip(heads, least[-len(heads) :], strict=True) if cells - spans_width(head) >= room)
    head = next(found, heads[-1])
    room = cells - spans_width(head)
    tail = [Span(f" {right}", Role.MUTED)] if right and room - width(right) - 1 >= MIN_TEXT_CELLS else []
    shown = text._replace(text=cut(text.text, room - spans_width(tail), signs.ellipsis))
    return clip(spread([*head, shown], tail, cells), cells)


def _compact_head(state: Span, count: str) -> Spans:
    return [state, Span(f" {count} ", Role.MUTED)]


def _wide(
    names: tuple[str, str, str],
    progress: str,
    facts: list[str],
    cells: int,
    states: list[str],
    role: Role,
    signs: Signs,
    extra: Spans,
    gauges: list[Span],
) -> Spans:
    """Return the line with one of the session's names, the longest that fits, its gauge, and what it counts."""
    end = (spans_width(extra) + 3 if extra else 0) + 1
    for head, kept in _wide_parts(names, facts, gauges):
        parts = [*(Span(part) for part in (head, progress) if part), *kept]
        if width("   ".join([states[0], *(part.text for part in parts)])) + end <= cells:
            break
    else:
        room = cells - width(f"{states[0]}      {progress}") - end
        cut_name = [cut(names[-1], room, signs.ellipsis)] if room >= MIN_NAME_CELLS else []
        parts = [Span(part) for part in (*cut_name, progress) if part]
    spans = [Span(states[0], role)]
    for part in parts:
        spans += [Span("   "), part]
    if spans_width(spans) + end > cells:
        extra = []
    return spread(spans, [*extra, Span(" ")], cells)


def _wide_parts(names: tuple[str, str, str], facts: list[str], gauges: list[Span]) -> Iterator[tuple[str, Spans]]:
    """Yield a name of the session and what is behind its progress, the most first."""
    title, placed, name = names
    counted, brief = [Span(fact, Role.MUTED) for fact in facts], gauges[-1:]
    yield title, [*gauges[:1], *counted]
    yield from ((title, [*brief, *counted[:most]]) for most in (len(counted), 1, 0))
    yield from ((placed, brief), (placed, []), (name, brief), (name, []))


def _narrow(
    name: str,
    progress: str,
    cells: int,
    states: list[str],
    role: Role,
    signs: Signs,
    extra: Spans,
    gauges: list[Span],
) -> Spans:
    state = next((state for state in states if width(state) + 1 + width(progress) <= cells), "")
    if not state:
        progress = progress.replace(" of ", "/")
        state = cut(states[1], max(1, cells - width(progress) - 1), signs.ellipsis)
    room = cells - width(state) - width(progress) - 4
    brief = [Span("  "), gauges[-1]] if gauges and not extra else []
    if room - spans_width(brief) >= min(width(name), MIN_NARROW_NAME_CELLS):
        room -= spans_width(brief)
    else:
        brief = []
    # `extra` is news about the journal, which matters more than the session's name
    name = spans_text(extra) or cut(name, min(room, 12 if cells < 44 else room), signs.ellipsis)
    left = [Span(state, role)]
    if name and room > 3:
        left.append(
            Span(f" {signs.separator} {cut(name, room, signs.ellipsis)}", extra[0].role if extra else Role.MUTED)
        )
    return spread(left, [Span(progress), *brief], cells)
