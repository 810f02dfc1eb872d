"""The subagents of one session of Cline CLI: nothing but what it was asked says which call started one."""

from collections.abc import Iterator

from seqthink.sources.transcripts.facts import AgentStarted, TurnEnded
from seqthink.sources.transcripts.lane_names import task_name


class ClineAgents:
    """What is known of the subagents of one session; the readers of its documents share it."""

    def __init__(self) -> None:
        # The calls and the agents that were not joined, by what was asked, in order; and the callers.
        self._calls: dict[str, list[str]] = {}
        self._agents: dict[str, list[str]] = {}
        self._callers: dict[str, str | None] = {}
        self._agent_of: dict[str, str] = {}
        self._known: set[str] = set()

    def called(self, call: str, caller: str | None, task: str, time: int) -> Iterator[AgentStarted]:
        """A call asks a new agent for a task; yield its start again if that agent is known already."""
        self._callers[call] = caller
        task = task.strip()
        waiting = self._agents.get(task)
        if waiting:
            yield self._started(waiting.pop(0), call, task, time)
        else:
            self._calls.setdefault(task, []).append(call)

    def asked(self, agent: str, task: str, time: int) -> Iterator[AgentStarted]:
        """An agent was asked for a task; yield its start, if it is the first."""
        if agent in self._known:
            return
        self._known.add(agent)
        waiting = self._calls.get(task)
        if waiting:
            yield self._started(agent, waiting.pop(0), task, time)
        else:
            self._agents.setdefault(task, []).append(agent)
            yield AgentStarted(id=agent, time=time, name=task_name("", prompt=task))

    def failed(self, call: str, time: int) -> Iterator[TurnEnded]:
        """A call that started an agent failed; yield the agent's end."""
        agent = self._agent_of.get(call)
        if agent is not None:
            yield TurnEnded(id=f"{call}/end", time=time, agent=agent, is_aborted=True)

    def _started(self, agent: str, call: str, task: str, time: int) -> AgentStarted:
        self._agent_of[call] = agent
        name = task_name("", prompt=task)
        return AgentStarted(id=agent, time=time, agent=self._callers.get(call), name=name, call=call)
