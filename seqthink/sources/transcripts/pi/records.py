"""The core of the pi source: the lines of one file in, facts out.

Records name the one before them. Where the user goes back, the next one continues an earlier one, in the same file; the
file of a copied session begins with the other's records, under the same ids.
"""

from collections.abc import Sequence
from typing import Final

from seqthink.sources.transcripts.call_ids import CallIds
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.edits.recorded import edits_of_diff
from seqthink.sources.transcripts.facts import (
    Compacted,
    ContextUsed,
    Fact,
    FileEdit,
    Prompt,
    Reasoning,
    Remark,
    Result,
    Rewound,
    SessionDescribed,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.files.json_lines import bounded_id, microseconds_of_text
from seqthink.sources.transcripts.files.record_tree import RecordTree
from seqthink.sources.transcripts.json_fields import PICTURE
from seqthink.sources.transcripts.pi.shapes import (
    PiMessage,
    PiRecord,
    blocks_of,
    decode_record,
    records_in_damaged,
    text_of,
)
from seqthink.sources.transcripts.tool_names import (
    failure_line,
    is_thinking_tool,
    next_in_answer,
    own_tool_name,
    tool_call,
)

MAX_ERROR_CHARS: Final = 2_000
_KNOWN: Final = frozenset(
    {
        *("session", "message", "model_change", "thinking_level_change", "usage", "compaction", "context_edit"),
        *("branch_summary", "custom", "custom_message", "label", "session_info"),
    }
)
_GOES_ON: Final = frozenset({"assistant", "toolResult"})
"""Messages that continue the newest record, whatever they name: nobody goes back before them."""


class PiReader:
    """Reads one file: a session's, or a copy's."""

    def __init__(
        self,
        session: str,
        counts: ReadCounts,
        owners: dict[str, str | None],
        *,
        agent: str | None = None,
        copied_from: str | None = None,
    ) -> None:
        """Read a file of a session.

        Args:
            session: The session's id; of a copy: the copy's own.
            counts: Counts what cannot be read, shared.
            owners: Whose each record of the session and its copies is that was read so far, by its id; shared.
            agent: The id of the agent whose facts these are: a copy's; None for the main agent.
            copied_from: Of a copy: the session that it was copied from.
        """
        self._session = session
        self._counts = counts
        self._owners = owners
        self._agent = agent
        self._copied_from = copied_from
        self._tree = RecordTree()
        self._calls = CallIds(agent)
        self._tools: dict[str, str] = {}
        self._time = 0
        self._described = SessionDescribed(id=session, time=0)

    def wants(self, line: bytes) -> bool:
        """Return True: every record has its place in the tree."""
        return bool(line)

    def read(self, line: bytes) -> Sequence[Fact]:
        """Return what the next line says."""
        record = decode_record(line)
        if record is None or record.type is None:
            self._counts.corrupt += 1
            return [fact for whole in records_in_damaged(line) for fact in self.read(whole)]
        self._time = microseconds_of_text(record.timestamp) or self._time
        if record.type == "session":
            return [self._describe(record)]
        if record.type not in _KNOWN or record.id is None:
            self._counts.unknown += 1
            return []
        if record.id in self._tree:
            return []
        self._calls.owner = self._owners.setdefault(record.id, self._agent)
        may_go_back = record.message is None or record.message.role not in _GOES_ON
        dropped = self._tree.add(record.id, record.parent_id, may_go_back=may_go_back)
        facts = self._facts(record, record.id)
        self._tree.note(fact.id for fact in facts)
        facts = [*self._used(record.message, record.id), *facts]
        if dropped:
            return [Rewound(id=record.id, time=self._time, agent=self._agent, dropped=dropped), *facts]
        return facts

    def _used(self, message: PiMessage | None, identifier: str) -> list[Fact]:
        """Return how much of the context an answer of the model took; the client records no window."""
        usage = message.usage if message is not None and message.role == "assistant" else None
        if message is None or usage is None or usage.context <= 0:
            return []
        return [
            ContextUsed(id=identifier, time=self._time, agent=self._agent, tokens=usage.context, model=message.model)
        ]

    def settle(self) -> list[Fact]:
        """Return nothing: each message says why it ended."""
        return []

    def _describe(self, record: PiRecord, title: str | None = None) -> SessionDescribed:
        self._described = SessionDescribed(
            id=self._session,
            time=self._time,
            agent=self._agent,
            cwd=record.cwd or self._described.cwd,
            title=title or self._described.title,
            forked_from=self._copied_from,
        )
        return self._described

    def _facts(self, record: PiRecord, identifier: str) -> list[Fact]:
        match record.type:
            case "message" if record.message is not None:
                return self._message(record.message, identifier)
            case "compaction":
                tokens = record.tokens_before
                return [Compacted(id=identifier, time=self._time, agent=self._agent, tokens_before=tokens)]
            case "session_info" if record.name and self._copied_from is None:
                return [self._describe(record, record.name)]
            case "message":
                self._counts.corrupt += 1
                return []
            case _:
                return []

    def _message(self, message: PiMessage, identifier: str) -> list[Fact]:
        match message.role:
            case "user":
                text = text_of(message) or (PICTURE if any(one.type == "image" for one in blocks_of(message)) else "")
                return [Prompt(id=identifier, time=self._time, agent=self._agent, text=text)] if text else []
            case "assistant":
                return self._model(message, identifier)
            case "toolResult":
                return self._result(message, identifier)
            case _:
                return []

    def _model(self, message: PiMessage, identifier: str) -> list[Fact]:
        blocks, said = blocks_of(message), text_of(message)
        tokens = message.usage.reasoning if message.usage is not None else None
        facts: list[Fact] = []
        for index, block in enumerate(blocks):
            if block.type == "thinking":
                is_first = not facts
                facts.append(
                    Reasoning(
                        id=f"{identifier}/{index}",
                        time=self._time,
                        agent=self._agent,
                        text=block.thinking or "",
                        # The client counts the tokens of a whole answer; its first piece of reasoning gets them.
                        tokens=(tokens or 0) if is_first else 0,
                        model=message.model,
                    )
                )
        is_broken, is_answer = message.stop_reason in {"aborted", "error"}, message.stop_reason != "toolUse"
        calls = [(index, block) for index, block in enumerate(blocks) if block.type == "toolCall"]
        if said and (calls or is_broken or not is_answer):
            facts.append(Remark(id=identifier, time=self._time, agent=self._agent, text=said))
        for index, block in calls:
            client_id = bounded_id(block.id) or ""
            facts.append(self._call(f"{identifier}/{index}", client_id, block.name or "", block.arguments))
        if is_broken:
            facts.append(TurnEnded(id=identifier, time=self._time, agent=self._agent, is_aborted=True))
        elif not calls and is_answer:
            facts.append(TurnEnded(id=identifier, time=self._time, agent=self._agent, text=said))
        return facts

    def _call(self, place: str, client_id: str, name: str, arguments: object) -> ToolCall:
        tool = own_tool_name(name) or "?"
        identifier = self._calls.of(client_id, place) if client_id else place
        self._tools[identifier] = tool
        return tool_call(identifier, client_id, tool, arguments, time=self._time, agent=self._agent)

    def _result(self, message: PiMessage, identifier: str) -> list[Fact]:
        client_id = bounded_id(message.tool_call_id)
        if client_id is None:
            return []
        call = self._calls.newest(client_id)
        text = text_of(message)
        nested = self._nested(message, identifier)
        patch = message.details.patch if message.details is not None else None
        return [*nested, self._end(call, is_error=message.is_error, text=text, edits=edits_of_diff(patch or ""))]

    def _nested(self, message: PiMessage, identifier: str) -> list[Fact]:
        """Return the calls that a script made: the client writes them down when it has ended."""
        facts: list[Fact] = []
        for index, nested in enumerate(message.nested_calls.calls if message.nested_calls is not None else ()):
            place, client_id = f"{identifier}/nested-{index}", bounded_id(nested.id) or ""
            call = self._call(place, client_id, nested.name or "", nested.arguments)
            facts += [call, self._end(call.id, is_error=nested.status == "error", text=nested.error or "")]
        return facts

    def _end(self, call: str, *, is_error: bool, text: str, edits: Sequence[FileEdit] = ()) -> Result:
        is_thinking = is_thinking_tool(self._tools.get(call, ""))
        error = (text[:MAX_ERROR_CHARS] if is_thinking else failure_line(text)) if is_error else ""
        return Result(
            id=call,
            time=self._time,
            agent=self._agent,
            is_error=is_error,
            error=error,
            answered_next=next_in_answer(text) if is_thinking and not is_error else None,
            edits=() if is_error else edits,
        )
