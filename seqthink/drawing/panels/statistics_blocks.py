"""The blocks of the page of statistics, each a list of lines of one width; one without anything to say is empty.

Names are untrusted, and sanitized here.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from itertools import pairwise
from typing import NamedTuple

from seqthink.chain.statistics.session_statistics import HOUR, EstimateOutcome, ToolCount
from seqthink.chain.statistics.totals import Totals
from seqthink.core.text import one_line
from seqthink.drawing.describe import units
from seqthink.drawing.text.cells import cut, pad, width
from seqthink.drawing.text.glyphs import LEFT, RIGHT, Signs
from seqthink.drawing.text.rules import rule
from seqthink.drawing.text.spans import Role, Span, Spans, spans_width

MAX_CHAINS_LISTED = 5
"""Up to how many finished chains each has a row of its own."""
_NAME_CELLS, _FIGURE_CELLS = 16, 8
_SPARK_CELLS = 14
_SILENCE_HEAD_CELLS, _MIN_BAR_CELLS = 22, 4
_MIN_CELLS_WITH_PACE = 56
_LEVELS = 8
"""How many heights a cell of a picture has, the lowest included."""
_TOOL_CELLS, _MAX_BAR_CELLS = 18, 24
_DAY_HOURS, _MAX_DAYS, _SECOND = 24, 7, 1_000_000
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DAY_LABEL_CELLS, _MAX_HOUR_CELLS = 11, 2


class Period(NamedTuple):
    """The time that is shown, in microseconds since 1970 (UTC)."""

    start: int
    stop: int


class Style(NamedTuple):
    """How blocks are drawn."""

    signs: Signs
    zone: tzinfo
    cells: int
    """Width of a block."""
    max_groups: int
    """How many clients, models, tools and repositories are shown; the rest is summed up."""


def block_title(text: str, right: str, style: Style) -> Spans:
    """Return the line above a block."""
    left = [Span(f"{style.signs.rule * 2} ", Role.LINE), Span(text, Role.MUTED)]
    return rule(left, right, style.cells, style.signs)


def resampled(counts: Sequence[int], room: int) -> list[int]:
    """Return as many counts as there is room for; each of them is as wide as the next."""
    if len(counts) <= room:
        each = room // len(counts)
        return [count for count in counts for _ in range(each)]
    edges = [part * len(counts) // room for part in range(room + 1)]
    return [sum(counts[start:stop]) for start, stop in pairwise(edges)]


def by_time(hours: Mapping[int, int], period: Period, room: int) -> list[int]:
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


def plot_rows(counts: Sequence[int], rows: int, signs: Signs) -> list[str]:
    """Return columns of up to ``rows`` rows, top row first; whatever is not 0 is seen."""
    most = max([rows, *counts])  # a thought alone is not a peak
    heights = [-(-count * rows * _LEVELS // most) for count in counts]
    cells = " " + signs.levels
    lines = [
        "".join(cells[min(_LEVELS, max(0, height - row * _LEVELS))] for height in heights)
        for row in range(rows - 1, -1, -1)
    ]
    return [line for number, line in enumerate(lines) if line.strip() or number == rows - 1]


def day_label(time: int, zone: tzinfo) -> str:
    """Return month and day of a time."""
    return units.date(time, zone)[5:] or "?"


def count_block(total: Totals, style: Style) -> list[Spans]:
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
    return [block_title("counts", "", style), *lines] if counts["chains"] or len(lines) > 1 else []


def _count_line(name: str, count: int, whole: int, role: Role, style: Style) -> Spans:
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


def estimate_block(total: Totals, style: Style) -> list[Spans]:
    """Return how far the first estimates of finished chains were off."""
    outcomes = total.estimates
    if not outcomes:
        return []
    right = f"median {_signed(total.median_off or 0)}"
    title = block_title(
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


def _outcome_line(outcome: EstimateOutcome, outcomes: Sequence[EstimateOutcome], style: Style) -> Spans:
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


def silence_block(total: Totals, style: Style, *, has_names: bool) -> list[Spans]:
    """Return the longest silences, with a bar each."""
    if not total.silences:
        return []
    longest = total.silences[0].duration
    names = [
        f"{one_line(silence.name)} after {silence.number}" if has_names else f"after {silence.number}"
        for silence in total.silences
    ]
    room = style.cells - _SILENCE_HEAD_CELLS
    bar_cells = min(12, room - 2 - max(map(width, names)))  # a bar gives way to whole names
    bar_cells = bar_cells if bar_cells >= _MIN_BAR_CELLS else 0
    lines: list[Spans] = []
    for silence, name in zip(total.silences, names, strict=True):
        when = f"{day_label(silence.since, style.zone)} {units.clock(silence.since, style.zone, seconds=False)}"
        head = [Span(f" {units.duration(silence.duration):>5}  "), Span(f"{when}  ", Role.MUTED)]
        bar = max(1, round(bar_cells * silence.duration / longest)) if bar_cells else 0
        head.append(Span(pad(style.signs.bars[0] * bar, bar_cells) + "  " * bool(bar_cells), Role.LINE))
        lines.append([*head, Span(cut(name, style.cells - spans_width(head), style.signs.ellipsis))])
    return [block_title("longest silences", "", style), *lines]


def group_block(title: str, groups: Mapping[str, Totals], period: Period | None, style: Style) -> list[Spans]:
    """Return a row for each of the groups that thought most: name, thoughts, pace, and when."""
    if not groups:
        return []
    ranked = sorted(groups.items(), key=lambda group: (-group[1].counts["thoughts"], group[0]))
    lines = [_group_line(name, total, period, style) for name, total in ranked[: style.max_groups]]
    rest = ranked[style.max_groups :]
    if rest:
        thoughts = sum(total.counts["thoughts"] for _, total in rest)
        lines.append([Span(f" {len(rest)} more", Role.MUTED), Span(f"   {thoughts:,}", Role.MUTED)])
    columns = "thoughts" if style.cells < _MIN_CELLS_WITH_PACE else "thoughts, pace, first estimate off"
    return [block_title(title, columns, style), *lines]


def _group_line(name: str, total: Totals, period: Period | None, style: Style) -> Spans:
    facts = f"{total.counts['thoughts']:>{_FIGURE_CELLS},}"
    if style.cells >= _MIN_CELLS_WITH_PACE:
        pace = f"{total.pace:.1f}/min" if total.pace else ""
        off = f"{total.median_off:+.0f}" if total.median_off is not None else ""
        facts += f"  {pace:>8}  {off:>5}"
    spark = plot_rows(by_time(total.hours, period, _SPARK_CELLS)[:_SPARK_CELLS], 1, style.signs)[0] if period else ""
    room = style.cells - width(facts) - _SPARK_CELLS - 3
    return [
        Span(f" {pad(cut(one_line(name), room, style.signs.ellipsis), room)} "),
        Span(pad(spark, _SPARK_CELLS), Role.ACCENT),
        Span(facts, Role.MUTED),
    ]


def model_block(models: Mapping[str, int], style: Style) -> list[Spans]:
    """Return how many thoughts each model has, as far as known."""
    if not models:
        return []
    whole = sum(models.values())
    ranked = sorted(models.items(), key=lambda model: (-model[1], model[0]))[: style.max_groups]
    lines: list[Spans] = []
    for name, count in ranked:
        head = [
            Span(f" {pad(cut(one_line(name), 24, style.signs.ellipsis), 24)}"),
            Span(f"{count:>{_FIGURE_CELLS},}  ", Role.MUTED),
        ]
        lines.append([*head, *_bar(count, whole, Role.ACCENT, style.cells - spans_width(head) - 1, style.signs)])
    return [block_title("models", "thoughts, where known", style), *lines]


def tool_block(tools: Mapping[str, ToolCount], style: Style) -> list[Spans]:
    """Return how often which tool was called, and how often that failed."""
    ranked = sorted(tools.items(), key=lambda tool: (-tool[1].calls, tool[0]))
    most = max((tool.calls for tool in tools.values()), default=0)
    lines: list[Spans] = []
    for name, tool in ranked[: style.max_groups]:
        shown = pad(cut(one_line(name), _TOOL_CELLS, style.signs.ellipsis), _TOOL_CELLS)
        failed = f"  {tool.failed:,} failed" if tool.failed else ""
        head = [Span(f" {shown}"), Span(f"{tool.calls:>{_FIGURE_CELLS - 1},}  ", Role.MUTED)]
        room = style.cells - spans_width(head) - len(failed)
        cells = max(1, round(max(1, min(_MAX_BAR_CELLS, room)) * tool.calls / most))
        lines.append([*head, Span(style.signs.bars[0] * cells, Role.ACCENT), Span(failed, Role.BAD)])
    if rest := ranked[style.max_groups :]:
        calls = sum(tool.calls for _, tool in rest)
        lines.append([Span(f" {len(rest)} more", Role.MUTED), Span(f"   {calls:,}", Role.MUTED)])
    return [block_title("calls of tools", "", style), *lines] if lines else []


def hours_block(hours: Mapping[int, int], period: Period, style: Style) -> list[Spans]:
    """Return a row for each of the last days of a period: how much was thought in each of its hours."""
    days: dict[str, list[int]] = {}
    first = max(period.start, period.stop - _MAX_DAYS * _DAY_HOURS * HOUR) // HOUR + 1
    for hour in range(first, period.stop // HOUR + 1):
        local = datetime.fromtimestamp(hour * HOUR // _SECOND, style.zone)
        label = f"{_WEEKDAYS[local.weekday()]} {local:%m-%d}"
        days.setdefault(label, [0] * _DAY_HOURS)[local.hour] += hours.get(hour, 0)
    room = style.cells - _DAY_LABEL_CELLS - _FIGURE_CELLS
    each = min(_MAX_HOUR_CELLS, room // _DAY_HOURS)
    if not each or not any(map(any, days.values())):
        return []
    most = max(max(counts) for counts in days.values())
    axis = "".join(f"{hour:<{6 * each}}" for hour in range(0, _DAY_HOURS, 6))
    lines: list[Spans] = [[Span(" " * _DAY_LABEL_CELLS + axis, Role.MUTED)]]
    for label, counts in days.items():
        picture = "".join(_hour_sign(count, most, style.signs) * each for count in counts)
        figure = f"{sum(counts):>{_FIGURE_CELLS - 1},}" if any(counts) else ""
        lines.append([Span(f" {label:<{_DAY_LABEL_CELLS - 1}}", Role.MUTED), Span(picture, Role.ACCENT), Span(figure)])
    return [block_title(f"hours of the last {_MAX_DAYS} days", "thoughts", style), *lines]


def _hour_sign(count: int, most: int, signs: Signs) -> str:
    """Return how much was thought in an hour as the height of a cell; a point for nothing."""
    return signs.levels[-(-count * _LEVELS // most) - 1] if count else signs.separator
