"""What one agent does, from its messages and the results of its calls."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, NamedTuple

from seqthink.sources.transcripts.call_ids import CallIds, is_unique
from seqthink.sources.transcripts.claude.agents import AGENT_TOOLS, WORKFLOW_TOOL, Subagents, agent_names
from seqthink.sources.transcripts.claude.file_edits import edits_of_result
from seqthink.sources.transcripts.claude.message_ids import MessageIds
from seqthink.sources.transcripts.claude.prompts import without_wrappers
from seqthink.sources.transcripts.claude.shapes import (
    AgentResult,
    Block,
    Message,
    Record,
    blocks_of,
    decode_agent_result,
    decode_answer,
    text_of,
    texts_of,
)
from seqthink.sources.transcripts.claude.turns import Turns
from seqthink.sources.transcripts.edits.recorded import command_of, edits_asked
from seqthink.sources.transcripts.edits.tools import EDIT_TOOLS, SHELL_TOOLS
from seqthink.sources.transcripts.facts import Fact, Reasoning, Result, ToolCall
from seqthink.sources.transcripts.files.json_lines import decode_short_members, decode_value
from seqthink.sources.transcripts.tool_names import (
    call_summary,
    failure_line,
    is_thinking_tool,
    own_tool_name,
    question_of,
)

_MAX_SUMMARY_VALUE_BYTES: Final = 1 << 16
_MAX_ERROR_CHARS: Final = 4000
_NOT_ENDED: Final = frozenset(("async_launched", "remote_launched", "teammate_spawned", "running", "queued", "pending"))
_SYNTHETIC_MODEL: Final = "<synthetic>"


class Moment(NamedTuple):
    """The time and the record of a fact."""

    time: int
    record: str
    """The record's id."""
    uuid: str | None
    is_shared: bool = False
    """Whether another record has the same uuid, and may have the same ids in it."""


class _CallAnswer(NamedTuple):
    """What a call that may start subagents was answered."""

    text: str
    is_error: bool
    is_lost: bool
    """Whether the call itself was lost."""


