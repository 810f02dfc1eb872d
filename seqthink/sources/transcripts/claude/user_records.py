"""What the records of the user say: prompts, results, interruptions, and what the client put there in their name."""

from collections import deque
from typing import Final

from seqthink.sources.transcripts.claude.agents import Subagents
from seqthink.sources.transcripts.claude.lineage import Lineage
from seqthink.sources.transcripts.claude.prompts import ReadText, UserText, read_notification, read_user_text
from seqthink.sources.transcripts.claude.shapes import Content, LooseRecord, Record, blocks_of, texts_of
from seqthink.sources.transcripts.claude.work import Moment, Work
from seqthink.sources.transcripts.facts import Compacted, Fact, Prompt, Resumed, Rewound

_IMAGE: Final = "[image]"
_ABSORBED: Final = "absorbed_mid_turn"
"""Why a typed message left the queue: the agent was given it while it worked."""
_MAX_QUEUED: Final = 1000


class UserRecords:
    """Follows the user of one file: a person, or of a subagent's file the agent that asks it."""

    def __init__(self, lineage: Lineage, agents: Subagents, main_work: Work, *, is_agent_file: bool) -> None:
        self.prompt_count = 0
        """How many prompts there were to the agent whose file it is."""
        self._lineage = lineage
        self._agents = agents
        self._main_work = main_work
        self._is_agent_file = is_agent_file
        # A command of the client that the model may still answer.
        self._command: tuple[Moment, str] | None = None
        self._boundary_emitted = False
        # Messages that wait, and those that the queue has reported, which an attachment may repeat.
        self._queued: deque[str] = deque(maxlen=_MAX_QUEUED)
        self._absorbed: list[str] = []
        # Messages that still wait in the queue, though an attachment has reported them.
        self._attached: list[str] = []

    def compacted(self) -> None:
        """A compaction was emitted; the summary that follows is the same one."""
        self._boundary_emitted = True

    def command_answered(self) -> None:
        """The client itself answered the command that it was given."""
        self._command = None

    def typed(self, record: Record, content: Content, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        """Return what a user's record says, which continues the record ``parent``."""
        facts = work.results(record, blocks_of(content), at)
        if facts:
            beside = read_user_text(texts_of(content))
            is_typed = beside.kind is UserText.PROMPT and not record.is_meta
            if beside.kind is UserText.INTERRUPTION or is_typed:
                facts += self._user_text(beside, work, at, parent)
            return facts
        if record.is_compact_summary:
            was_emitted, self._boundary_emitted = self._boundary_emitted, False
            return [] if was_emitted else [Compacted(id=at.record, time=at.time, agent=work.agent)]
        is_first = self._is_agent_file and self.prompt_count == 0
        if not is_first and (record.is_meta or record.is_visible_in_transcript_only):
            return []
        texts = _typed_texts(content)
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
                return self.notified(read.text, at)
            case UserText.NOT_TYPED:
                # What a command printed shows that the client itself answered it.
                self._command = None if read.text else waiting
        return []

    def waiting_command(self, work: Work, model: str | None) -> list[Fact]:
        """Return the prompt that a command is now that ``model`` says something."""
        if self._command is None or work is not self._main_work or model == "<synthetic>":
            return []
        (at, text), self._command = self._command, None
        return self._prompt(text, work, at, None, may_rewind=False)

    def _prompt(self, text: str, work: Work, at: Moment, parent: str | None, *, may_rewind: bool = True) -> list[Fact]:
        self.prompt_count += work is self._main_work
        facts: list[Fact] = [*work.turns.begun()]
        if may_rewind and at.uuid is not None and work is self._main_work:
            dropped = self._lineage.left_behind(parent, at.uuid)
            if dropped:
                facts.append(Rewound(id=at.record, time=at.time, agent=work.agent, dropped=dropped))
        facts += self._inline_started(text, work, at)
        return [*facts, Prompt(id=at.record, time=at.time, agent=work.agent, text=text)]

    def _inline_started(self, prompt: str, work: Work, at: Moment) -> list[Fact]:
        agent = work.agent
        if agent is None or work is self._main_work or self._agents.has_call(agent):
            return []
        call = self._agents.find_call(prompt)
        if call is not None:
            self._agents.joined(agent, call.id)
        return [self._agents.started(agent, at.time, call=call.id if call else None, parent=self._main_work.agent)]

    def attached(self, record: Record, work: Work, at: Moment, parent: str | None) -> list[Fact]:
        """Return what an attachment says: a prompt that was typed meanwhile, or a hook's context."""
        attached = record.attachment
        if attached is None:
            return []
        if attached.hook_name == "SessionStart:resume":
            return [Resumed(id=at.record, time=at.time, agent=work.agent)]
        if attached.type != "queued_command" or record.is_meta:
            return []
        texts = _typed_texts(attached.prompt)
        if attached.command_mode == "task-notification":
            return self.notified("\n\n".join(texts), at)
        text = "\n\n".join(texts)
        if text in self._absorbed:
            self._absorbed.remove(text)
            return []
        if text in self._queued:
            self._attached.append(text)
        return self._user_text(read_user_text(texts), work, at, parent)

    def queued(self, record: LooseRecord, work: Work, at: Moment) -> list[Fact]:
        """Return what a change of the queue of typed messages says: the end of an agent, or a message that was read.

        Since 2.1.247 a message that the agent is given while it works is in no other record.
        """
        text = "\n\n".join(_typed_texts(record.content))
        if record.operation == "enqueue":
            self._queued.append(text)
            return self.notified(text, at)
        is_absorbed = record.reason == _ABSORBED
        taken = self._all_from_queue(text) if record.operation == "popAll" else [self._taken_from_queue(text)]
        new = [one for one in taken if not self._was_attached(one)]
        messages = enumerate(new if is_absorbed else [])
        return [fact for place, one in messages for fact in self._absorbed_message(one, place, work, at)]

    def _absorbed_message(self, text: str, place: int, work: Work, at: Moment) -> list[Fact]:
        """Return the prompt that a message is which the agent was given while it worked."""
        self._absorbed.append(text)
        read = read_user_text([text])
        if read.kind is not UserText.PROMPT:
            return []
        return self._prompt(read.text, work, at._replace(record=f"{at.record}:{place}") if place else at, None)

    def _was_attached(self, text: str) -> bool:
        """Return whether an attachment has reported a message that leaves the queue."""
        if text not in self._attached:
            return False
        self._attached.remove(text)
        return True

    def _all_from_queue(self, text: str) -> list[str]:
        taken = list(self._queued) or [text]
        self._queued.clear()
        return taken

    def _taken_from_queue(self, text: str) -> str:
        """Return the message that left the queue; a record that does not hold it means the one that waits longest."""
        if not text:
            return self._queued.popleft() if self._queued else ""
        if text in self._queued:
            self._queued.remove(text)
        return text

    def notified(self, text: str, at: Moment) -> list[Fact]:
        """Return the end of a background agent, if the text reports one."""
        note = read_notification(text)
        if note is None:
            return []
        # Calls may share an id; an agent's own names it alone.
        agent = note.agent if note.agent is not None and self._agents.is_known(note.agent) else None
        if agent is None and note.call is not None:
            agent = self._agents.agent_of(note.call)
        if agent is None:
            return []
        end_id = self._agents.id_of_end(agent)
        return [*self._agents.end(agent, at.time, end_id, note.text, is_aborted=not note.is_complete)]


def _typed_texts(content: Content) -> list[str]:
    """Return the texts of what was typed; a picture alone has a word for it."""
    texts = texts_of(content)
    is_picture = not texts and any(block.type in {"image", "document"} for block in blocks_of(content))
    return [_IMAGE] if is_picture else texts
