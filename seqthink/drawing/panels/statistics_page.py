"""The page of statistics: small pictures and few numbers (docs/screens.md, "Statistics").

Blocks stand in as many columns as the width has room for. A block that has nothing to say, because nothing is known, is
left out. Names are untrusted, and sanitized here.
"""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from itertools import pairwise
from typing import NamedTuple

from seqthink.chain.statistics.session_statistics import HOUR, EstimateOutcome
from seqthink.chain.statistics.totals import Statistics, Totals
from seqthink.drawing.describe import units
from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import LEFT, RIGHT, Signs
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width
from seqthink.text import one_line

BLOCK_CELLS = 44
"""Least width of a block."""
GAP_CELLS = 3
"""Cells between two columns of blocks."""
MAX_GROUPS = 6
"""How many clients, models and folders are shown; the rest is summed up."""
MAX_CHAINS_LISTED = 5
"""Up to how many finished chains each has a row of its own."""
_NAME_CELLS, _FIGURE_CELLS = 16, 8
_SPARK_CELLS = 14
_PLOT_ROWS = 3
_LEVELS = 8
"""How many heights a cell of a picture has, the lowest included."""


class Period(NamedTuple):
    """The time that is shown, in microseconds since 1970 (UTC)."""

    start: int
    stop: int


class _Style(NamedTuple):
    signs: Signs
    zone: tzinfo
    cells: int
    """Width of a block."""


