"""The core of the Copilot source: the lines of a session in, facts out.

One file holds the work of all agents, each record with the id of its agent. What the client calls a turn is one answer
of the model; here a turn ends with an answer without calls, or with a record that says that it was interrupted.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from seqthink.core.remote_address import remote_address
from seqthink.sources.transcripts.copilot.calls import AgentCalls
from seqthink.sources.transcripts.copilot.shapes import (
    CopilotRecord,
    RecordData,
    WorkContext,
    decode_context,
    decode_record,
    is_known,
    may_be_read,
    records_in_damaged,
)
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Resumed,
    SessionDescribed,
    TurnEnded,
)
from seqthink.sources.transcripts.files.json_lines import bounded_id, microseconds_of_text
from seqthink.sources.transcripts.lane_names import task_name

_USUAL_HOST: Final = "github.com"
_MOVED: Final = "session.context_changed"
_HIDDEN_PROMPTS: Final = "skill-"
"""How the source of a prompt begins that the client put in: the text of a skill."""


class _Agent:
    """What is kept of one agent."""

    def __init__(self, agent: str | None) -> None:
        self.id = agent
        self.calls = AgentCalls(agent)
        self.is_in_turn = False


class CopilotReader:
    """Reads the file of a session.

    Args:
        session: the session's id, as its folder names it.
        counts: counts what cannot be read.
    """

    def __init__(self, session: str, counts: ReadCounts) -> None:
        self._session = session
        self._counts = counts
        self._time = 0
        self._agents: dict[str | None, _Agent] = {}
        self._starters: dict[str, str | None] = {}
        """The agent that made each call that may start a subagent, by the client's id of the call."""
        self._read: set[int] = set()
        """The hashes of the ids of the records that were read: a file may repeat some."""
        self._asked: dict[str, int] = {}
        self._readers: Mapping[str, Callable[[CopilotRecord, RecordData], Iterator[Fact]]] = {
            "session.start": self._described,
            "session.resume": self._resumed,
            _MOVED: self._moved,
            "session.compaction_complete": self._compacted,
            "session.error": self._interrupted,
            "session.shutdown": self._shut_down,
            "session.usage_record": self._used,
            "user.message": self._prompt,
            "assistant.message": self._message,
            "tool.execution_start": self._call,
            "tool.execution_complete": self._result,
            "subagent.started": self._started,
            "subagent.completed": self._subagent_ended,
            "subagent.failed": self._interrupted,
            "permission.requested": self._asked_for,
            "permission.completed": self._was_answered,
            "abort": self._interrupted,
        }

    @property
    def asked_permissions(self) -> Mapping[str, int]:
        """The calls that wait for the user's permission, with the time at which it was asked for."""
        return self._asked

    def wants(self, line: bytes) -> bool:
        """Return False for a record of a type that says nothing that is reported."""
        return may_be_read(line)

    def read(self, line: bytes) -> list[Fact]:
        """Return what the next line says. Never raises."""
        record = decode_record(line)
        if record is None:
            self._counts.corrupt += 1
            return [fact for whole in records_in_damaged(line) if self.wants(whole) for fact in self.read(whole)]
        identifier, kind = bounded_id(record.id), record.type or ""
        reader = self._readers.get(kind)
        if reader is None or identifier is None:
            self._counts.unknown += not is_known(kind)
            return []
        if hash(identifier) in self._read:
            return []
        self._read.add(hash(identifier))
        self._time = microseconds_of_text(record.timestamp) or self._time
        data = decode_context(line) if kind == _MOVED else record.data
        return list(reader(record, data or RecordData()))

    def settle(self) -> list[Fact]:
        """Return nothing: every record says what it says at once."""
        return []

    # The session

    def _described(self, _record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        yield self._at_work(data.context or WorkContext(), data.copilot_version)

    def _resumed(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        yield from self._moved(record, data)
        yield Resumed(id=_id_of(record), time=self._time)

    def _moved(self, _record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        if data.context is not None and data.context.cwd is not None:
            yield self._at_work(data.context)

    def _at_work(self, context: WorkContext, version: str | None = None) -> SessionDescribed:
        repository = context.repository
        is_settled = context.cwd is not None and not context.pending_git_context
        host = context.repository_host or _USUAL_HOST
        return SessionDescribed(
            id=self._session,
            time=self._time,
            client_version=version,
            cwd=context.cwd,
            branch=context.branch or "" if is_settled else None,
            remote=(remote_address(f"https://{host}/{repository}") or None) if repository else None,
        )

    def _compacted(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        if data.success:
            yield Compacted(
                id=_id_of(record),
                time=self._time,
                agent=bounded_id(record.agent_id),
                tokens_before=data.pre_compaction_tokens,
                tokens_after=data.post_compaction_tokens,
            )

    def _used(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        usage = data.usage
        if usage is not None and usage.input_tokens:
            yield ContextUsed(
                id=_id_of(record),
                time=self._time,
                agent=bounded_id(record.agent_id),
                tokens=usage.input_tokens + usage.output_tokens,
                window=usage.max_prompt_tokens,
                model=usage.model,
            )

    def _shut_down(self, record: CopilotRecord, _data: RecordData) -> Iterator[Fact]:
        """The client ends: nobody's turn goes on."""
        for number, agent in enumerate([agent for agent in self._agents.values() if agent.is_in_turn]):
            yield self._end_turn(agent, f"{_id_of(record)}/{number}", is_aborted=True)

    # Agents and their turns

    def _prompt(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        if not data.content or (data.source or "").startswith(_HIDDEN_PROMPTS):
            return
        agent = self._agent(record)
        agent.calls.give_up()
        agent.is_in_turn = True
        yield Prompt(id=_id_of(record), time=self._time, agent=agent.id, text=data.content)

    def _message(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        agent, identifier = self._agent(record), _id_of(record)
        agent.is_in_turn = True
        if data.reasoning_text or data.reasoning_opaque or data.encrypted_content:
            yield Reasoning(
                id=identifier, time=self._time, agent=agent.id, text=data.reasoning_text or "", model=data.model
            )
        said = data.content or ""
        if not data.tool_requests and data.chunk_index >= data.chunk_count - 1:
            yield self._end_turn(agent, identifier, said)
        elif said:
            yield Remark(id=identifier, time=self._time, agent=agent.id, text=said)
        for number, request in enumerate(data.tool_requests):
            call = agent.calls.asked(request, f"{identifier}/{number}", self._time)
            if call is not None:
                self._starters[call.client_id or call.id] = agent.id
                yield call

    def _end_turn(self, agent: _Agent, identifier: str, text: str = "", *, is_aborted: bool = False) -> Fact:
        agent.is_in_turn = False
        agent.calls.give_up()
        return TurnEnded(id=identifier, time=self._time, agent=agent.id, text=text, is_aborted=is_aborted)

    def _interrupted(self, record: CopilotRecord, _data: RecordData) -> Iterator[Fact]:
        agent = self._agent(record)
        if agent.is_in_turn:
            yield self._end_turn(agent, _id_of(record), is_aborted=True)

    def _started(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        agent, client_id = bounded_id(record.agent_id), bounded_id(data.tool_call_id)
        if agent is None:
            return
        starter = self._starters.get(client_id or "", bounded_id(data.parent_id))
        calls = self._agents[starter].calls if starter in self._agents else None
        yield AgentStarted(
            id=agent,
            time=self._time,
            agent=starter,
            name=task_name(data.agent_name or "", data.agent_description or ""),
            call=calls.newest(client_id) if calls is not None and client_id else None,
            model=data.model,
        )

    def _subagent_ended(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        """Its last message ended its turn, unless that was lost or there was none."""
        agent = self._agent(record)
        if agent.is_in_turn:
            yield self._end_turn(agent, _id_of(record), is_aborted=data.cancelled)

    # Calls

    def _call(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        agent = self._agent(record)
        call = agent.calls.begun(data, _id_of(record), self._time)
        if call is not None:
            self._starters[call.client_id or call.id] = agent.id
            yield call

    def _result(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        result = self._agent(record).calls.ended(data, self._time)
        if result is not None:
            self._asked.pop(result.id, None)
            yield result

    def _asked_for(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        client_id = bounded_id(data.permission_request.tool_call_id) if data.permission_request is not None else None
        call = self._agent(record).calls.newest(client_id) if client_id else None
        if call is not None:
            self._asked[call] = self._time
        return iter(())

    def _was_answered(self, record: CopilotRecord, data: RecordData) -> Iterator[Fact]:
        client_id = bounded_id(data.tool_call_id)
        call = self._agent(record).calls.newest(client_id) if client_id else None
        self._asked.pop(call or "", None)
        return iter(())

    def _agent(self, record: CopilotRecord) -> _Agent:
        identifier = bounded_id(record.agent_id)
        return self._agents.setdefault(identifier, _Agent(identifier))


def _id_of(record: CopilotRecord) -> str:
    return bounded_id(record.id) or ""
