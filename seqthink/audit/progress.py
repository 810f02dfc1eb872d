"""How far an audit is: told step by step to whoever wants to know."""

from collections.abc import Awaitable, Callable

ReportProgress = Callable[[int, int, str], Awaitable[None]]
"""Is told how many steps are done, of how many, and what is being done now."""


class AuditProgress:
    """Counts the steps of one audit; steps that turn out to be unnecessary are counted as done."""

    def __init__(self, steps: int, report: ReportProgress) -> None:
        self._steps = steps
        self._report = report
        self._done = 0

    async def begin_step(self, doing: str) -> None:
        """Say what is being done now."""
        await self._report(self._done, self._steps, doing)

    def add_steps(self, steps: int) -> None:
        """Expect so many more steps."""
        self._steps += steps

    def finish_step(self) -> None:
        """Count a step as done."""
        self._done = min(self._done + 1, self._steps)
