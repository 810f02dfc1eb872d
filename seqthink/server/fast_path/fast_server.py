"""The fast path: a server on the standard library alone, which hands over to the SDK when it must.

Codex waits about a second for a server to start. Importing the SDK takes longer, and then the tool is missing from the
model's first turn. The fast server answers the requests that every session consists of, in one loop without threads:
everything that one read returned is journaled in one write, then answered in one write. At the first message that it
cannot answer, it returns that message, those after it and all state, for the SDK path (docs/tools.md, "Two protocol
versions, two paths").
"""

import gc
import os
import select
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, Final

from seqthink.journal.drafts import EndReason
from seqthink.journal.lines import LineBuffer
from seqthink.server.fast_path.audit_need import may_need_audit, without_audit
from seqthink.server.fast_path.request_handler import RequestHandler, answer_line
from seqthink.server.idle_loading import IdleLoading
from seqthink.server.recording.calls import Answer, Call
from seqthink.server.setup import Handover, ServerSetup
from seqthink.server.wire.jsonrpc import (
    INTERNAL_ERROR,
    ErrorReply,
    IncomingMessage,
    IncomingNotification,
    IncomingRequest,
    read_message,
    skipped_line_message,
    write_message,
)
from seqthink.server.wire.stdio import DRAIN_SECONDS, HANG_UP_EVENTS, MAX_READ_BYTES, NonBlockingWriter

_IDLE_MILLISECONDS: Final = 20
"""After this time without a message, what the SDK path needs is loaded if a call may soon need it."""
_THOUGHTS_AHEAD: Final = 8
"""This many thoughts before the user may have to be asked, the SDK path is expected to be needed."""


