"""Turns the lines of one of Claude Code's files into facts."""

import hashlib
from collections.abc import Sequence
from enum import Enum
from typing import Final

from msgspec import Raw, Struct

from seqthink.transcripts.claude.agents import Agents
from seqthink.transcripts.claude.description import Description
from seqthink.transcripts.claude.lineage import Lineage
from seqthink.transcripts.claude.prompts import ReadText, UserText, read_notification, read_user_text
from seqthink.transcripts.claude.shapes import (
    KNOWN_TYPES,
    NOISE_TYPES,
    Record,
    blocks_of,
    decode_attachment,
    decode_message,
    decode_record,
    is_true,
    object_in,
    text_in,
    texts_of,
)
from seqthink.transcripts.claude.work import Moment, Work
from seqthink.transcripts.counts import ReadCounts
from seqthink.transcripts.facts import AgentStarted, Compacted, Fact, Prompt, Resumed, Rewound, TurnEnded
from seqthink.transcripts.files.json_lines import bounded_id, count_or_none, microseconds_of_text

_TYPE_FIRST: Final = b'{"type":"'
_IMAGE: Final = "[image]"


class FileKind(Enum):
    """What a file holds."""

    MAIN = "main"
    FORK = "fork"
    """A copy of an earlier session, and how it went on there."""
    AGENT = "agent"
    """The work of one subagent."""


class AgentMeta(Struct, frozen=True, kw_only=True):
    """What is written beside a subagent's file."""

    name: str | None = None
    call: str | None = None
    model: str | None = None


