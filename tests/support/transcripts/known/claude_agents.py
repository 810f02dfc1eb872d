"""Writes subagents of Claude Code as other versions do: among the main agent's records, or in the background."""

from collections.abc import Iterator
from typing import Any

from typing_extensions import override

from tests.support.transcripts.known.claude_files import ClaudeWriter
from tests.support.transcripts.known.sessions import Delegate, KnownAgent, KnownSession, Said
from tests.support.transcripts.known.writer import Asked, Place
from tests.support.transcripts.known.writes import Written


class InlineClaudeWriter(ClaudeWriter):
    """Writes one session as versions before 2 did: subagents are in the main file, and no record names them."""

    @override
    def agent_place(self, owner: Place, asked: Asked, agent: KnownAgent) -> Place:
        first = super().uuid_in(owner)
        return Place(owner.path, first, id=first)

    @override
    def work(self, owner: Place, asked: list[Asked]) -> Iterator[None]:
        begun = len(self.written.writes)
        yield from super().work(owner, asked)
        if sum(isinstance(one.call, Delegate) for one in asked) > 1:
            self.written.fragile += self.written.writes[begun:]

    @override
    def may_delegate(self, place: Place) -> bool:
        return place.agent is None

    @override
    def uuid_in(self, place: Place) -> str:
        return place.id if place.agent is not None and place.parent is None else super().uuid_in(place)

    @override
    def agent_in(self, place: Place) -> dict[str, Any]:
        return {}

    @override
    def reported(self, asked: Asked) -> dict[str, Any]:
        return {"totalDurationMs": 250, "totalToolUseCount": 1, "wasInterrupted": False}


class BackgroundClaudeWriter(ClaudeWriter):
    """Writes one session whose main agent does not wait for its subagents: a notification brings each report."""

    def __init__(self, session: KnownSession) -> None:
        super().__init__(session)
        self._running: list[tuple[Asked, Iterator[None]]] = []

    @override
    def write(self) -> Written:
        place = self.main()
        for _ in self.run(place, self.session.main):
            self._go_on(place)
        while self._running:
            self._go_on(place)
        return self.written

    @override
    def answered(self, place: Place, message: dict[str, Any], asked: Asked, report: Said | None) -> None:
        if asked.place is None or place.agent is not None:
            super().answered(place, message, asked, report)
            return
        block = {"type": "tool_result", "tool_use_id": asked.id, "content": "launched"}
        launched = {"isAsync": True, "status": "async_launched", "agentId": asked.place.agent}
        self.record(place, "user", message={"role": "user", "content": [block]}, toolUseResult=launched)

    @override
    def work(self, owner: Place, asked: list[Asked]) -> Iterator[None]:
        if owner.agent is not None:
            yield from super().work(owner, asked)
            return
        for one in asked:
            if isinstance(one.call, Delegate):
                one.place = self.agent_place(owner, one, one.call.agent)
                self._running.append((one, self.run(one.place, one.call.agent)))

    @override
    def report(self, owner: Place, asked: Asked) -> Said | None:
        return super().report(owner, asked) if owner.agent is not None else None

    def _go_on(self, main: Place) -> None:
        """Let each subagent that is at work do the next thing, or report."""
        for each in list(self._running):
            asked, work = each
            if next(work, work) is work:
                self._running.remove(each)
                self._notify(main, asked)

    def _notify(self, main: Place, asked: Asked) -> None:
        said = super().report(main, asked)
        agent = asked.place.agent if asked.place else ""
        ids = f"<task-id>{agent}</task-id>\n<tool-use-id>{asked.id}</tool-use-id>\n<status>completed</status>\n"
        content = f"<task-notification>\n{ids}<result>{said.text if said else ''}</result>\n</task-notification>"
        fields = {"timestamp": self.now(), "sessionId": self.id, "content": content}
        self.loose(main, {"type": "queue-operation", "operation": "enqueue", **fields}, (said,) if said else ())
        self.loose(main, {"type": "queue-operation", "operation": "dequeue", **fields})
