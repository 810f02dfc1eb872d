"""Turns the lines of one of Claude Code's files into facts."""

import hashlib
from collections.abc import Sequence
from enum import Enum
from typing import Final

from seqthink.sources.transcripts.call_ids import first_call_id
from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.description import Description
from seqthink.sources.transcripts.claude.lineage import Lineage
from seqthink.sources.transcripts.claude.process_lines import ProcessLine, ProcessLines
from seqthink.sources.transcripts.claude.record_ids import Origins, RecordId, RecordIds
from seqthink.sources.transcripts.claude.shapes import (
    KNOWN_TYPES,
    NOISE_TYPES,
    CompactMetadata,
    Record,
    decode_loose_record,
    decode_record,
    records_in_damaged,
)
from seqthink.sources.transcripts.claude.subagents import AgentFile, AgentMeta, InlineAgents
from seqthink.sources.transcripts.claude.work import Moment, Work
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    Compacted,
    ContextUsed,
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Rewound,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.files.json_lines import microseconds_of_text
from seqthink.sources.transcripts.files.processes import Processes

_TYPE_FIRST: Final = b'{"type":"'
_GOES_ON: Final = (Prompt, Reasoning, ToolCall)
"""What shows that somebody is at work: results and interruptions may also come late."""
_RECORD_START: Final = b'{"parentUuid":'
"""How most records begin; in another line, one that a crash glued to it."""


class FileKind(Enum):
    """What a file holds."""

    MAIN = "main"
    FORK = "fork"
    """A copy of an earlier session, and how it went on there."""
    AGENT = "agent"
    """The work of one subagent, whose facts are the main agent's if it is read alone."""