class FastServer:
    """Reads, records and answers, until the end or until the SDK is needed.

    ``loading`` loads the SDK path; it begins while the client says nothing, and only if a call may soon need it.
    """

    def __init__(self, setup: ServerSetup, loading: IdleLoading[Any]) -> None:
        self._setup = setup
        self._stdin = setup.stdio.stdin
        self._signals = setup.signals
        self._print_stderr = setup.print_stderr
        self._has_audits = setup.audit_options is not None
        self._loading = loading
        self._expects_sdk = False
        self._sdk_problem = ""
        self._handler = RequestHandler(setup.tools)
        self._writer = NonBlockingWriter(setup.stdio.stdout)
        self._buffer = LineBuffer()
        self._poll = _make_poll(setup.signals.wake_descriptor, setup.stdio.stdin)

    def serve(self) -> EndReason | Handover:
        """Answer until the client leaves or a signal arrives. Returns why it ended, or the state for the SDK path."""
        gc.freeze()  # loaded modules stay: no collection needs to scan them again
        while not self._signals.has_arrived:
            if not self._wait_until_readable():
                continue
            chunk = self._read()
            # At the end of input, a last line without a newline still counts.
            self._loading.stand_back()
            lines = self._buffer.feed_data(chunk or b"\n")
            unhandled = self._handle([message for line in lines if (message := self._decode_line(line)) is not None])
            if unhandled:
                return Handover(unhandled, self._buffer, self._writer, self._handler.handshake)
            self._loading.go_on()
            if not chunk:
                break
        self._drain()
        return "signal" if self._signals.has_arrived else "eof"

    def serve_without_sdk(self, messages: Sequence[IncomingMessage | ErrorReply], problem: str) -> EndReason:
        """Continue where `serve` handed over ``messages``, until the end: the SDK could not be loaded.

        Thoughts are journaled and answered as ever; what only the SDK can do is answered with ``problem``.
        """
        self._sdk_problem = problem
        self._handle(messages)
        outcome = self.serve()
        assert not isinstance(outcome, Handover), "without the SDK, nothing is left for it"
        return outcome

    def _wait_until_readable(self) -> bool:
        """Wait until a descriptor is ready, write pending output, and return whether there is something to read."""
        if not self._writer.unsent_bytes:
            ready = self._poll.poll(_IDLE_MILLISECONDS if self._expects_sdk else None)
            if not ready:
                self._begin_loading()
        else:
            poll = _make_poll(self._signals.wake_descriptor, writer=self._writer)
            # Read no more requests while too many answers are unread, but notice when the client leaves.
            poll.register(self._stdin, HANG_UP_EVENTS if self._writer.is_full else select.POLLIN)
            ready = poll.poll()
            self._writer.flush()
        return any(descriptor == self._stdin for descriptor, _ in ready)

    def _begin_loading(self) -> None:
        self._expects_sdk = False
        if not self._loading.has_begun:
            self._loading.begin()

    def _read(self) -> bytes:
        try:
            return os.read(self._stdin, MAX_READ_BYTES)
        except OSError:
            return b""

    def _decode_line(self, line: bytes) -> IncomingMessage | ErrorReply | None:
        message = read_message(line)
        if message is None and (skipped := skipped_line_message(line)):
            self._print_stderr(skipped)
        return message

    def _handle(self, messages: Sequence[IncomingMessage | ErrorReply]) -> Sequence[IncomingMessage | ErrorReply]:
        """Answer ``messages`` and return those that are left for the SDK."""
        replies: list[bytes | tuple[int | str, Call]] = []
        unhandled: Sequence[IncomingMessage | ErrorReply] = ()
        for position, message in enumerate(messages):
            match message:
                case IncomingRequest():
                    answer = self._answer(message, len(replies) + 1)
                    if answer is None:
                        unhandled = messages[position:]
                        break
                    replies.append((message.id, answer) if isinstance(answer, Call) else _line(message.id, answer))
                case ErrorReply():
                    replies.append(write_message(message.to_message()))
                case IncomingNotification():
                    self._handler.handle_notification(message)
                case _:
                    pass  # unsolicited response: ignore
        self._send_replies(replies)
        if replies:
            self._expects_sdk |= self._has_audits
            self._setup.make_recorder()  # after the first answer, while the client makes its next request
        self._expects_sdk &= not self._loading.has_begun
        return unhandled

    def _answer(self, request: IncomingRequest, more: int) -> Mapping[str, Any] | Call | ErrorReply | None:
        """Return what answers ``request``, or None if the SDK must; a call adds at most ``more`` thoughts."""
        answer = self._handler.answer(request)
        if self._sdk_problem:
            return ErrorReply(request.id, INTERNAL_ERROR, self._sdk_problem) if answer is None else answer
        if isinstance(answer, Call):
            return None if self._needs_sdk(request, answer, more) else answer
        if answer is not None:
            self._expects_sdk |= self._may_soon_ask_user(request, None, 0)
        return answer

    def _needs_sdk(self, request: IncomingRequest, call: Call, more: int) -> bool:
        """Return whether a call may need an audit or a question to the user; it adds at most ``more`` thoughts."""
        if self._has_audits and may_need_audit(call):
            return True
        if not self._may_soon_ask_user(request, call.agent.id, more):
            return False
        self._expects_sdk = True
        return self._setup.recorder.may_ask_user(call.agent.id, more)

    def _may_soon_ask_user(self, request: IncomingRequest, agent: str | None, more: int) -> bool:
        """Return whether a thought soon after the next ``more`` may have to ask the user, and the client can."""
        return self._handler.can_elicit(request) and self._setup.recorder.may_ask_user(agent, more + _THOUGHTS_AHEAD)

    def _send_replies(self, replies: Sequence[bytes | tuple[int | str, Call]]) -> None:
        calls = [reply[1] for reply in replies if isinstance(reply, tuple)]
        answers = iter(self._record(calls) if calls else ())
        lines = [
            reply if isinstance(reply, bytes) else answer_line(reply[1], reply[0], next(answers)) for reply in replies
        ]
        self._writer.send(b"".join(lines))

    def _record(self, calls: Sequence[Call]) -> Sequence[Answer]:
        answers = self._setup.recorder.record_all(calls)
        if not (self._has_audits and self._sdk_problem):
            return answers
        return [
            without_audit(call, answer, self._setup.recorder, self._sdk_problem)
            for call, answer in zip(calls, answers, strict=True)
        ]

    def _drain(self) -> None:
        """Wait for the client to read its answers, as long as it makes progress; after a signal, only briefly."""
        deadline = monotonic() + DRAIN_SECONDS
        while (unsent_bytes := self._writer.unsent_bytes) and (remaining := deadline - monotonic()) > 0:
            _make_poll(writer=self._writer).poll(remaining * 1000)
            self._writer.flush()
            if self._writer.unsent_bytes < unsent_bytes and not self._signals.has_arrived:
                deadline = monotonic() + DRAIN_SECONDS
        self._writer.abandon()


def _make_poll(*reads: int, writer: NonBlockingWriter | None = None) -> "select.poll":
    poll = select.poll()
    for descriptor in reads:
        poll.register(descriptor, select.POLLIN)
    if writer is not None:
        poll.register(writer.descriptor, select.POLLOUT)
    return poll


def _line(request_id: int | str, answer: Mapping[str, Any] | ErrorReply) -> bytes:
    if isinstance(answer, ErrorReply):
        return write_message(answer.to_message())
    return write_message({"jsonrpc": "2.0", "id": request_id, "result": answer})
