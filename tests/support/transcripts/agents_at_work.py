"""Agents that think, edit files and commit in a real repository, and the transcripts that say so."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from typing_extensions import override

from seqthink.sources.transcripts.choosing import ChosenSession
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Fact,
    FileEdit,
    Prompt,
    Reasoning,
    Remark,
    Result,
    SessionDescribed,
    ToolCall,
)
from seqthink.sources.transcripts.source import FactBatch, FoundSession
from tests.support.audit.repositories import Repo
from tests.support.transcripts.fake_source import FakeSource

SECOND = 1_000_000
MINUTE = 60 * SECOND
BEGIN = 1_773_144_000 * SECOND
"""10 March 2026, 12:00 UTC."""


class WorkSource(FakeSource):
    """A source with one session, which says the same each time that it is opened."""

    label = "Claude Code"

    def __init__(self, facts: list[Fact]) -> None:
        super().__init__()
        self.name = "claude"
        self.facts = facts
        self.opened = 0

    @override
    def open(self, found: FoundSession) -> "WorkFeed":  # pyright: ignore[reportIncompatibleMethodOverride] - its own feed
        self.opened += bool(found.id)
        return WorkFeed(self.facts)


class WorkFeed:
    """Gives the facts of a session at once."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._batches = [FactBatch(list(facts), at_end=True)]
        self.counts = ReadCounts(read=1)
        self.agent_files: tuple[Path, ...] = ()
        self.unstarted_calls: Mapping[str, int] = {}

    def read(self, limit_bytes: int) -> FactBatch:
        assert limit_bytes > 0
        return self._batches.pop() if self._batches else FactBatch([], at_end=True)

    def unwritten_calls(self) -> tuple[ToolCall, ...]:
        return ()

    def is_abandoned(self) -> bool | None:
        return None

    def settle(self) -> list[Fact]:
        return []

    def close(self) -> None:
        pass


class Agent:
    """One session of one agent in a working tree."""

    def __init__(self, world: "World", name: str, root: Path) -> None:
        self.world, self.name, self.root = world, name, root
        self.facts: list[Fact] = [
            SessionDescribed(id=name, time=world.time, cwd=str(root), client_version="2.1.0", title=f"{name} at work")
        ]
        self.source = WorkSource(self.facts)
        self._thoughts = 0
        self._calls = 0

    def ask(self, text: str) -> None:
        """Be asked something."""
        self.facts.append(Prompt(id=f"{self.name}-p{len(self.facts)}", time=self.world.tick(), text=text))

    def think(self, text: str, *, agent: str | None = None, **more: object) -> None:
        """Think with the tool."""
        self._thoughts += 1
        arguments = {
            "thought": text,
            "thoughtNumber": self._thoughts,
            "totalThoughts": self._thoughts,
            "nextThoughtNeeded": True,
            **more,
        }
        self._call("sequentialthinking", agent=agent, arguments=arguments)

    def reason(self, text: str) -> None:
        """Think without the tool."""
        self.facts.append(Reasoning(id=f"{self.name}-r{len(self.facts)}", time=self.world.tick(), text=text))

    def say(self, text: str) -> None:
        """Say something between two calls."""
        self.facts.append(Remark(id=f"{self.name}-m{len(self.facts)}", time=self.world.tick(), text=text))

    def start(self, agent: str, name: str) -> None:
        """Start a sub-agent."""
        call = self._call("Task", summary=name)
        self.facts.append(AgentStarted(id=agent, time=self.world.tick(), name=name, call=call))

    def write(self, path: str, text: str, *, agent: str | None = None, is_error: bool = False) -> str:
        """Write a whole file, or try to; return the call's id."""
        edit = FileEdit(path=str(self.root / path), kind="write", after=text)
        call = self._call("Write", agent=agent, summary=path, edits=(edit,), is_error=is_error)
        if not is_error:
            self._put(path, text)
        return call

    def edit(self, path: str, before: str, after: str, *, agent: str | None = None) -> str:
        """Replace a part of a file; return the call's id."""
        text = (self.root / path).read_text("utf-8")
        assert before in text
        edit = FileEdit(path=path, kind="edit", before=before, after=after)
        call = self._call("Edit", agent=agent, summary=path, edits=(edit,))
        self._put(path, text.replace(before, after, 1))
        return call

    def run(self, command: str, *, does: bool = True) -> str:
        """Run a shell command, really unless it only says so; return the call's id."""
        call = self._call("Bash", summary=command[:200], command=command)
        if does:
            subprocess.run(command, shell=True, cwd=self.root, check=True, capture_output=True)
        return call

    def commit(self, message: str = "step") -> str:
        """Commit all, as an agent does; return the commit's id."""
        self._call("Bash", summary="git commit", command=f"git add -A && git commit -m '{message}'")
        return self.world.commit(message, self.root)

    def _put(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def _call(self, tool: str, *, agent: str | None = None, is_error: bool = False, **more: object) -> str:
        self._calls += 1
        identifier = f"{self.name}-c{self._calls}"
        fields: dict[str, object] = {"agent": agent, **more}
        self.facts.append(ToolCall(id=identifier, time=self.world.tick(), tool=tool, **fields))  # pyright: ignore[reportArgumentType] - any of its fields
        self.facts.append(Result(id=identifier, time=self.world.tick(), agent=agent, is_error=is_error))
        return identifier


class World:
    """A repository and its agents; time goes on with each thing that happens."""

    def __init__(self, folder: Path) -> None:
        self.repo = Repo(folder / "shop")
        self.root = self.repo.root
        self.time = BEGIN
        self.agents: list[Agent] = []

    def tick(self, by: int = 5 * SECOND) -> int:
        """Let time go on."""
        self.time += by
        return self.time

    def agent(self, name: str, root: Path | None = None) -> Agent:
        """Return a new agent, in the repository's own working tree or another one."""
        self.agents.append(Agent(self, name, root or self.root))
        return self.agents[-1]

    def by_hand(self, path: str, text: str) -> None:
        """Let the user change a file."""
        self.tick()
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def commit(self, message: str = "by hand", root: Path | None = None) -> str:
        """Commit all; return the commit's id."""
        self.tick()
        self.git("add", "-A", root=root)
        self.git("commit", "-q", "--allow-empty", "-m", message, root=root)
        return self.git("rev-parse", "HEAD", root=root).strip()

    def git(self, *arguments: str, root: Path | None = None) -> str:
        """Run git now, by the world's time."""
        date = f"@{self.time // SECOND} +0000"
        environment = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        before = {name: os.environ.get(name) for name in environment}
        os.environ.update(environment)
        repo = Repo.__new__(Repo)
        repo.root = root or self.root
        try:
            return repo.git(*arguments)
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})

    def all_sessions(self) -> list[ChosenSession]:
        """Return all sessions, as listed now."""
        return [
            ChosenSession(agent.source, FoundSession("claude", agent.name, Path(f"/{agent.name}"), facts, facts * 100))
            for agent in self.agents
            for facts in [len(agent.facts)]
        ]
