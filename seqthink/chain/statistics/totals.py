"""What many sessions count together, and by client, model and folder: sums that grow session by session."""

from collections import Counter
from heapq import nlargest

from seqthink.chain.statistics.session_statistics import (
    MAX_SILENCES,
    EstimateOutcome,
    SessionStatistics,
    Silence,
    ToolCount,
)

MINUTE = 60_000_000
"""Microseconds."""


class Totals:
    """The sums of some sessions."""

    def __init__(self) -> None:
        self.sessions = 0
        """Sessions in which there was a call of the thinking tool, or native reasoning."""
        self.counts: Counter[str] = Counter()
        """The sums of thoughts, turns, chains, finished chains, revisions, branches, agents and refused calls."""
        self.estimates: list[EstimateOutcome] = []
        """Of each chain that is done."""
        self.silences: list[Silence] = []
        """The longest, the longest first."""
        self.hours: Counter[int] = Counter()
        """By hour since 1970 (UTC): thoughts."""
        self._thinking = 0
        self._steps = 0

    def add(self, one: SessionStatistics) -> None:
        """Add a session."""
        self.sessions += 1
        for name in COUNTED:
            self.counts[name] += getattr(one, name)
        self.estimates += one.estimates
        self.silences = nlargest(MAX_SILENCES, [*self.silences, *one.silences], key=lambda silence: silence.duration)
        self.hours.update(one.hours)
        self._thinking += one.thinking
        self._steps += one.steps

    @property
    def thinking(self) -> int:
        """The time between thoughts, without pauses, in microseconds."""
        return self._thinking

    @property
    def pace(self) -> float | None:
        """Thoughts a minute while thinking; None if nothing says."""
        return self._steps * MINUTE / self._thinking if self._thinking else None

    @property
    def median_off(self) -> int | None:
        """How many thoughts more than first estimated a finished chain took, at the median; None without one."""
        offs = sorted(outcome.off for outcome in self.estimates)
        return offs[len(offs) // 2] if offs else None


COUNTED = ("thoughts", "turns", "chains", "finished", "revisions", "branches", "agents", "refused")
"""What is summed."""


class Statistics:
    """The sums of some sessions, of all and by client, model, folder and repository."""

    def __init__(self) -> None:
        self.all = Totals()
        self.clients: dict[str, Totals] = {}
        """By client, as far as sessions name theirs."""
        self.folders: dict[str, Totals] = {}
        """By working folder, as far as sessions name theirs."""
        self.repositories: dict[str, Totals] = {}
        """By repository, as far as the folders of sessions are known."""
        self.models: Counter[str] = Counter()
        """By language model: thoughts that are known to be its."""
        self.tools: dict[str, ToolCount] = {}
        """By tool: its calls."""
        self.only: SessionStatistics | None = None
        """The session, if it is the only one."""

    def add(self, one: SessionStatistics) -> None:
        """Add a session, unless it has nothing to count."""
        if not one.thoughts and not one.turns and not one.refused:
            return
        self.only = one if not self.all.sessions else None
        self.all.add(one)
        by_name = ((one.client, self.clients), (one.folder, self.folders), (one.repository, self.repositories))
        for key, groups in by_name:
            if key:
                groups.setdefault(key, Totals()).add(one)
        self.models.update(one.models)
        for tool, more in one.tools.items():
            before = self.tools.get(tool, ToolCount())
            self.tools[tool] = ToolCount(before.calls + more.calls, before.failed + more.failed)
