"""Records calls: a call becomes events, the events are journaled, then the answer is returned.

Standard library only. There is no ``await`` in it, so nothing can come between numbering a thought and writing it
(docs/journal.md, "Acknowledged means journaled").
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seqthink.core.errors import JournalWriteError
from seqthink.journal.drafts import AppendReceipt, DraftEvent, EndReason, LineLocation
from seqthink.journal.notes_file import Note
from seqthink.journal.writer import JournalWriter
from seqthink.server.recording.call_decider import CallDecider
from seqthink.server.recording.calls import Answer, Call, error_body
from seqthink.server.recording.chain_limit import ChainLimit
from seqthink.server.recording.journal_trouble import JournalTrouble, journal_meta
from seqthink.server.recording.note_inbox import NoteInbox, note_draft
from seqthink.server.recording.recorder_state import RecorderState
from seqthink.server.tools.agents import identify_caller

if TYPE_CHECKING:  # loaded with `--tools context` only
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
        on_session: Callable[[str], None] | None = None,
    ) -> None:
        self._writer = writer
        self._session_fields = session_fields
        self._max_thoughts = max_thoughts
        self._show = show
        self._print_stderr = print_stderr
        self._context = context
        self._note_inbox = note_inbox
        self._on_session = on_session  # called once for each journal, when its first lines are written
        self._reported_session = ""
        self._state = RecorderState(max_thoughts)
        self._decider = CallDecider(self._state, writer, context, max_thought_bytes)
        self._last_receipt = AppendReceipt(0)
        self._trouble = JournalTrouble(print_stderr)

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
            answers = [self._decider.decide(call) for call in calls]
            drafts, positions = self._collect_drafts(calls, answers)
            notes = self._add_notes(calls, answers, drafts)
            # Calls without events report the state of the last append.
            receipt = self._writer.append(drafts) if drafts else self._last_receipt
        except JournalWriteError as error:
            self._state.roll_back(checkpoint)
            self._trouble.update(f"{error.reason}; calls are refused")
            return self._trouble.add_warning(calls, [Answer(error_body(error.reason), is_error=True)] * len(calls))
        except Exception as failure:  # noqa: BLE001 - any failure becomes an error answer, and the session continues
            self._state.roll_back(checkpoint)
            return [self._failure_answer(failure)] if len(calls) == 1 else [self.record(call) for call in calls]
        if self._note_inbox is not None and notes:
            self._note_inbox.confirm_delivery(notes)
        if drafts:
            self._handle_receipt(receipt)
        self._show_accepted(answers)
        if self._context is not None:
            self._context.record(drafts, receipt, self._writer.session)
        first = others = journal_meta(receipt, self._writer.session)
        if receipt.continues:
            others = journal_meta(receipt._replace(continues=""), self._writer.session)
        answers = [
            answer.journaled(receipt.seq + position, others if number else first)
            for number, (answer, position) in enumerate(zip(answers, positions, strict=True))
        ]
        return self._trouble.add_warning(calls, answers)

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
        self._state.clear()
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

    def _collect_drafts(self, calls: Sequence[Call], answers: Sequence[Answer]) -> tuple[list[DraftEvent], list[int]]:
        """Return the events of ``calls`` and, for each call, the position of its own event among them.

        The first event of an agent is preceded by one that describes the agent.
        """
        drafts: list[DraftEvent] = []
        positions: list[int] = []
        for call, answer in zip(calls, answers, strict=True):
            positions.append(len(drafts))
            if answer.draft is None:
                continue
            if (
                call.agent.id
                and "agent" in answer.draft.fields
                and (agent_update := self._state.agent_update(call.agent))
            ):
                drafts.append(DraftEvent("agent", agent_update._asdict()))
                positions[-1] += 1
            drafts.append(answer.draft)
        return drafts, positions

    def _add_notes(self, calls: Sequence[Call], answers: list[Answer], drafts: list[DraftEvent]) -> list[Note]:
        """Add the user's notes to the answers of the thoughts that carry them, and their events; return the notes."""
        carriers = _accepted_thoughts(answers)
        if self._note_inbox is None or not carriers:
            return []
        due = self._note_inbox.pending(self._writer.session, [calls[carrier].agent.id for carrier in carriers])
        for note, place in due:
            carrier = answers[carriers[place]]
            texts = [*carrier.body.get("notes", ()), note.text]
            answers[carriers[place]] = carrier._replace(body={**carrier.body, "notes": texts})
            distance = next(number for number, draft in enumerate(reversed(drafts), 1) if draft is carrier.draft)
            drafts.append(note_draft(note, distance))
        return [note for note, _ in due]

    def _handle_receipt(self, receipt: AppendReceipt) -> None:
        self._last_receipt = receipt
        if receipt.continues:
            self._last_receipt = receipt._replace(continues="")
            self._state.start_new_file()
        self._trouble.update(
            f"the journal cannot be written: {receipt.error}; events wait in memory" if receipt.waiting else ""
        )
        if self._on_session is not None and not receipt.waiting and self._reported_session != self._writer.session:
            self._reported_session = self._writer.session
            self._on_session(self._reported_session)

    def _show_accepted(self, answers: Sequence[Answer]) -> None:
        try:
            for answer in answers:
                if answer.draft and answer.draft.kind == "thought":
                    self._show(answer.draft.fields)
        except Exception as failure:  # noqa: BLE001 - the thought is journaled; showing it is optional
            self._print_stderr(f"a thought cannot be shown: {type(failure).__name__}: {failure}")

    def _failure_answer(self, failure: Exception) -> Answer:
        reason = f"The server failed: {type(failure).__name__}: {failure}"
        self._print_stderr(reason)
        return Answer(error_body(reason), is_error=True)


def _accepted_thoughts(answers: Sequence[Answer]) -> list[int]:
    """Return the positions of the accepted thoughts among ``answers``."""
    return [
        position
        for position, answer in enumerate(answers)
        if answer.draft is not None and answer.draft.kind == "thought"
    ]
