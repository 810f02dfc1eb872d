"""Records calls: a call becomes events, the events are journaled, then the answer is returned.

Standard library only. There is no ``await`` in it, so nothing can come between numbering a thought and writing it
(docs/journal.md, "Acknowledged means journaled").
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from seqthink.errors import JournalWriteError
from seqthink.journal.writer import AppendReceipt, DraftEvent, EndReason, JournalWriter, LineLocation
from seqthink.server.recording.calls import Answer, Call, Decision, error_body, journal_meta, reject
from seqthink.server.recording.chain_limit import ChainLimit
from seqthink.server.recording.note_inbox import NoteInbox, note_drafts
from seqthink.server.recording.recorder_state import RecorderState
from seqthink.server.tools.agents import identify_caller
from seqthink.server.tools.arguments import AcceptedThought, InvalidArguments, accept, quote_value
from seqthink.server.tools.thinking_tool import TOOL_NAME, TOOL_NAMES

if TYPE_CHECKING:
    from seqthink.server.recording.context_items import ContextItems


class ThoughtRecorder:
    """Accepts the tool calls of one session, journals them and answers: the thinking tool and the context tools."""

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
    ) -> None:
        self._writer = writer
        self._session_fields = session_fields
        self._max_thought_bytes = max_thought_bytes
        self._max_thoughts = max_thoughts
        self._show = show
        self._print_stderr = print_stderr
        self._context = context
        self._note_inbox = note_inbox
        self._state = RecorderState(max_thoughts)
        self._last_receipt = AppendReceipt(0)
        self._journal_trouble = ""
        self._has_warned = False

    def record(self, call: Call) -> Answer:
        """Return the answer to ``call``; its events are journaled by then."""
        return self.record_all([call])[0]

    def record_all(self, calls: Sequence[Call]) -> list[Answer]:
        """Return the answers to ``calls``, whose events are journaled in one write."""
        checkpoint = self._state.checkpoint()
        try:
            if not self._writer.has_begun:
                self._begin(calls[0])
                checkpoint = self._state.checkpoint()
            decisions = [self._decide(call) for call in calls]
            drafts, positions = self._collect_drafts(calls, decisions)
            notes = self._add_notes(decisions, drafts)
            drafts += notes
            # Calls without events report the state of the last append.
            receipt = self._writer.append(drafts) if drafts else self._last_receipt
        except JournalWriteError as error:
            self._state.roll_back(checkpoint)
            self._report_trouble(f"{error.reason}; calls are refused")
            return self._with_warning(calls, [Answer(error_body(error.reason), is_error=True)] * len(calls))
        except Exception as failure:  # noqa: BLE001 - any failure becomes an error answer, and the session continues
            self._state.roll_back(checkpoint)
            return [self._failure_answer(failure)] if len(calls) == 1 else [self.record(call) for call in calls]
        if self._note_inbox is not None and notes:
            self._note_inbox.confirm_delivery()
        if drafts:
            self._handle_receipt(receipt)
        self._show_accepted(decisions)
        if self._context is not None:
            self._context.record(drafts, receipt, self._writer.session)
        first = journal_meta(receipt, self._writer.session)
        others = journal_meta(receipt._replace(continues=""), self._writer.session)
        answers: list[Answer] = []
        for number, decision in enumerate(decisions):
            meta, seq = others if number else first, receipt.seq + positions[number]
            answers.append(
                Answer(decision.body, decision.is_error, meta, "", seq, decision.asks_user, decision.is_over_limit)
            )
        return self._with_warning(calls, answers)

    def limit_of(self, agent: str | None) -> ChainLimit:
        """Return the limit of an agent's chain."""
        return self._state.limit_of(agent)

    def may_ask_user(self, agent: str | None, more: int) -> bool:
        """Return whether the user might be asked about an agent's chain within ``more`` thoughts; True in doubt."""
        if not self._max_thoughts:
            return False
        is_unread = bool(self.session) and not self._writer.has_begun  # a resumed journal is read at the first call
        return is_unread or self.limit_of(agent).may_ask_user(more)

    @property
    def session(self) -> str:
        """The id of the session; empty before the first call."""
        return self._writer.session

    def refuse(self, tool: str, arguments: Any, meta: object) -> str:  # noqa: ANN401 - whatever a client sent
        """Journal a call whose arguments are not an object, and return the error."""
        return str(self.record(Call(tool, arguments, *identify_caller(meta))).body["error"])

    def append_event(self, kind: str, fields: Mapping[str, Any]) -> None:
        """Journal an event beside the answers, such as an audit. If that fails, print so on stderr."""
        try:
            self._handle_receipt(self._writer.append([DraftEvent(kind, fields)]))
        except JournalWriteError as error:
            self._print_stderr(f"an event of type {kind} is lost: {error.reason}")

    def end(self, reason: EndReason, error: str | None = None) -> None:
        """Close the journal; print on stderr what could not be written."""
        if lost := self._writer.end(reason, error):
            self._print_stderr(f"not all of session {self._writer.session} could be written: {lost}")

    def _begin(self, call: Call) -> None:
        self._state = RecorderState(self._max_thoughts)
        session_fields = {**self._session_fields, "client": call.client, "protocolVersion": call.protocol_version}
        if self._context is not None:
            self._context.clear()
        if torn := self._writer.begin(session_fields, self._restore):
            self._print_stderr(f"removed {torn} bytes of an unfinished line from session {self._writer.session}")

    def _restore(self, event: Mapping[str, Any], location: LineLocation) -> None:
        """Add an event of a resumed journal."""
        self._state.restore(event)
        if self._context is not None:
            self._context.restore(event, location)
        if self._note_inbox is not None:
            self._note_inbox.restore(event)

    def _collect_drafts(
        self, calls: Sequence[Call], decisions: Sequence[Decision]
    ) -> tuple[list[DraftEvent], list[int]]:
        """Return the events of ``calls`` and, for each call, the position of its own event among them.

        The first event of an agent is preceded by one that describes the agent.
        """
        drafts: list[DraftEvent] = []
        positions: list[int] = []
        for call, decision in zip(calls, decisions, strict=True):
            positions.append(len(drafts))
            if decision.draft is None:
                continue
            if (
                call.agent.id
                and "agent" in decision.draft.fields
                and (agent_update := self._state.agent_update(call.agent))
            ):
                drafts.append(DraftEvent("agent", agent_update._asdict()))
                positions[-1] += 1
            drafts.append(decision.draft)
        return drafts, positions

    def _add_notes(self, decisions: list[Decision], drafts: Sequence[DraftEvent]) -> list[DraftEvent]:
        """Add the user's notes to the answer of the first thought, and return their events."""
        position = next(
            (
                position
                for position, decision in enumerate(decisions)
                if decision.draft and decision.draft.kind == "thought"
            ),
            None,
        )
        notes = self._note_inbox.pending(self._writer.session) if self._note_inbox and position is not None else ()
        if not notes or position is None:
            return []
        carrier = decisions[position]
        decisions[position] = carrier._replace(body={**carrier.body, "notes": [note.text for note in notes]})
        distance = next(distance for distance, draft in enumerate(reversed(drafts), 1) if draft is carrier.draft)
        return note_drafts(notes, distance)

    def _handle_receipt(self, receipt: AppendReceipt) -> None:
        self._last_receipt = receipt._replace(continues="")
        if receipt.continues:
            self._state.start_new_file()
        trouble = f"the journal cannot be written: {receipt.error}; events wait in memory"
        self._report_trouble(trouble if receipt.waiting else "")

    def _report_trouble(self, trouble: str) -> None:
        """Print once that the journal cannot be written, and once that it can be written again."""
        if trouble and not self._journal_trouble:
            self._print_stderr(trouble)
        elif self._journal_trouble and not trouble:
            self._print_stderr("the journal can be written again; everything that waited is in it")
            self._has_warned = False
        self._journal_trouble = trouble

    def _with_warning(self, calls: Sequence[Call], answers: list[Answer]) -> list[Answer]:
        """Add the warning to the first answer whose client wants it, once per time of trouble."""
        if not self._journal_trouble or self._has_warned:
            return answers
        for position, call in enumerate(calls):
            if call.wants_warnings:
                answers[position] = answers[position]._replace(warning=self._journal_trouble)
                self._has_warned = True
                break
        return answers

    def _show_accepted(self, decisions: Sequence[Decision]) -> None:
        try:
            for decision in decisions:
                if decision.draft and decision.draft.kind == "thought":
                    self._show(decision.draft.fields)
        except Exception as failure:  # noqa: BLE001 - the thought is journaled; showing it is optional
            self._print_stderr(f"a thought cannot be shown: {type(failure).__name__}: {failure}")

    def _failure_answer(self, failure: Exception) -> Answer:
        reason = f"The server failed: {type(failure).__name__}: {failure}"
        self._print_stderr(reason)
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
                return self._decide_accepted(call, decided)

    def _decide_context(self, call: Call, context: "ContextItems") -> Decision:
        decided = context.decide(call.tool, call.arguments, self._writer, call.agent.id)
        if decided.error:
            return reject(call, decided.error, decided.body)
        draft = None if decided.event is None else DraftEvent("context", decided.event)
        return Decision(draft, decided.body, is_error=False)

    def _decide_accepted(self, call: Call, thought: AcceptedThought) -> Decision:
        fields = dict(thought.fields)
        requested = fields["totalThoughts"]
        total = max(requested, fields["thoughtNumber"])
        agent = call.agent.id
        hint = self._state.add(fields, agent)
        is_over_limit, asks_user = self._state.is_over_limit, False
        if is_over_limit:
            limit = self._state.limit_of(agent)
            asks_user = call.can_elicit and limit.may_ask_user()
            hint = hint if asks_user else _with_limit_message(limit, hint)
        fields.update(
            answeredNext=False if is_over_limit else None,
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
            "nextThoughtNeeded": fields["nextThoughtNeeded"] and not is_over_limit,
            "branches": self._state.branches,
            "thoughtHistoryLength": self._state.thought_count,
        }
        if hint:
            body["hint"] = hint
        return Decision(
            DraftEvent("thought", fields), body, is_error=False, asks_user=asks_user, is_over_limit=is_over_limit
        )


def _with_limit_message(limit: ChainLimit, hint: str | None) -> str:
    """Return the hint with the reason why no thought should follow added to it."""
    return " ".join([*([hint] if hint else []), limit.refused_message if limit.is_refused else limit.reached_message])


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:  # noqa: ANN401 - whatever a client sent
    return isinstance(value, dict)
