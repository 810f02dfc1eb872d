"""Counts the steps of an audit and reports them."""

from collections.abc import Awaitable, Callable

ReportProgress = Callable[[int, int, str], Awaitable[None]]
"""Receives the number of finished steps, of all steps, and what is being done now."""


class AuditProgress:
    """Progress of one audit; never more steps done than there are."""

    def __init__(self, steps: int, report: ReportProgress) -> None:
        self._steps = steps
        self._report = report
        self._done = 0

    async def begin_step(self, doing: str) -> None:
        """Report what is being done now."""
        await self._report(self._done, self._steps, doing)

    def add_steps(self, steps: int) -> None:
        """Expect this many more steps."""
        self._steps += steps

    def finish_step(self) -> None:
        """Count a step as done."""
        self._done = min(self._done + 1, self._steps)

    def finish_all(self) -> None:
        """Count all steps as done, also those that were not needed."""
        self._done = self._steps