def statistics_lines(
    statistics: Statistics, heading: str, cells: int, *, period: Period | None, signs: Signs, zone: tzinfo
) -> list[Spans]:
    """Return the page in lines of at most ``cells`` cells.

    Args:
        statistics: what was counted.
        heading: what the page is about: ``last 7 days``, or a session's name.
        cells: width of the page.
        period: the time that activity is shown of; None for that of the only session.
        signs: the character set.
        zone: the time zone of days and times.
    """
    total = statistics.all
    head = _headline(one_line(heading), total, cells, signs)
    if not total.sessions:
        return [head, [], clip([Span(" Nothing was thought in this time.", Role.MUTED)], cells)]
    columns = max(1, (cells + GAP_CELLS) // (BLOCK_CELLS + GAP_CELLS))
    columns = min(columns, 3)
    style = _Style(signs, zone, (cells - GAP_CELLS * (columns - 1)) // columns)
    blocks = [
        _activity_block(statistics, period, style),
        _count_block(total, style),
        _estimate_block(total, style),
        _silence_block(total, style, has_names=statistics.only is None),
        *(
            _group_block(title, groups, period, style)
            for title, groups in (("clients", statistics.clients), ("folders", _short_folders(statistics.folders)))
            if statistics.only is None
        ),
        _model_block(statistics.models, style),
    ]
    return [head, [], *_columns([block for block in blocks if block], columns, style)]


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


def _columns(blocks: Sequence[list[Spans]], columns: int, style: _Style) -> list[Spans]:
    """Put blocks into columns from left to right, each into the shortest; between two is an empty line."""
    stacks: list[list[Spans]] = [[] for _ in range(columns)]
    for block in blocks:
        stack = min(stacks, key=len)
        stack += [*([[]] if stack else []), *block]
    lines: list[Spans] = []
    for row in range(max(map(len, stacks))):
        line: Spans = []
        for number, stack in enumerate(stacks):
            spans = clip(stack[row], style.cells) if row < len(stack) else []
            line += [Span(" " * (number * (style.cells + GAP_CELLS) - spans_width(line))), *spans]
        while line and not line[-1].text.strip():
            line.pop()
        lines.append(line)
    return lines


def _title(text: str, right: str, style: _Style) -> Spans:
    left = [Span(f"{style.signs.rule * 2} ", Role.LINE), Span(text, Role.MUTED)]
    return rule(left, right, style.cells, style.signs)


def _activity_block(statistics: Statistics, period: Period | None, style: _Style) -> list[Spans]:
    """Return how much was thought when: a column of three rows for each part of the time."""
    only, total = statistics.only, statistics.all
    room = style.cells - 2
    if period is None and only is not None and only.first is not None and only.last is not None:
        counts = _resampled(only.activity, room)
        labels = (units.clock(only.first, style.zone), units.clock(only.last, style.zone))
    elif period is not None and total.hours:
        counts = _by_time(total.hours, period, room)
        labels = (_day(period.start, style.zone), _day(period.stop, style.zone))
    else:
        return []
    pace = f"{total.pace:.1f} a minute" if total.pace else ""
    plot = [[Span(" "), Span(row, Role.ACCENT)] for row in _plot(counts, _PLOT_ROWS, style.signs)]
    axis = f" {labels[0]}{labels[1]:>{len(counts) - len(labels[0])}}"
    return [_title("thoughts", pace, style), *plot, [Span(axis, Role.MUTED)]]


def _resampled(counts: Sequence[int], room: int) -> list[int]:
    """Return as many counts as there is room for; each of them is as wide as the next."""
    if len(counts) <= room:
        each = room // len(counts)
        return [count for count in counts for _ in range(each)]
    edges = [part * len(counts) // room for part in range(room + 1)]
    return [sum(counts[start:stop]) for start, stop in pairwise(edges)]


def _by_time(hours: Mapping[int, int], period: Period, room: int) -> list[int]:
    """Return the thoughts of each part of a period, the parts at least an hour long."""
    first, last = period.start // HOUR, max(period.start // HOUR, period.stop // HOUR)
    span = last - first + 1
    parts = min(room, span)
    counts = [0] * parts
    for hour, count in hours.items():
        if first <= hour <= last:
            counts[(hour - first) * parts // span] += count
    each = max(1, room // parts)
    return [count for count in counts for _ in range(each)]


def _plot(counts: Sequence[int], rows: int, signs: Signs) -> list[str]:
    """Return columns of up to ``rows`` rows, top row first; whatever is not 0 is seen."""
    most = max([rows, *counts])  # a thought alone is no peak
    heights = [-(-count * rows * _LEVELS // most) for count in counts]
    cells = " " + signs.levels
    lines = [
        "".join(cells[min(_LEVELS, max(0, height - row * _LEVELS))] for height in heights)
        for row in range(rows - 1, -1, -1)
    ]
    return [line for number, line in enumerate(lines) if line.strip() or number == rows - 1]


def _day(time: int, zone: tzinfo) -> str:
    return units.date(time, zone)[5:] or "?"


def _count_block(total: Totals, style: _Style) -> list[Spans]:
    """Return what was counted, each against what it is a part of."""
    counts = total.counts
    parts = (
        ("chains done", counts["finished"], counts["chains"], Role.GOOD),
        ("revisions", counts["revisions"], counts["thoughts"], Role.REVISION),
        ("branches", counts["branches"], 0, Role.BRANCH1),
        ("sub-agents", counts["agents"], 0, Role.BRANCH4),
        ("refused calls", counts["refused"], counts["thoughts"] + counts["refused"], Role.BAD),
    )
    lines = [
        _count_line(name, count, whole, role, style)
        for name, count, whole, role in parts
        if count or name == "chains done"
    ]
    return [_title("counts", "", style), *lines] if counts["chains"] or len(lines) > 1 else []


def _count_line(name: str, count: int, whole: int, role: Role, style: _Style) -> Spans:
    of = f"{count:,} of {whole:,}" if whole else f"{count:,}"
    head = [Span(f" {name:<{_NAME_CELLS}}"), Span(f"{of:>{_FIGURE_CELLS + 6}}", Role.MUTED), Span("  ")]
    return [*head, *_bar(count, whole, role, style.cells - spans_width(head) - 1, style.signs)] if whole else head


def _bar(count: int, whole: int, role: Role, room: int, signs: Signs) -> Spans:
    """Return a bar in at most 20 cells; something is never drawn as nothing, nor a part as all."""
    cells = max(0, min(20, room))
    filled = round(cells * count / whole) if whole else 0
    filled = min(cells, max(filled, 1 if count else 0))
    filled = filled - 1 if count < whole and filled == cells and cells > 1 else filled
    return [Span(signs.bars[0] * filled, role), Span(signs.bars[1] * (cells - filled), Role.LINE)]


def _estimate_block(total: Totals, style: _Style) -> list[Spans]:
    """Return how far the first estimates of finished chains were off."""
    outcomes = total.estimates
    if not outcomes:
        return []
    right = f"median {_signed(total.median_off or 0)}"
    title = _title(
        f"first estimate, last number {style.signs.separator} {units.count(len(outcomes), 'chain')}", right, style
    )
    if len(outcomes) <= MAX_CHAINS_LISTED:
        return [title, *(_outcome_line(outcome, outcomes, style) for outcome in outcomes)]
    classes = (
        ("half or fewer", sum(2 * one.final <= one.first for one in outcomes)),
        ("fewer", sum(one.first > one.final > one.first / 2 for one in outcomes)),
        ("as estimated", sum(one.off == 0 for one in outcomes)),
        ("more", sum(one.first < one.final < 2 * one.first for one in outcomes)),
        ("twice or more", sum(one.final >= 2 * one.first for one in outcomes)),
    )
    return [title, *(_count_line(name, count, len(outcomes), Role.ESTIMATE, style) for name, count in classes)]


def _outcome_line(outcome: EstimateOutcome, outcomes: Sequence[EstimateOutcome], style: _Style) -> Spans:
    """Return a chain as two points on a line: what was estimated, and what it took."""
    most = max(max(one.first, one.final) for one in outcomes)
    figures = f"{outcome.first}{style.signs.changed}{outcome.final}"
    head = [Span(f" {figures:<{_NAME_CELLS - 5}}"), Span(f"{_signed(outcome.off):>5}", Role.MUTED), Span("  ")]
    room = max(8, min(40, style.cells - spans_width(head) - 2))
    start, stop = sorted(round(value * (room - 1) / most) for value in (outcome.first, outcome.final))
    line = [" "] * room
    line[start : stop + 1] = style.signs.box[LEFT | RIGHT] * (stop - start + 1)
    line[round(outcome.first * (room - 1) / most)] = style.signs.expected
    line[round(outcome.final * (room - 1) / most)] = style.signs.thought
    return [*head, Span("".join(line).rstrip(), Role.ESTIMATE)]


def _signed(number: int) -> str:
    return f"{number:+,}" if number else "0"


def _silence_block(total: Totals, style: _Style, *, has_names: bool) -> list[Spans]:
    """Return the longest silences, with a bar each."""
    if not total.silences:
        return []
    longest = total.silences[0].duration
    lines: list[Spans] = []
    for silence in total.silences:
        where = f"after {silence.number}"
        name = f"{one_line(silence.name)} {where}" if has_names else where
        when = f"{_day(silence.since, style.zone)} {units.clock(silence.since, style.zone, seconds=False)}"
        head = [Span(f" {units.duration(silence.duration):>5}  "), Span(f"{when}  ", Role.MUTED)]
        room = style.cells - spans_width(head)
        bar_cells = min(12, max(0, room - 20))
        bar = max(1, round(bar_cells * silence.duration / longest)) if bar_cells else 0
        head.append(Span(pad(style.signs.bars[0] * bar, bar_cells) + "  " * bool(bar_cells), Role.LINE))
        lines.append([*head, Span(cut(name, style.cells - spans_width(head), style.signs.ellipsis))])
    return [_title("longest silences", "", style), *lines]


def _group_block(title: str, groups: Mapping[str, Totals], period: Period | None, style: _Style) -> list[Spans]:
    """Return a row for each of the groups that thought most: name, thoughts, pace, and when."""
    if not groups:
        return []
    ranked = sorted(groups.items(), key=lambda group: (-group[1].counts["thoughts"], group[0]))
    lines = [_group_line(name, total, period, style) for name, total in ranked[:MAX_GROUPS]]
    rest = ranked[MAX_GROUPS:]
    if rest:
        thoughts = sum(total.counts["thoughts"] for _, total in rest)
        lines.append([Span(f" {len(rest)} more", Role.MUTED), Span(f"   {thoughts:,}", Role.MUTED)])
    return [_title(title, "thoughts" if style.cells < 60 else "thoughts, pace, first estimate off", style), *lines]


def _group_line(name: str, total: Totals, period: Period | None, style: _Style) -> Spans:
    facts = f"{total.counts['thoughts']:>{_FIGURE_CELLS},}"
    if style.cells >= 60:
        pace = f"{total.pace:.1f}/min" if total.pace else ""
        off = f"{total.median_off:+.0f}" if total.median_off is not None else ""
        facts += f"  {pace:>8}  {off:>5}"
    spark = _plot(_by_time(total.hours, period, _SPARK_CELLS)[:_SPARK_CELLS], 1, style.signs)[0] if period else ""
    room = style.cells - width(facts) - _SPARK_CELLS - 3
    return [
        Span(f" {pad(cut(one_line(name), room, style.signs.ellipsis), room)} "),
        Span(pad(spark, _SPARK_CELLS), Role.ACCENT),
        Span(facts, Role.MUTED),
    ]


def _short_folders(folders: Mapping[str, Totals]) -> dict[str, Totals]:
    """Return the folders by their last name, where no other has it, else by the last two, and so on."""
    return {short: folders[path] for path, short in zip(folders, short_names([*folders]), strict=True)}


def short_names(paths: Sequence[str]) -> list[str]:
    """Return each path without as many of its first folders as it can do without to be told from the others."""
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


def _model_block(models: Mapping[str, int], style: _Style) -> list[Spans]:
    if not models:
        return []
    whole = sum(models.values())
    ranked = sorted(models.items(), key=lambda model: (-model[1], model[0]))[:MAX_GROUPS]
    lines: list[Spans] = []
    for name, count in ranked:
        head = [
            Span(f" {pad(cut(one_line(name), 24, style.signs.ellipsis), 24)}"),
            Span(f"{count:>{_FIGURE_CELLS},}  ", Role.MUTED),
        ]
        lines.append([*head, *_bar(count, whole, Role.ACCENT, style.cells - spans_width(head) - 1, style.signs)])
    return [_title("models", "thoughts, where known", style), *lines]
