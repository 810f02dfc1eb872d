"""What the screens say of the engine of a fleet, and of what it keeps of a session."""

from datetime import datetime
from pathlib import Path

from seqthink.text import one_line
from tui.settings import Settings


def trouble_text(settings: Settings) -> str:
    """Return that the engine is not there, and since when: ``engine lost since 12:31``; "" while it is there."""
    fleet = settings.fleet
    trouble = fleet.trouble if fleet is not None else None
    if fleet is None or trouble is None:
        return ""
    since = datetime.fromtimestamp(trouble.since / 1_000_000, settings.zone)
    return f"{'engine lost' if fleet.was_reached else 'no engine'} since {since:%H:%M}"


def waiting_sentence(settings: Settings) -> str:
    """Return what a viewer of a fleet waits for, where it has no session to show; "" if it shows no fleet."""
    fleet = settings.fleet
    if fleet is None:
        return ""
    trouble = fleet.trouble
    if trouble is not None:
        reason = one_line(trouble.sentence).rstrip(".")
        return f"Waiting for the fleet's engine: {reason}. What it has shows up here as soon as it is there."
    return "No sessions in the fleet yet. `seqthink ship` on a machine sends those of its agents."


def kept_remark(settings: Settings, path: Path | None) -> str:
    """Return what of a session's beginning or end is not shown, and why; "" if all is."""
    fleet = settings.fleet
    if fleet is None or path is None:
        return ""
    problem, first = fleet.problem_of(path), fleet.first_kept(path)
    if problem:
        return f"not shown to its end: {one_line(problem)}"
    if first > 1:
        return "line 1 is no longer kept" if first == 2 else f"lines 1–{first - 1:,} are no longer kept"
    return ""
