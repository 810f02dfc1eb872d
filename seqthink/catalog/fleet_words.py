"""What the screens and the pages say of the engine of a fleet, and of what it keeps of a session.

Whoever shows no fleet has None in its place, of which nothing is said.
"""

from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.text import one_line

# It takes time to load, and most viewers show this machine's sessions.
if TYPE_CHECKING:
    from seqthink.catalog.fleet_library import FleetLibrary


def trouble_text(fleet: "FleetLibrary | None", zone: tzinfo) -> str:
    """Return that the engine is not there, and since when: ``engine lost since 12:31``; "" while it is there.

    With an engine that is there, return what else is wrong with asking it.
    """
    trouble = fleet.trouble if fleet is not None else None
    if fleet is None:
        return ""
    if trouble is None:
        return one_line(fleet.task_trouble)
    since = datetime.fromtimestamp(trouble.since / 1_000_000, zone)
    return f"{'engine lost' if fleet.was_reached else 'no engine'} since {since:%H:%M}"


def waiting_sentence(fleet: "FleetLibrary | None") -> str:
    """Return what a viewer of a fleet waits for, where it has no session to show; "" if it shows no fleet."""
    if fleet is None:
        return ""
    trouble = fleet.trouble
    if trouble is not None:
        reason = one_line(trouble.sentence).rstrip(".")
        return f"Waiting for the fleet's engine: {reason}. What it has shows up here as soon as it is there."
    return "No sessions in the fleet yet. `seqthink ship` on a machine sends those of its agents."


def kept_remark(fleet: "FleetLibrary | None", path: Path | None) -> str:
    """Return what of a session's beginning or end is not shown, and why; "" if all is."""
    if fleet is None or path is None:
        return ""
    problem, first = fleet.problem_of(path), fleet.first_kept(path)
    if problem:
        return f"not shown to its end: {one_line(problem)}"
    if first > 1:
        return "line 1 is no longer kept" if first == 2 else f"lines 1–{first - 1:,} are no longer kept"
    return "some lines between are missing" if fleet.has_holes(path) else ""
