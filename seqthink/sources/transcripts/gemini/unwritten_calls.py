"""Calls that Gemini CLI has begun and not written yet: the commands that it runs, shown before its file holds them.

A call that was shown keeps the id that it has here when the file holds it at last, so that it is one call.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import structs

from seqthink.sources.transcripts.facts import Fact, Result, ToolCall
from seqthink.sources.transcripts.gemini.clients import CLOCK_DIFFERENCE, RunningCommand
from seqthink.sources.transcripts.tool_names import call_summary

SHELL_TOOL: Final = "run_shell_command"


class UnwrittenCalls:
    """The calls of one session that were shown before its file held them."""

    def __init__(self) -> None:
        self._shown: dict[int, ToolCall] = {}
        """The newest of each process, by its number."""
        self._ids: dict[str, str] = {}
        """What those are called here that the file holds by now, by the ids that they have there."""

    def shown(self, commands: Sequence[RunningCommand], waiting: Mapping[str | None, int]) -> list[ToolCall]:
        """Return the calls that are being run and that the file does not hold.

        Args:
            commands: what the client runs.
            waiting: the agents whose newest message is the model's and has no calls yet, with its time. One of them
                runs a command, since the message is written when the model has ended it.
        """
        for command in commands:
            agents = _agents_of(command, waiting)
            if len(agents) == 1 and not self._has(command):
                self._shown[command.process] = ToolCall(
                    id=f"process-{command.process}-{command.started // 1_000_000}",
                    time=command.started,
                    agent=agents[0],
                    tool=SHELL_TOOL,
                    summary=call_summary({"command": command.text}),
                )
        running = {command.process for command in commands if self._has(command)}
        return [call for process, call in self._unwritten().items() if process in running]

    def renamed(self, facts: Sequence[Fact]) -> Sequence[Fact]:
        """Return what the file says now, with the ids that its calls have here."""
        if not self._shown:
            return facts
        calls = [fact for fact in facts if isinstance(fact, ToolCall) and fact.tool == SHELL_TOOL]
        self._recognise([call for call in calls if call.id not in self._ids])
        return [self._renamed(fact) for fact in facts]

    def _has(self, command: RunningCommand) -> bool:
        """Return whether a command was shown; another process may have had its number."""
        call = self._shown.get(command.process)
        return call is not None and abs(call.time - command.started) <= 2 * CLOCK_DIFFERENCE

    def _unwritten(self) -> dict[int, ToolCall]:
        written = set(self._ids.values())
        return {process: call for process, call in self._shown.items() if call.id not in written}

    def _recognise(self, calls: Sequence[ToolCall]) -> None:
        """Note which calls were shown: the newest with the same command, else the first ones of the same agent."""
        others: list[ToolCall] = []
        for call in calls:
            alike = [shown.id for shown in self._unwritten().values() if shown.summary == call.summary]
            if alike:
                self._ids[call.id] = alike[-1]
            else:
                others.append(call)
        for call in others:  # its summary may be the folder in which it was to run
            rest = [shown.id for shown in self._unwritten().values() if shown.agent == call.agent]
            if rest:
                self._ids[call.id] = rest[0]

    def _renamed(self, fact: Fact) -> Fact:
        known = self._ids.get(fact.id) if isinstance(fact, ToolCall | Result) else None
        return structs.replace(fact, id=known) if known is not None else fact


def _agents_of(command: RunningCommand, waiting: Mapping[str | None, int]) -> list[str | None]:
    """Return which agents may run a command; the main agent only if no subagent may, for which it waits."""
    agents = [agent for agent, time in waiting.items() if time <= command.started + CLOCK_DIFFERENCE]
    return [agent for agent in agents if agent is not None] or agents