class Work:
    """Follows one agent in one file.

    Args:
        agent: its id; None for the main agent.
        agents: what is known of the session's subagents.
        owner: whose ids its messages and calls have: the agent's, or None for the main agent and for a fork of it,
            which may be read as the session itself.
    """

    def __init__(self, agent: str | None, agents: Subagents, owner: str | None) -> None:
        self.agent = agent
        """Its id; None for the main agent."""
        self.turns = Turns(agent)
        """Its turns."""
        self._agents = agents
        self._owner = owner
        self._call_ids = CallIds(agent)
        self._is_copy = False
        self._message_ids = MessageIds()
        self._message: str | None = None
        # What distinguishes the reasoning blocks of the current message, in order.
        self._reasoned: dict[tuple[object, ...], None] = {}
        # The ids of its calls by the client's id, which several may have or lack, and by what they are called with.
        self._calls_at_once: dict[str | None, dict[bytes, str]] = {}
        # How often the current record has each call.
        self._calls_in_record: dict[tuple[str | None, bytes], int] = {}
        # Calls of the thinking tool whose result has not come yet.
        self._thinking_calls: set[str] = set()
        self._workflow_calls: set[str] = set()
        # Calls that change files, until their result has come.
        self._edit_calls: set[str] = set()
        # Calls that have their result: a second one is that of a call which was lost.
        self._answered: set[str] = set()

    def read_copy(self, *, is_copy: bool) -> None:
        """Take in whether the next record repeats one of the session that this one is a copy of."""
        self._is_copy = is_copy
        self._call_ids.owner = None if is_copy else self.agent

    def assistant(self, record: Record, message: Message, at: Moment) -> list[Fact]:
        """Return what a message of the model says; a record holds one of its blocks, or all so far."""
        given = None if at.is_shared else message.id
        message_id = self._owned(self._message_ids.of(given, record.request_id, self.turns.number, at.record))
        facts: list[Fact] = [*self.turns.next_record(message_id)]
        if record.is_api_error_message:
            return [*facts, *self.turns.broken(message_id, at.time, text_of(message.content))]
        if message.model == _SYNTHETIC_MODEL:
            return facts
        if message_id != self._message:
            self._message, self._reasoned, self._calls_at_once = message_id, {}, {}
        self._calls_in_record.clear()
        for block in blocks_of(message.content):
            facts += self._block(block, record, message, message_id, at)
        return facts

    def _owned(self, message_id: str) -> str:
        """Return the id of a message that no other agent has: some servers give the answers of all agents one id."""
        if self._owner is None and (self.agent is None or self._is_copy or is_unique(message_id)):
            return message_id
        return f"{self._owner or self.agent}/{message_id}"

    def _block(self, block: Block, record: Record, message: Message, message_id: str, at: Moment) -> Iterable[Fact]:
        kind = block.type or ""
        if kind == "text":
            return self._said(block.text or "", record, message, message_id, at)
        if kind in {"thinking", "redacted_thinking"}:
            return self._reasoning(block, record, message, message_id, at)
        if kind.endswith("tool_use"):
            return self._call(block, record, message_id, at)
        if kind.endswith("tool_result"):
            return self._result(block, record, at)
        return ()

    def _said(self, text: str, record: Record, message: Message, message_id: str, at: Moment) -> Iterable[Fact]:
        if not text.strip():
            return ()
        if self.agent is not None:
            self._agents.said(self.agent, text)
        place = record.api_block_index
        return self.turns.said(message_id, at.time, text, at.uuid, message.stop_reason, place)

    def _reasoning(self, block: Block, record: Record, message: Message, message_id: str, at: Moment) -> Iterable[Fact]:
        text = block.thinking or ""
        key = (record.api_block_index, block.signature, text)
        is_repeated = key in self._reasoned
        remarks = self.turns.reasoned(message_id, at.time, message.stop_reason, is_repeated=is_repeated)
        if is_repeated:
            return ()
        place = len(self._reasoned)
        self._reasoned[key] = None
        details = message.usage.output_tokens_details if message.usage is not None else None
        tokens = details.thinking_tokens if details is not None else None
        return [
            *remarks,
            Reasoning(
                id=f"{message_id}:{place}",
                time=at.time,
                agent=self.agent,
                text=text,
                # Each record of a message has its count.
                tokens=(tokens or 0) if place == 0 else 0,
                duration_ms=record.thinking_duration_ms,
                model=message.model,
            ),
        ]

    def _call(self, block: Block, record: Record, message_id: str, at: Moment) -> Iterable[Fact]:
        client_id = block.id
        call_id = self._call_id(client_id, message_id, block, is_shared=at.is_shared)
        remarks = self.turns.called()
        tool = own_tool_name(block.name or "")
        is_thought, starts_agent = is_thinking_tool(tool), tool in AGENT_TOOLS
        arguments = (
            decode_value(block.input)
            if is_thought or starts_agent
            else decode_short_members(block.input, _MAX_SUMMARY_VALUE_BYTES)
        )
        if is_thought:
            self._thinking_calls.add(call_id)
            return [
                *remarks,
                ToolCall(
                    id=call_id,
                    client_id=None if client_id == call_id else client_id,
                    time=at.time,
                    agent=self.agent,
                    tool=tool,
                    arguments=arguments,
                ),
            ]
        call = ToolCall(
            id=call_id,
            time=at.time,
            agent=self.agent,
            tool=tool,
            summary=call_summary(arguments),
            question=question_of(tool, arguments),
            edits=edits_asked(tool, block.input),
            command=command_of(tool, arguments),
            cwd=record.cwd if tool in SHELL_TOOLS else None,
        )
        if tool in EDIT_TOOLS:
            self._edit_calls.add(call_id)
        if tool == WORKFLOW_TOOL:
            self._workflow_calls.add(call_id)
        if not starts_agent:
            return [*remarks, call]
        self._agents.called(call_id, client_id or call_id, self.agent, arguments)
        started = self._agents.agent_of(call_id)
        return [
            *remarks,
            call,
            *([self._agents.started(started, at.time, call=call_id)] if started is not None else ()),
        ]

    def _call_id(self, client_id: str | None, message_id: str, block: Block, *, is_shared: bool) -> str:
        """Return the id of a call, the same whenever a record repeats it."""
        at_once = self._calls_at_once.setdefault(client_id, {})
        call = (client_id, (block.name or "").encode() + bytes(block.input))
        often = self._calls_in_record[call] = self._calls_in_record.get(call, 0) + 1
        name = blake2b(call[1] + b"\0" * (often - 1)).digest()
        if name not in at_once:
            place = f"{message_id}/{client_id or 'call'}" + (f":{len(at_once)}" if at_once or client_id is None else "")
            at_once[name] = place if client_id is None else self._call_ids.of(client_id, place, is_shared=is_shared)
        return at_once[name]

    def _answered_call(self, client_id: str | None) -> str | None:
        """Return the id of the call that a result answers: of several in one message the first that has none."""
        at_once = self._calls_at_once.get(client_id, {}).values()
        waiting = next((call for call in at_once if call not in self._answered), None)
        return waiting or (self._call_ids.newest(client_id) if client_id is not None else None)

    def results(self, record: Record, blocks: Iterable[Block], at: Moment) -> list[Fact]:
        """Return what the results in a user's record say."""
        facts: list[Fact] = []
        for block in blocks:
            if (block.type or "").endswith("tool_result"):
                facts += self._result(block, record, at)
        return facts

    def _result(self, block: Block, record: Record, at: Moment) -> Iterable[Fact]:
        client_id = block.tool_use_id
        call_id = self._answered_call(client_id)
        if call_id is None:
            return ()
        is_lost = call_id in self._answered or not (client_id is None or self._call_ids.is_known(client_id))
        # Whatever another tool returned may be long, and is not decoded.
        is_decoded = is_lost or call_id in self._workflow_calls or self._agents.call_of(call_id) is not None
        agent_result = decode_agent_result(record) if is_decoded else None
        if agent_result is None and not (client_id is None or self._call_ids.may_know(client_id)):
            return ()
        self._answered.add(call_id)
        text, error, answered_next = text_of(block.content), "", None
        if call_id in self._thinking_calls:
            self._thinking_calls.discard(call_id)
            if block.is_error:
                error = text[:_MAX_ERROR_CHARS]
            else:
                answered_next = _answered_next(record, text)
        elif block.is_error:
            error = failure_line(text.strip()[:_MAX_ERROR_CHARS])
        result = Result(
            id=call_id,
            time=at.time,
            agent=self.agent,
            is_error=block.is_error,
            error=error,
            answered_next=answered_next,
            edits=edits_of_result(record.tool_use_result) if call_id in self._edit_calls and not block.is_error else (),
        )
        self._edit_calls.discard(call_id)
        if not is_decoded:
            return [result]
        answer = _CallAnswer(text.strip(), is_error=block.is_error, is_lost=is_lost)
        return [result, *self._agent_result(call_id, agent_result or AgentResult(), answer, at)]

    def _agent_result(self, call_id: str, result: AgentResult, answer: _CallAnswer, at: Moment) -> Iterable[Fact]:
        """Return what a call's result says about the subagents that it started."""
        if call_id in self._workflow_calls:
            run = result.run_id
            return self._agents.run_started(run, call_id, self.agent, at.time) if run is not None else ()
        named = result.agent_id
        if answer.is_lost and (named is None or self._agents.has_ended(named)):
            return ()
        facts: list[Fact] = []
        if named is not None and answer.is_lost:
            self._agents.started_by_lost_call(named)
            names = agent_names(result.agent_type, None)
            facts.append(self._agents.started(named, at.time, names=names, parent=self.agent))
        elif named is not None and self._agents.joined(named, call_id):
            facts.append(self._agents.started(named, at.time, call=call_id, model=result.resolved_model))
        agent = named or self._agents.agent_of(call_id)
        self._agents.answered(call_id)
        if agent is None or result.status in _NOT_ENDED:
            return facts
        failure = answer.text[:_MAX_ERROR_CHARS] if answer.is_error else ""
        ended = self._agents.end(
            agent,
            at.time,
            # The call's own record may be damaged: then this is the id of an earlier one, which started another.
            call_id if self._agents.agent_of(call_id) == agent else agent,
            "\n\n".join(without_wrappers(texts_of(result.content))) or failure,
            otherwise=answer.text if result.status is None else "",
            is_aborted=bool(failure) or result.status not in {None, "completed"},
        )
        return [*facts, *ended]


def _answered_next(record: Record, text: str) -> bool | None:
    structured = record.mcp_meta.structured_content if record.mcp_meta is not None else None
    answer = structured or decode_answer(text)
    return answer.next_thought_needed if answer is not None else None