class ClaudeReader:
    """Reads one file; the readers of a session share what is known of its agents."""

    def __init__(
        self,
        kind: FileKind,
        session: str,
        agents: Agents,
        counts: ReadCounts,
        *,
        agent: str | None = None,
        parent: str | None = None,
        earlier: Sequence["ClaudeReader"] = (),
    ) -> None:
        """Read a file of ``session``.

        Args:
            kind: What the file holds.
            session: The session's id; of a fork: the fork's own.
            agents: What is known of the agents, shared.
            counts: Counts what cannot be read, shared.
            agent: The id of the agent whose facts these are: a subagent's, or of a fork its session's.
            parent: Of a subagent: the agent in whose session it works.
            earlier: Of a fork: the readers of what it may be a copy of, the original first, which have read theirs.
        """
        self.lineage = Lineage()
        """The file's records."""
        self.session = session
        """The session's id."""
        self._kind = kind
        self._agents = agents
        self._counts = counts
        self._agent = agent
        self._parent = parent
        self._earlier = earlier
        self._work = Work(agent, agents)
        self._time = 0
        self._description = Description(session, agent)
        self._command: tuple[Moment, str] | None = None
        # Of a fork: the earlier session whose record it repeated last.
        self._copied_from: str | None = None
        self._has_own_records = kind is not FileKind.FORK
        self._compacted = False
        # Of a subagent.
        self._meta = AgentMeta()
        self._told: AgentStarted | None = None
        self._prompt_count = 0
        # Subagents whose records stand among the main agent's (before version 2): of each record the agent.
        self._inline: dict[str, str] = {}
        self._inline_work: dict[str, Work] = {}

    def wants(self, line: bytes) -> bool:
        """Return False for records of the types that say nothing here."""
        if not line.startswith(_TYPE_FIRST):
            return True
        return line[len(_TYPE_FIRST) : line.find(b'"', len(_TYPE_FIRST), 80)] not in NOISE_TYPES

    def describe(self, meta: AgentMeta) -> None:
        """Take in what is written beside a subagent's file."""
        self._meta = meta
        if meta.call is not None and self._agent is not None:
            self._agents.joined(self._agent, meta.call)

    def read(self, line: bytes) -> Sequence[Fact]:
        """Return what the next line says."""
        record = decode_record(line)
        kind = text_in(record.type) if record is not None else None
        if record is None or kind is None:
            self._counts.corrupt += 1
            return []
        if kind not in KNOWN_TYPES:
            self._counts.unknown += 1
        self._time = microseconds_of_text(text_in(record.timestamp)) or self._time
        uuid = bounded_id(text_in(record.uuid))
        if uuid is None:
            at = Moment(self._time, _line_id(line), None)
            return self._without_copies(record, self._loose_record(kind, record, at), is_copy=not self._has_own_records)
        if uuid in self.lineage:
            return []
        return self._without_copies(record, self._tree_record(kind, record, uuid), is_copy=self._is_copy(uuid))

    def _tree_record(self, kind: str, record: Record, uuid: str) -> list[Fact]:
        parent = bounded_id(text_in(record.parent_uuid)) or bounded_id(text_in(record.logical_parent_uuid))
        at = Moment(self._time, uuid, uuid)
        work = self._work_of(record, uuid, parent)
        facts = self._facts(kind, record, work, at, parent)
        self.lineage.add(uuid, parent)
        main = [fact for fact in facts if not isinstance(fact, Rewound)]
        is_prompt = work is self._work and any(isinstance(fact, Prompt) for fact in facts)
        if main:
            self.lineage.note((fact.id for fact in main), is_prompt=is_prompt)
        self._description.leaf(uuid)
        return facts

    def _without_copies(self, record: Record, facts: list[Fact], *, is_copy: bool) -> list[Fact]:
        if is_copy:
            return []
        if self._kind is FileKind.AGENT:
            return [*self._agent_told(record), *facts]
        described = self._description.record(record, self._time, self._copied_from)
        return [*described, *facts]

    def _is_copy(self, uuid: str) -> bool:
        for reader in self._earlier:
            if uuid in reader.lineage:
                self._copied_from = reader.session
                return True
        self._has_own_records = True
        return False

    def _facts(self, kind: str, record: Record, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        message = decode_message(record.message)
        is_assistant = kind == "assistant"
        message_id = bounded_id(text_in(message.id)) if message and is_assistant else None
        ended = work.turns.next_record(message_id)
        facts: list[Fact] = []
        if kind == "assistant" and message is not None:
            facts = [*self._waiting_command(work, message.model), *work.assistant(record, message, at)]
        elif kind == "user" and message is not None:
            facts = self._user(record, message.content, work, at, parent)
        elif kind in {"assistant", "user"}:
            self._counts.corrupt += 1
        elif kind == "attachment":
            facts = self._attachment(record, work, at, parent)
        elif kind == "system":
            facts = self._system(record, work, at)
        elif kind == "progress":
            facts = self._progress(record, at)
        return [fact for fact in (*ended, *facts) if self._is_told(fact, work)]

    def _is_told(self, fact: Fact, work: Work) -> bool:
        """Return False for an end of a subagent's turn that its parent's file tells."""
        is_own_end = isinstance(fact, TurnEnded) and fact.agent == work.agent
        if not is_own_end or work.agent is None or (work is self._work and self._kind is not FileKind.AGENT):
            return True
        if work is self._work and self._prompt_count > 1:
            return True  # its parent had its result, and asked it something else
        return not self._agents.has_call(work.agent) and self._agents.ended(work.agent)

    def _work_of(self, record: Record, uuid: str, parent: str | None) -> Work:
        if self._kind is FileKind.AGENT or not is_true(record.is_sidechain):
            return self._work
        agent = bounded_id(text_in(record.agent_id)) or (self._inline.get(parent) if parent else None) or uuid
        self._inline[uuid] = agent
        return self._inline_work.setdefault(agent, Work(agent, self._agents))

    def _user(self, record: Record, content: Raw, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        blocks = list(blocks_of(content))
        facts = work.results(record, blocks, at)
        if facts:
            if read_user_text(texts_of(content)).kind is UserText.INTERRUPTION:
                facts += work.turns.broken(at.record, at.time, "")
            return facts
        if is_true(record.is_compact_summary):
            was_told, self._compacted = self._compacted, False
            return [] if was_told else [Compacted(id=at.record, time=at.time, agent=work.agent)]
        is_first = self._kind is FileKind.AGENT and self._prompt_count == 0
        if not is_first and (is_true(record.is_meta) or is_true(record.is_visible_in_transcript_only)):
            return []
        texts = texts_of(content)
        if not texts and any(text_in(block.type) in {"image", "document"} for block in blocks):
            texts = [_IMAGE]
        read = ReadText(UserText.PROMPT, "\n\n".join(texts)) if is_first else read_user_text(texts)
        return self._user_text(read, work, at, parent)

    def _user_text(self, read: ReadText, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        waiting, self._command = self._command, None
        match read.kind:
            case UserText.PROMPT:
                return self._prompt(read.text, work, at, parent)
            case UserText.COMMAND:
                self._command = (at, read.text)
            case UserText.INTERRUPTION:
                return [*work.turns.broken(at.record, at.time, "")]
            case UserText.NOTIFICATION:
                return self._notified(read.text, at)
            case UserText.NOT_TYPED:
                # What a command printed shows that the client itself answered it.
                self._command = None if read.text else waiting
        return []

    def _waiting_command(self, work: Work, model: Raw) -> list[Fact]:
        if self._command is None or work is not self._work or text_in(model) == "<synthetic>":
            return []
        (at, text), self._command = self._command, None
        return self._prompt(text, work, at, None, may_rewind=False)

    def _prompt(self, text: str, work: Work, at: Moment, parent: str | None, *, may_rewind: bool = True) -> list[Fact]:
        self._prompt_count += work is self._work
        facts: list[Fact] = [*work.turns.begun()]
        if may_rewind and at.uuid is not None and work is self._work:
            dropped = self.lineage.left_behind(parent)
            if dropped:
                facts.append(Rewound(id=at.record, time=at.time, agent=work.agent, dropped=dropped))
        facts += self._inline_started(text, work, at)
        return [*facts, Prompt(id=at.record, time=at.time, agent=work.agent, text=text)]

    def _inline_started(self, prompt: str, work: Work, at: Moment) -> list[Fact]:
        agent = work.agent
        if agent is None or work is self._work or self._agents.has_call(agent):
            return []
        call = self._agents.find_call(prompt)
        if call is not None:
            self._agents.joined(agent, call.id)
        return [self._agents.started(agent, at.time, call=call.id if call else None, parent=self._agent)]

    def _attachment(self, record: Record, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        attached = decode_attachment(record.attachment)
        if attached is None:
            self._counts.corrupt += 1
            return []
        if text_in(attached.hook_name) == "SessionStart:resume":
            return [Resumed(id=at.record, time=at.time, agent=work.agent)]
        if text_in(attached.type) != "queued_command" or is_true(record.is_meta):
            return []
        texts = texts_of(attached.prompt)
        if text_in(attached.command_mode) == "task-notification":
            return self._notified("\n\n".join(texts), at)
        return self._user_text(read_user_text(texts), work, at, parent)

    def _system(self, record: Record, work: Work, at: Moment) -> list[Fact]:
        match text_in(record.subtype):
            case "turn_duration":
                return [*work.turns.timed(at.record, at.time)]
            case "compact_boundary":
                self._compacted = True
                sizes = object_in(record.compact_metadata)
                before, after = count_or_none(sizes.get("preTokens")), count_or_none(sizes.get("postTokens"))
                return [
                    Compacted(id=at.record, time=at.time, agent=work.agent, tokens_before=before, tokens_after=after)
                ]
            case "local_command":
                self._command = None
                return []
            case _:
                return []

    def _progress(self, record: Record, at: Moment) -> list[Fact]:
        agent = bounded_id(object_in(record.data).get("agentId"))
        call = bounded_id(text_in(record.parent_tool_use_id))
        if agent is None or call is None or not self._agents.joined(agent, call):
            return []
        return [self._agents.started(agent, at.time, call=call, parent=self._agent)]

    def _notified(self, text: str, at: Moment) -> list[Fact]:
        told = read_notification(text)
        if told is None:
            return []
        agent = self._agents.agent_of(told.call) if told.call else None
        if agent is None and told.agent is not None and self._agents.has_call(told.agent):
            agent = told.agent
        if agent is None or not self._agents.ended(agent):
            return []
        return [
            TurnEnded(
                id=told.call or agent,
                time=at.time,
                agent=agent,
                text=told.text or self._agents.last_text(agent),
                is_aborted=not told.is_complete,
            )
        ]

    def _loose_record(self, kind: str, record: Record, at: Moment) -> list[Fact]:
        """Return what a record without a place in the tree says."""
        match kind:
            case "queue-operation":
                text = text_in(record.content) if text_in(record.operation) == "enqueue" else None
                return self._notified(text, at) if text else []
            case "last-prompt":
                leaf = text_in(record.leaf_uuid)
                ended = [*self._work.turns.next_record(None), *(self._work.turns.left_at(leaf) if leaf else ())]
                return [fact for fact in ended if self._is_told(fact, self._work)]
            case "attachment":
                return self._attachment(record, self._work, at, None)
            case "assistant" | "user" | "system":
                return self._facts(kind, record, self._work, at, None)
            case _:
                self._description.title(kind, record)
                return []

    def _agent_told(self, record: Record) -> list[Fact]:
        """Return what is newly known of the subagent whose file this is."""
        if self._agent is None:
            return []
        model = self._meta.model or (self._told.model if self._told else None)
        if model is None and text_in(record.type) == "assistant":
            message = decode_message(record.message)
            model = text_in(message.model) if message else None
        known = AgentMeta(name=self._meta.name, call=self._meta.call, model=model)
        if self._told and (self._told.name, self._told.call, self._told.model) == (known.name, known.call, known.model):
            return []
        started = self._agents.started(
            self._agent, self._time, call=known.call, name=known.name, model=model, parent=self._parent
        )
        self._told = AgentStarted(
            id=started.id, time=started.time, name=known.name, call=known.call, model=model, agent=started.agent
        )
        return [started]


def _line_id(line: bytes) -> str:
    """Return an id for a record that has none."""
    return hashlib.blake2b(line, digest_size=12).hexdigest()
