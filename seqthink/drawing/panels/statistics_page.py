"""The page of statistics: small pictures and few numbers (docs/screens.md, "Statistics").

Blocks are in as many columns as the width has room for. A block without anything known is left out. Names are
untrusted, and sanitized here.
"""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from seqthink.chain.statistics.totals import Statistics, Totals
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.drawing.panels.statistics_blocks import (
    Period,
    Style,
    block_title,
    by_time,
    count_block,
    day_label,
    estimate_block,
    group_block,
    hours_block,
    model_block,
    plot_rows,
    resampled,
    silence_block,
    tool_block,
)
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width

BLOCK_CELLS = 44
"""Least width of a block."""
GAP_CELLS = 3
"""Cells between two columns of blocks."""
MAX_COLUMNS = 3
"""Columns of blocks at most."""
PLOT_ROWS = ((50, 9), (34, 6), (0, 3))
"""From how many rows of the screen the picture of the time has how many rows."""
MIN_ROWS_WITH_MORE_GROUPS, GROUPS, MORE_GROUPS = 34, 6, 12
"""How many clients, models, tools and repositories are shown, and how many from a height of the screen on."""


def statistics_lines(
    statistics: Statistics,
    heading: str,
    cells: int,
    *,
    period: Period | None,
    signs: Signs,
    zone: tzinfo,
    rows: int = 0,
) -> list[Spans]:
    """Return the page in lines of at most ``cells`` cells.

    Args:
        statistics: what was counted.
        heading: what the page is about: ``last 7 days``, or a session's name.
        cells: width of the page.
        period: the time that activity is shown of; None for that of the only session.
        signs: the character set.
        zone: the time zone of days and times.
        rows: height of the screen; 0 for none, as of a pipe.
    """
    total = statistics.all
    head = _headline(one_line(heading), total, cells, signs)
    if not total.sessions:
        return [head, [], clip([Span(" Nothing was thought in this time.", Role.MUTED)], cells)]
    columns = max(1, (cells + GAP_CELLS) // (BLOCK_CELLS + GAP_CELLS))
    columns = min(columns, MAX_COLUMNS)
    most = MORE_GROUPS if rows >= MIN_ROWS_WITH_MORE_GROUPS else GROUPS
    style = Style(signs, zone, (cells - GAP_CELLS * (columns - 1)) // columns, most)
    over_all = style._replace(cells=cells) if columns > 1 else style
    picture = _activity_block(statistics, period, over_all, next(high for least, high in PLOT_ROWS if rows >= least))
    blocks = [
        count_block(total, style),
        estimate_block(total, style),
        silence_block(total, style, has_names=statistics.only is None),
        *(
            group_block(title, groups, period, style)
            for title, groups in (
                ("clients", statistics.clients),
                ("repositories", _short_names(statistics.repositories)),
            )
            if statistics.only is None
        ),
        hours_block(total.hours, period, style) if period is not None else [],
        tool_block(statistics.tools, style),
        model_block(statistics.models, style),
    ]
    if picture:
        picture.append([])
    return [head, [], *picture, *_columns([block for block in blocks if block], columns, style)]


def _headline(heading: str, total: Totals, cells: int, signs: Signs) -> Spans:
    facts = [units.count(total.sessions, "session")] if total.sessions != 1 else []
    if total.counts["thoughts"]:
        facts.append(units.count(total.counts["thoughts"], "thought"))
    elif total.counts["turns"]:
        facts.append(units.count(total.counts["turns"], "turn"))
    right = f"   {f' {signs.separator} '.join(facts)}"
    if cells - width(right) <= width(heading):
        right = f"   {facts[-1]}" if facts else ""
    shown = cut(heading, cells - 1 - width(right), signs.ellipsis)
    return clip([Span(f" {shown}", Role.ACCENT), Span(right, Role.MUTED)], cells)


def _columns(blocks: Sequence[list[Spans]], columns: int, style: Style) -> list[Spans]:
    """Put blocks into columns from left to right, each into the shortest; between two is an empty line."""
    stacks: list[list[Spans]] = [[] for _ in range(columns)]
    for block in blocks:
        stack = min(stacks, key=len)
        stack += [*([[]] if stack else []), *block]
    lines: list[Spans] = []
    for row in range(max(map(len, stacks), default=0)):
        line: Spans = []
        for number, stack in enumerate(stacks):
            spans = clip(stack[row], style.cells) if row < len(stack) else []
            line += [Span(" " * (number * (style.cells + GAP_CELLS) - spans_width(line))), *spans]
        while line and not line[-1].text.strip():
            line.pop()
        lines.append(line)
    return lines


def _activity_block(statistics: Statistics, period: Period | None, style: Style, rows: int) -> list[Spans]:
    """Return how much was thought when: a column of up to ``rows`` rows for each part of the time."""
    only, total = statistics.only, statistics.all
    room = style.cells - 2
    if period is None and only is not None and only.first is not None and only.last is not None:
        counts = resampled(only.activity, room)
        labels = (units.clock(only.first, style.zone), units.clock(only.last, style.zone))
    elif period is not None and total.hours:
        counts = by_time(total.hours, period, room)
        labels = (day_label(period.start, style.zone), day_label(period.stop, style.zone))
    else:
        return []
    pace = f"{total.pace:.1f} a minute" if total.pace else ""
    plot = [[Span(" "), Span(row, Role.ACCENT)] for row in plot_rows(counts, rows, style.signs)]
    axis = f" {labels[0]}{labels[1]:>{len(counts) - len(labels[0])}}"
    return [block_title("thoughts", pace, style), *plot, [Span(axis, Role.MUTED)]]


def _short_names(groups: Mapping[str, Totals]) -> dict[str, Totals]:
    """Return repositories by their last name, where no other has it, else by the last two, and so on."""
    return {short: groups[path] for path, short in zip(groups, short_names([*groups]), strict=True)}


def short_names(paths: Sequence[str]) -> list[str]:
    """Return each path without its first folders, as far as it still differs from the others."""
    parts = [path.replace("\\", "/").split("/") for path in paths]
    lengths = [1] * len(paths)
    while True:
        names = ["/".join(part[-length:]) for part, length in zip(parts, lengths, strict=True)]
        doubled = {name for name in names if names.count(name) > 1}
        grown = [
            length + 1 if name in doubled and length < len(part) else length
            for name, length, part in zip(names, lengths, parts, strict=True)
        ]
        if grown == lengths:
            return names if not doubled else list(paths)
        lengths = grown
