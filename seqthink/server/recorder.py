"""A call becomes events, the events are journaled, then the answer is given: in that order, with nothing between.

Standard library only, and no ``await``: nothing can come between the number of a thought and its line in the journal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from seqthink.errors import JournalWriteError
from seqthink.journal.writer import AppendReceipt, DraftEvent, EndReason, JournalWriter, LineLocation
from seqthink.server.agents import identify_caller
from seqthink.server.arguments import AcceptedThought, InvalidArguments, accept, quote_value
from seqthink.server.audit_options import AuditOptions
from seqthink.server.calls import Answer, Call, Decision, error_body, journal_meta, reject
from seqthink.server.chain_limit import ChainLimit
from seqthink.server.note_inbox import NoteInbox, note_drafts
from seqthink.server.recorder_state import RecorderState
from seqthink.server.tools import TOOL_NAME, TOOL_NAMES

if TYPE_CHECKING:
    from seqthink.server.context_items import ContextItems


class ThoughtRecorder:
    """The tools of one session: accepts calls, journals them, answers. The thinking tool, and with it the context's."""

    def __init__(
        self,
        writer: JournalWriter,
        *,
        session_fields: Mapping[str, Any],
        max_thought_bytes: int,
        max_thoughts: int,
        show: Callable[[Mapping[str, Any]], None],
        print_stderr: Callable[[str], None],
        context: "ContextItems | None" = None,
        note_inbox: NoteInbox | None = None,
        audit_options: AuditOptions | None = None,
    ) -> None:
        self.audit_options = audit_options
        self._writer = writer
        self._about = session_fields
        self._max_thought_bytes = max_thought_bytes
        self._max_thoughts = max_thoughts
        self._show = show
        self._say = print_stderr
        self._context = context
        self._notes = note_inbox
        self._memory = RecorderState(max_thoughts)
        self._receipt = AppendReceipt(0)
        self._trouble = ""
        self._has_warned = False

    @property
    def has_context(self) -> bool:
        """Whether the context tools are there, too."""
        return self._context is not None

    def record(self, call: Call) -> Answer:
        """Return the answer to ``call``, which is journaled when it returns; or the refusal that says why not."""
        return self.record_all([call])[0]

    def record_all(self, calls: Sequence[Call]) -> list[Answer]:
        """Return the answers to ``calls``, which are journaled in one write."""
        mark = self._memory.checkpoint()
        try:
            if not self._writer.has_begun:
                self._begin(calls[0])
                mark = self._memory.checkpoint()
            decisions = [self._decide(call) for call in calls]
            drafts, places = self._drafts(calls, decisions)
            notes = self._add_notes(decisions, drafts)
            drafts += notes
            # What writes nothing owns up to what waits since the last append.
            receipt = self._writer.append(drafts) if drafts else self._receipt
        except JournalWriteError as error:
            self._memory.roll_back(mark)
            self._note_trouble(f"{error.reason}; calls are refused")
            return self._warned(calls, [Answer(error_body(error.reason), is_error=True)] * len(calls))
        except Exception as failure:  # noqa: BLE001 - whatever went wrong, the model is told and the session goes on
            self._memory.roll_back(mark)
            return [self._failed(failure)] if len(calls) == 1 else [self.record(call) for call in calls]
        if self._notes is not None and notes:
            self._notes.confirm_delivery()
        if drafts:
            self._note_receipt(receipt)
        self._show_accepted(decisions)
        if self._context is not None:
            self._context.record(drafts, receipt, self._writer.session)
        first = journal_meta(receipt, self._writer.session)
        others = journal_meta(receipt._replace(continues=""), self._writer.session)
        answers: list[Answer] = []
        for number, decision in enumerate(decisions):
            meta, seq = others if number else first, receipt.seq + places[number]
            answers.append(
                Answer(decision.body, decision.is_error, meta, "", seq, decision.asks_user, decision.is_over_limit)
            )
        return self._warned(calls, answers)

    def limit_of(self, agent: str | None) -> ChainLimit:
        """Return how long the chain of an agent may become."""
        return self._memory.limit_of(agent)

    def may_ask_user(self, agent: str | None, more: int) -> bool:
        """Return whether the person may have to be asked once an agent has ``more`` thoughts; in doubt, they may."""
        if not self._max_thoughts:
            return False
        is_unread = bool(self.session) and not self._writer.has_begun  # a resumed journal is read at the first call
        return is_unread or self.limit_of(agent).may_ask_user(more)

    @property
    def session(self) -> str:
        """The id of the session; empty before the first call."""
        return self._writer.session

    def refuse(self, tool: str, arguments: Any, meta: object) -> str:  # noqa: ANN401 - whatever a client sent
        """Journal a call whose arguments are no object, and return what is wrong with it."""
        return str(self.record(Call(tool, arguments, *identify_caller(meta))).body["error"])

    def write(self, kind: str, fields: Mapping[str, Any]) -> None:
        """Journal what came of a call beside its answer; what cannot be written is told on stderr."""
        try:
            self._note_receipt(self._writer.append([DraftEvent(kind, fields)]))
        except JournalWriteError as error:
            self._say(f"an event of type {kind} is lost: {error.reason}")

    def end(self, reason: EndReason, error: str | None = None) -> None:
        """Close the journal; say what could not be written."""
        if lost := self._writer.end(reason, error):
            self._say(f"not all of session {self._writer.session} could be written: {lost}")

    def _begin(self, call: Call) -> None:
        self._memory = RecorderState(self._max_thoughts)
        about = {**self._about, "client": call.client, "protocolVersion": call.protocol_version}
        if self._context is not None:
            self._context.clear()
        if torn := self._writer.begin(about, self._recall):
            self._say(f"cut {torn} bytes of an unfinished line off session {self._writer.session}")

    def _recall(self, event: Mapping[str, Any], place: LineLocation) -> None:
        """Take in an event of the journal that is gone on in."""
        self._memory.restore(event)
        if self._context is not None:
            self._context.restore(event, place)
        if self._notes is not None:
            self._notes.restore(event)

    def _drafts(self, calls: Sequence[Call], decisions: Sequence[Decision]) -> tuple[list[DraftEvent], list[int]]:
        """Return the events that tell of ``calls``, and for each call the place of its own among them.

        Before the first event that names an agent stands one that says what is known of it.
        """
        drafts: list[DraftEvent] = []
        places: list[int] = []
        for call, decision in zip(calls, decisions, strict=True):
            places.append(len(drafts))
            if decision.draft is None:
                continue
            if call.agent.id and "agent" in decision.draft.fields and (news := self._memory.agent_update(call.agent)):
                drafts.append(DraftEvent("agent", news._asdict()))
                places[-1] += 1
            drafts.append(decision.draft)
        return drafts, places

    def _add_notes(self, decisions: list[Decision], drafts: Sequence[DraftEvent]) -> list[DraftEvent]:
        """Let the first thought's answer carry what the person wrote, and return the events that tell of it."""
        place = next((place for place, one in enumerate(decisions) if one.draft and one.draft.kind == "thought"), None)
        notes = self._notes.pending(self._writer.session) if self._notes and place is not None else ()
        if not notes or place is None:
            return []
        carrying = decisions[place]
        decisions[place] = carrying._replace(body={**carrying.body, "notes": [note.text for note in notes]})
        behind = next(behind for behind, draft in enumerate(reversed(drafts), 1) if draft is carrying.draft)
        return note_drafts(notes, behind)

    def _note_receipt(self, receipt: AppendReceipt) -> None:
        self._receipt = receipt._replace(continues="")
        if receipt.continues:
            self._memory.start_new_file()
        waits = f"the journal cannot be written: {receipt.error}; events wait in memory"
        self._note_trouble(waits if receipt.waiting else "")

    def _note_trouble(self, trouble: str) -> None:
        """Say once that the journal cannot be written, and once that it can again."""
        if trouble and not self._trouble:
            self._say(trouble)
        elif self._trouble and not trouble:
            self._say("the journal can be written again; all that waited is in it")
            self._has_warned = False
        self._trouble = trouble

    def _warned(self, calls: Sequence[Call], answers: list[Answer]) -> list[Answer]:
        """Let the first answer whose client listens carry the warning, once for each time of trouble."""
        if not self._trouble or self._has_warned:
            return answers
        for place, call in enumerate(calls):
            if call.wants_warnings:
                answers[place] = answers[place]._replace(warning=self._trouble)
                self._has_warned = True
                break
        return answers

    def _show_accepted(self, decisions: Sequence[Decision]) -> None:
        try:
            for decision in decisions:
                if decision.draft and decision.draft.kind == "thought":
                    self._show(decision.draft.fields)
        except Exception as failure:  # noqa: BLE001 - it is journaled; that it cannot be shown is no reason to stop
            self._say(f"a thought cannot be shown: {type(failure).__name__}: {failure}")

    def _failed(self, failure: Exception) -> Answer:
        reason = f"The server failed: {type(failure).__name__}: {failure}"
        self._say(reason)
        return Answer(error_body(reason), is_error=True)

    def _decide(self, call: Call) -> Decision:
        context = self._context if self._context is not None and call.tool in self._context.tool_names else None
        if context is None and call.tool not in TOOL_NAMES:
            names = ", ".join([TOOL_NAME, *(self._context.tool_names if self._context else ())])
            error = f"Unknown tool: {quote_value(call.tool)}; there is {names}"
            return reject(call, error, error_body(error))
        if not _is_object(call.arguments):
            problem = f"must be an object, got {quote_value(call.arguments)}"
            error = f"Invalid arguments: {problem}"
            return reject(call, error, error_body(error, {"arguments": problem}))
        return self._decide_thought(call) if context is None else self._decide_context(call, context)

    def _decide_thought(self, call: Call) -> Decision:
        decided = accept(call.arguments, self._max_thought_bytes)
        match decided:
            case InvalidArguments():
                return reject(call, decided.message, error_body(decided.message, decided.problems))
            case AcceptedThought():
                return self._accepted(call, decided)

    def _decide_context(self, call: Call, context: "ContextItems") -> Decision:
        decided = context.decide(call.tool, call.arguments, self._writer, call.agent.id)
        if decided.error:
            return reject(call, decided.error, decided.body)
        draft = None if decided.event is None else DraftEvent("context", decided.event)
        return Decision(draft, decided.body, is_error=False)

    def _accepted(self, call: Call, thought: AcceptedThought) -> Decision:
        fields = dict(thought.fields)
        requested = fields["totalThoughts"]
        total = max(requested, fields["thoughtNumber"])
        agent = call.agent.id
        hint = self._memory.add(fields, agent)
        is_over, asks = self._memory.is_over_limit, False
        if is_over:
            limits = self._memory.limit_of(agent)
            asks = call.can_elicit and limits.may_ask_user()
            hint = hint if asks else _stopped(limits, hint)
        fields.update(
            answeredNext=False if is_over else None,
            totalThoughts=total,
            requestedTotal=requested if requested < total else None,
            hint=hint,
            coerced=list(thought.coerced) or None,
            agent=agent,
            call=call.id,
        )
        body: dict[str, Any] = {
            "thoughtNumber": fields["thoughtNumber"],
            "totalThoughts": total,
            "nextThoughtNeeded": fields["nextThoughtNeeded"] and not is_over,
            "branches": self._memory.branches,
            "thoughtHistoryLength": self._memory.thought_count,
        }
        if hint:
            body["hint"] = hint
        return Decision(DraftEvent("thought", fields), body, is_error=False, asks_user=asks, is_over_limit=is_over)


def _stopped(limits: ChainLimit, hint: str | None) -> str:
    """Return why no thought should follow, behind any other hint."""
    return " ".join(
        [*([hint] if hint else []), limits.refused_message if limits.is_refused else limits.reached_message]
    )


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:  # noqa: ANN401 - whatever a client sent
    return isinstance(value, dict)
