"""The core of the Qwen source: the lines of one file in, facts out.

Records name the one before them, so a rewind is a record that continues an earlier one. The file of a copied session
begins with the other's records, each with the session that it was copied from. A turn that the user stops leaves
nothing behind that says so.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from seqthink.sources.transcripts.call_ids import CallIds, first_call_id
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.files.damaged_lines import whole_records
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.record_tree import RecordTree
from seqthink.sources.transcripts.json_fields import Fields, id_in, number_in, object_in, text_in, time_in
from seqthink.sources.transcripts.qwen.agents import QwenAgents
from seqthink.sources.transcripts.qwen.messages import (
    calls_in,
    ends_in,
    prompt_of,
    said_in,
    thoughts_of,
    why_failed,
)
from seqthink.sources.transcripts.tool_names import is_thinking_tool, next_in_answer, tool_call

_NOTED: Final = re.compile(
    rb'\{"uuid":"([\w-]{1,64})","parentUuid":(?:null|"([\w-]{1,64})"),"sessionId":"[^"\\]*","timestamp":"[^"\\]*",'
    rb'"type":"system"(?:,"\w{1,20}":"(?:[^"\\]|\\.){0,5000}"){0,6}?,"subtype":"(\w+)"'
)
"""How a record begins that the client notes for itself, most of them about requests, and longer than all others."""
_TOLD: Final = frozenset({b"rewind", b"chat_compression", b"custom_title"})
"""What of that says something here."""
_NO_BRANCH: Final = "HEAD"
"""What is written for a commit that is checked out itself."""
_KNOWN: Final = frozenset({"user", "assistant", "tool_result", "system"})
_NOT_ASKED: Final = frozenset({"notification", "goal_runtime", "realtime_message"})
"""Messages that neither the user nor a caller wrote."""


class QwenReader:
    """Reads one file: a session's, a copy's, or a subagent's."""

    def __init__(
        self,
        session: str,
        counts: ReadCounts,
        agents: QwenAgents,
        owners: dict[str, str | None],
        *,
        agent: str | None = None,
        is_subagent: bool = False,
        copied_from: str | None = None,
    ) -> None:
        """Read a file of a session.

        Args:
            session: The session's id; of a copy: the copy's own.
            counts: Counts what cannot be read, shared.
            agents: What is known of the session's subagents, shared.
            owners: Whose each record of the session and its copies is that was read so far, by its id; shared.
            agent: The id of the agent whose facts these are: a subagent's, or a copy's; None for the main agent.
            is_subagent: Whether it is a subagent's file.
            copied_from: Of a copy: the session that it was copied from.
        """
        self.agent = agent
        """The agent whose facts these are; None for the main one."""
        self._session = session
        self._counts = counts
        self._agents = agents
        self._owners = owners
        self._is_subagent = is_subagent
        self._copied_from = copied_from
        self._tree = RecordTree()
        self._calls = CallIds(agent)
        self._tools: dict[str, str] = {}
        self._time = 0
        self._title: str | None = None
        self._branch: str | None = None
        self._is_described = False
        # What lies beside a subagent's file, until it is emitted.
        self._started: AgentStarted | None = None
        # What a subagent said last, while nothing shows whether calls follow; and before it was asked something else.
        self._said: Remark | None = None
        self._answers: list[Remark] = []

    def describe(self, started: AgentStarted) -> None:
        """Take in what lies beside a subagent's file."""
        self._agents.started(started)
        self._started = started

    def wants(self, line: bytes) -> bool:
        """Return True: every record has its place among the others."""
        return bool(line)

    def read(self, line: bytes) -> Sequence[Fact]:
        """Return what the next line says."""
        noted = _NOTED.match(line)
        if noted is not None and noted[3] not in _TOLD:
            self._place(*(part.decode() if part else None for part in noted.group(1, 2)))
            return []
        record = decode_object(line)
        if record is None:
            self._counts.corrupt += 1
            return [fact for whole in whole_records(line, _is_record) for fact in self.read(whole)]
        kind, identifier = text_in(record, "type"), id_in(record, "uuid")
        if kind not in _KNOWN or not identifier:
            self._counts.unknown += 1
            return []
        if identifier in self._tree:
            return []
        self._time = time_in(record, "timestamp") or self._time
        self._calls.owner = self.agent if self._is_subagent else self._owners.setdefault(identifier, self.agent)
        return [*self._described_by(record), *self._in_tree(kind, identifier, record)]

    def _place(self, identifier: str | None, parent: str | None) -> None:
        """Take in a record that says nothing here."""
        if identifier is not None and identifier not in self._tree:
            self._tree.add(identifier, parent, may_go_back=False)

    def settle(self) -> list[Fact]:
        """Return what a subagent said that its caller has not reported: its answer, if it was not reported at all."""
        said, self._said, answers, self._answers = self._said, None, self._answers, []
        if self.agent is None:
            return []
        facts: list[Fact] = []
        if said is not None and not self._agents.has_ended(self.agent):
            self._agents.answered(self.agent, said.text)
            facts.append(TurnEnded(id=said.id, time=said.time, agent=self.agent, text=said.text))
        elif said is not None:
            answers = [*answers, said]
        return [*(one for one in answers if not self._agents.has_reported(self.agent, one.text)), *facts]

    def _in_tree(self, kind: str, identifier: str, record: Fields) -> list[Fact]:
        own = first_call_id(identifier, self.agent) if self._is_subagent else identifier
        is_asked = kind == "user" and text_in(record, "subtype") not in _NOT_ASKED
        may_go_back = not self._is_subagent and (is_asked or text_in(record, "subtype") == "rewind")
        dropped = self._tree.add(identifier, id_in(record, "parentUuid") or None, may_go_back=may_go_back)
        facts: list[Fact] = self._facts(kind, own, record)
        self._tree.note(fact.id for fact in facts)
        facts = [*self._used(own, record), *facts]
        if dropped:
            return [Rewound(id=own, time=self._time, agent=self.agent, dropped=dropped), *facts]
        return facts

    def _used(self, identifier: str, record: Fields) -> list[Fact]:
        """Return how much of the context an answer of the model took."""
        tokens = number_in(object_in(record, "usageMetadata"), "totalTokenCount")
        if not tokens:
            return []
        window, model = number_in(record, "contextWindowSize"), text_in(record, "model") or None
        return [
            ContextUsed(id=identifier, time=self._time, agent=self.agent, tokens=tokens, window=window, model=model)
        ]

    def _described_by(self, record: Fields) -> list[Fact]:
        is_first, self._is_described = not self._is_described, True
        if self._is_subagent and self.agent is not None:
            started, self._started = self._started, None
            started = started or (AgentStarted(id=self.agent, time=self._time) if is_first else None)
            return [] if started is None else [started]
        title = text_in(object_in(record, "systemPayload"), "customTitle") or self._title
        branch = text_in(record, "gitBranch") or self._branch
        if not is_first and (title, branch) == (self._title, self._branch):
            return []
        self._title, self._branch = title, branch
        return [
            SessionDescribed(
                id=self._session,
                time=self._time,
                agent=self.agent,
                client_version=text_in(record, "version") or None,
                cwd=text_in(record, "cwd") or None,
                branch="" if branch == _NO_BRANCH else branch,
                title=title,
                forked_from=self._copied_from,
            )
        ]

    def _facts(self, kind: str, identifier: str, record: Fields) -> list[Fact]:
        match kind:
            case "user":
                return self._user(identifier, record)
            case "assistant":
                return self._model(identifier, record)
            case "tool_result":
                return self._results(record)
            case _:
                return self._system(identifier, record)

    def _user(self, identifier: str, record: Fields) -> list[Fact]:
        text = prompt_of(record)
        if text_in(record, "subtype") in _NOT_ASKED:
            return [*self._agents.ended_by_notice(text, identifier, self._time)]
        if self._said is not None:
            self._answers.append(self._said)
            self._said = None
        return [Prompt(id=identifier, time=self._time, agent=self.agent, text=text)] if text else []

    def _model(self, identifier: str, record: Fields) -> list[Fact]:
        model = text_in(record, "model") or None
        tokens = number_in(object_in(record, "usageMetadata"), "thoughtsTokenCount") or 0
        calls, said = calls_in(record), said_in(record)
        facts: list[Fact] = [
            # The client counts the tokens of a whole answer; its first thought gets them.
            Reasoning(
                id=f"{identifier}/{index}",
                time=self._time,
                agent=self.agent,
                text=text,
                tokens=0 if index else tokens,
                model=model,
            )
            for index, text in enumerate(thoughts_of(record))
        ]
        remark = Remark(id=identifier, time=self._time, agent=self.agent, text=said) if said else None
        before, self._said = self._said, None
        facts = [before, *facts] if before is not None else facts
        if remark is not None and calls:
            facts.append(remark)
        elif remark is not None and self._is_subagent:
            self._said = remark  # the calls of the same answer are in the next record
        elif remark is not None:
            facts.append(TurnEnded(id=identifier, time=self._time, agent=self.agent, text=said))
        for index, call in enumerate(calls):
            facts.append(self._call(f"{identifier}/call-{index}", call.client_id, call.tool, call.arguments))
        return facts

    def _call(self, place: str, client_id: str, tool: str, arguments: Any) -> ToolCall:  # noqa: ANN401 (a JSON value)
        identifier = self._calls.of(client_id, place) if client_id else place
        self._tools[identifier] = tool
        return tool_call(identifier, client_id, tool, arguments, time=self._time, agent=self.agent)

    def _results(self, record: Fields) -> list[Fact]:
        facts: list[Fact] = []
        for end in ends_in(record):
            identifier = self._calls.newest(end.client_id)
            tool = self._tools.get(identifier, "")
            is_thinking = is_thinking_tool(tool)
            facts.append(
                Result(
                    id=identifier,
                    time=self._time,
                    agent=self.agent,
                    is_error=end.is_error,
                    error=why_failed(end, tool) if end.is_error else "",
                    answered_next=next_in_answer(end.text) if is_thinking and not end.is_error else None,
                    edits=end.edits,
                )
            )
            facts += self._agents.ended_by_call(end.client_id, record, end.text, self._time)
        return facts

    def _system(self, identifier: str, record: Fields) -> list[Fact]:
        if text_in(record, "subtype") != "chat_compression":
            return []
        sizes = object_in(object_in(record, "systemPayload"), "info")
        return [
            Compacted(
                id=identifier,
                time=self._time,
                agent=self.agent,
                tokens_before=number_in(sizes, "originalTokenCount"),
                tokens_after=number_in(sizes, "newTokenCount"),
            )
        ]


def _is_record(value: dict[str, Any]) -> bool:
    return {"uuid", "type", "sessionId"} <= value.keys()