class ClaudeReader:
    """Reads one file; the readers of a session share what is known of its agents."""

    def __init__(
        self,
        kind: FileKind,
        session: str,
        agents: Subagents,
        counts: ReadCounts,
        *,
        agent: str | None = None,
        parent: str | None = None,
        origins: Origins | None = None,
        processes: Processes | None = None,
        run: str | None = None,
        beside: Lineage | None = None,
    ) -> None:
        """Read a file of ``session``.

        Args:
            kind: What the file holds.
            session: The session's id; of a fork: the fork's own.
            agents: What is known of the agents, shared.
            counts: Counts what cannot be read, shared.
            agent: The id of the agent whose facts these are: a subagent's, or of a fork its session's.
            parent: Of a subagent: the agent in whose session it works.
            origins: Of a fork: the records that it may be a copy of, shared; what comes before has been read.
            processes: The prompts with which further processes began, shared, also with readings that follow.
            run: Of a subagent: the run of the workflow that started it.
            beside: Of a subagent: the records of its session's own file.
        """
        self.lineage = Lineage()
        """The file's records."""
        self.session = session
        """The session's id."""
        self._kind = kind
        self._beside = beside
        self._agents = agents
        self._counts = counts
        self._agent = agent
        self._ids = RecordIds(self.lineage, origins, session)
        is_agent_file = kind is FileKind.AGENT
        self._processes = processes or Processes()
        self._lines = ProcessLines(self.lineage, agents, agent, is_agent_file=is_agent_file)
        # The line of the record that was read last.
        self._line: ProcessLine = self._lines.main
        self._inline = InlineAgents(agents)
        self._agent_file = (
            AgentFile(agent, parent, agents, run) if kind is FileKind.AGENT and agent is not None else None
        )
        self._time = 0
        self._description = Description(session, agent)
        # The agents of the calls whose results have not come yet, by the source's id of each call.
        self._open_calls: dict[str, str | None] = {}
        # Of a fork: the earlier session whose record it repeated last.
        self._copied_from: str | None = None
        self._has_own_records = kind is not FileKind.FORK
        # The ends of subagents' turns that the parent's file should report; its record may be damaged, or never come.
        self._unreported: dict[str, TurnEnded] = {}

    def wants(self, line: bytes) -> bool:
        """Return False for records of the types that say nothing here."""
        if not line.startswith(_TYPE_FIRST):
            return True
        kind = line[len(_TYPE_FIRST) : line.find(b'"', len(_TYPE_FIRST), 80)]
        return kind not in NOISE_TYPES or line.find(_RECORD_START, 1) > 0

    def describe(self, meta: AgentMeta) -> None:
        """Take in what is written beside a subagent's file."""
        if self._agent_file is not None:
            self._agent_file.describe(meta)

    def read(self, line: bytes) -> Sequence[Fact]:
        """Return what the next line says."""
        record = decode_record(line)
        kind = record.type if record is not None else None
        if record is None or kind is None:
            self._counts.corrupt += 1
            return [fact for whole in records_in_damaged(line) for fact in self.read(whole)]
        if kind.encode() in NOISE_TYPES:
            return []
        if kind not in KNOWN_TYPES:
            self._counts.unknown += 1
        own_time = microseconds_of_text(record.timestamp) or 0
        self._time = own_time or self._time
        uuid = record.uuid
        if uuid is None:
            facts = self._loose_record(kind, record, Moment(self._time, _line_id(line), None), line)
            # The session's own file in another folder holds the same line, so what it says has the same id.
            is_copy = not self._has_own_records and self._agent is not None
        else:
            known_as = self._ids.of(record, uuid, record.parent_uuid or record.logical_parent_uuid, own_time)
            if known_as is None:
                return []
            facts = self._tree_record(kind, record, known_as)
            is_copy = known_as.origin is not None
        if is_copy:
            return []
        if self._agent_file is not None:
            return [*self._agent_file.read(record, self._time), *facts]
        return [*self._description.record(record, self._time, self._copied_from), *facts]

    def settle(self) -> list[Fact]:
        """Return the answer of a turn whose end no record marks, if nothing more comes."""
        facts: list[Fact] = [
            fact for work in self._works for fact in work.turns.settle() if self._is_emitted(fact, work)
        ]
        facts += (fact for agent, end in self._unreported.items() for fact in self._end_of(agent, end))
        self._unreported.clear()
        return facts if self._has_own_records else []

    @property
    def _works(self) -> Sequence[Work]:
        return (*self._lines.works, *self._inline.works)

    def _end_of(self, agent: str, end: TurnEnded) -> Sequence[Fact]:
        """Return the end of a subagent if its parent did not report it; only what it said, if that has other words."""
        if self._agents.ended(agent):
            return [end]
        if self._agents.has_reported(agent, end.text):
            return []
        return [Remark(id=f"{end.id}:said", time=end.time, agent=agent, text=end.text)]

    def _tree_record(self, kind: str, record: Record, known_as: RecordId) -> list[Fact]:
        uuid, parent = known_as.id, known_as.parent
        at = Moment(self._time, self._owned(known_as), uuid, is_shared=known_as.is_shared)
        is_copy = known_as.origin is not None
        if is_copy:
            self._copied_from = known_as.origin
        elif not self._has_own_records:
            self._has_own_records = True
            # The turn that the copied records end with ends here: its answer is the original's.
            for copied in self._works:
                copied.turns.settle()
        is_process = not is_copy and uuid in self._processes
        begun = self._lines.begin(uuid, parent, self.session, self._time) if is_process else []
        line = self._line = self._lines.of(uuid, parent)
        follows_lost = parent is not None and parent not in self.lineage
        line.work.read_copy(is_copy=is_copy)
        inline = self._inline.work_of(record, uuid, parent) if self._kind is not FileKind.AGENT else None
        work = inline or line.work
        facts = self._facts(kind, record, work, at, parent)
        lost = self._given_up(work.agent, self._time) if follows_lost else []
        self._note_calls(facts)
        if work is line.work and self._kind is not FileKind.AGENT and any(isinstance(fact, _GOES_ON) for fact in facts):
            self._processes.note(one for one in self.lineage.left_by(parent) if not self._ids.is_copy(one))
        self.lineage.add(uuid, parent, known_as.said, known_as.time)
        main = [fact for fact in facts if not isinstance(fact, Rewound)]
        is_prompt = work is line.work and any(isinstance(fact, Prompt) for fact in facts)
        if main:
            self.lineage.note((fact.id for fact in main), is_prompt=is_prompt)
        self._description.leaf(uuid)
        return [*begun, *lost, *_context_used(record, work, at), *facts]

    def _owned(self, record: RecordId) -> str:
        """Return an id of a record that no other agent's has, as those have that are counted in each file."""
        if self._kind is not FileKind.AGENT or self._agent is None:
            return record.id
        beside = self._beside.said(record.id) if self._beside is not None else None
        is_others = beside is not None and beside != record.said
        return f"{self._agent}/{record.id}" if is_others else first_call_id(record.id, self._agent)

    def _given_up(self, agent: str | None, time: int) -> list[Result]:
        """Return ends for an agent's open calls, where records were lost before this one: they were answered there."""
        given_up = [call for call, owner in self._open_calls.items() if owner == agent]
        for call in given_up:
            del self._open_calls[call]
        return [Result(id=call, time=time, agent=agent, is_error=False, is_lost=True) for call in given_up]

    def _note_calls(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, ToolCall):
                self._open_calls[fact.id] = fact.agent
            elif isinstance(fact, Result):
                self._open_calls.pop(fact.id, None)
            elif isinstance(fact, TurnEnded):
                self._open_calls = {call: owner for call, owner in self._open_calls.items() if owner != fact.agent}

    def _facts(self, kind: str, record: Record, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        message = record.message
        is_models = kind == "assistant" and message is not None
        facts: list[Fact] = [] if is_models else [*work.turns.next_record(None)]
        match kind:
            case "assistant" if message is not None:
                facts += self._line.user.waiting_command(work, message.model)
                facts += work.assistant(record, message, at)
            case "user" if message is not None:
                facts += self._line.user.typed(record, message.content, work, at, parent)
            case "assistant" | "user":
                self._counts.corrupt += 1
            case "attachment":
                facts += self._line.user.attached(record, work, at, parent)
            case "system":
                facts += self._system(record, work, at)
            case _:
                facts += self._progress(record, at)
        return [fact for fact in facts if self._is_emitted(fact, work)]

    def _is_emitted(self, fact: Fact, work: Work) -> bool:
        """Return False for an end of a subagent's turn that its parent's file reports."""
        if not isinstance(fact, TurnEnded) or work.agent is None or fact.agent != work.agent:
            return True
        is_in_line = work in self._lines.works
        if is_in_line and (self._kind is not FileKind.AGENT or self._lines.main.user.prompt_count > 1):
            return True  # its parent had its result, and asked it something else
        if not self._agents.has_call(work.agent):
            return self._agents.ended(work.agent)
        if fact.text:
            self._unreported[work.agent] = fact
        return False

    def _system(self, record: Record, work: Work, at: Moment) -> list[Fact]:
        match record.subtype:
            case "turn_duration":
                return [*work.turns.timed(at.record, at.time)]
            case "compact_boundary":
                self._line.user.compacted()
                sizes = record.compact_metadata or CompactMetadata()
                return [
                    Compacted(
                        id=at.record,
                        time=at.time,
                        agent=work.agent,
                        tokens_before=sizes.pre_tokens,
                        tokens_after=sizes.post_tokens,
                    )
                ]
            case "local_command":
                self._line.user.command_answered()
                return []
            case _:
                return []

    def _progress(self, record: Record, at: Moment) -> list[Fact]:
        agent = record.data.agent_id if record.data is not None else None
        client_id = record.parent_tool_use_id
        if agent is None or client_id is None or self._agents.has_call(agent):
            return []
        call = self._agents.joined_by_client(agent, client_id, None)
        if call is None:
            return []
        return [self._agents.started(agent, at.time, call=call, parent=self._agent)]

    def _loose_record(self, kind: str, record: Record, at: Moment, line: bytes) -> list[Fact]:
        """Return what a record without a place in the tree says."""
        match kind:
            case "queue-operation":
                return self._line.user.queued(decode_loose_record(line), self._line.work, at)
            case "last-prompt":
                leaf = self._ids.newest(record.leaf_uuid)
                work = self._lines.of(None, leaf).work
                ended = [*work.turns.next_record(None), *(work.turns.left_at(leaf) if leaf else ())]
                return [fact for fact in ended if self._is_emitted(fact, work)]
            case "attachment":
                return self._line.user.attached(record, self._line.work, at, None)
            case "assistant" | "user" | "system":
                return self._facts(kind, record, self._line.work, at, None)
            case _:
                self._description.name(kind, decode_loose_record(line))
                return []


def _context_used(record: Record, work: Work, at: Moment) -> list[Fact]:
    """Return how much of the context an answer of the model took; the client records no window."""
    message = record.message if record.type == "assistant" else None
    if message is None or message.usage is None:
        return []
    usage = message.usage
    tokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
    if not tokens:  # an answer that the client made up
        return []
    used = tokens + usage.output_tokens
    return [ContextUsed(id=at.record, time=at.time, agent=work.agent, tokens=used, model=message.model)]


def _line_id(line: bytes) -> str:
    """Return an id for a record that has none."""
    return hashlib.blake2b(line, digest_size=12).hexdigest()
