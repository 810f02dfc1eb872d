"""The fast front: a server on the standard library alone, and the way to the SDK server for what is not its own.

Codex gives a server about a second from its start; importing the SDK takes longer, and then the tool is absent from the
model's first turn. The front answers what every session consists of, in one loop without threads: what one read
brought is journaled in one write, then answered in one write. At the first message that is not surely its own it hands
over all it knows, that message and those behind it first, and is done; both lanes share the rest of this package.
"""

import gc
import os
import select
from collections.abc import Callable, Sequence
from time import monotonic
from typing import NamedTuple

from seqthink.journal.lines import LineBuffer
from seqthink.journal.writer import EndReason
from seqthink.server.jsonrpc import (
    ErrorReply,
    IncomingMessage,
    IncomingNotification,
    IncomingRequest,
    read_message,
    skipped_line_message,
    write_message,
)
from seqthink.server.protocol import Handshake
from seqthink.server.recorder import ThoughtRecorder
from seqthink.server.request_handler import PendingCall, RequestHandler
from seqthink.server.signals import Signals
from seqthink.server.stdio import DRAIN_SECONDS, HANG_UP_EVENTS, MAX_READ_BYTES, NonBlockingWriter, StdioPair
from seqthink.server.tools import SchemaStyle


class Handover(NamedTuple):
    """All that a lane must know to go on where another stopped."""

    messages: Sequence[IncomingMessage | ErrorReply]
    """What was read and not dealt with."""
    buffer: LineBuffer
    writer: NonBlockingWriter
    handshake: Handshake


def run(
    thinking: ThoughtRecorder,
    wire: StdioPair,
    signals: Signals,
    *,
    schema: SchemaStyle,
    print_stderr: Callable[[str], None],
    use_fast_path: bool,
) -> None:
    """Serve MCP on ``wire`` until the client leaves or a signal comes; then close the journal."""
    reason: EndReason = "error"
    error: str | None = None
    left: EndReason | Handover = Handover((), LineBuffer(), NonBlockingWriter(wire.stdout), Handshake())
    try:
        if use_fast_path:
            left = FastServer(thinking, wire, signals, schema, print_stderr).serve()
        if isinstance(left, Handover):
            left = _serve_with_sdk(left, thinking, wire, signals, schema, print_stderr)
        reason = left
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
        raise
    finally:
        thinking.end(reason, error)


def _serve_with_sdk(
    handover: Handover,
    thinking: ThoughtRecorder,
    wire: StdioPair,
    signals: Signals,
    schema: SchemaStyle,
    say: Callable[[str], None],
) -> EndReason:
    # The SDK makes hundreds of thousands of objects on import; looking through them for garbage takes longer than
    # any garbage is worth.
    gc.disable()
    from seqthink.server import sdk_server

    gc.freeze()
    gc.enable()
    return sdk_server.serve(handover, thinking, wire.stdin, signals, schema=schema, print_stderr=say)


class FastServer:
    """Reads, answers, and hands over when it must."""

    def __init__(
        self,
        thinking: ThoughtRecorder,
        wire: StdioPair,
        signals: Signals,
        schema: SchemaStyle,
        print_stderr: Callable[[str], None],
    ) -> None:
        self._thinking = thinking
        self._stdin = wire.stdin
        self._signals = signals
        self._say = print_stderr
        self._desk = RequestHandler(
            schema, has_context=thinking.has_context, has_audits=thinking.audit_options is not None
        )
        self._sink = NonBlockingWriter(wire.stdout)
        self._buffer = LineBuffer()
        self._poll = _poll(signals.wake_descriptor, wire.stdin)

    def serve(self) -> EndReason | Handover:
        """Answer until the client leaves or a signal comes, or until the SDK must go on."""
        gc.freeze()  # what is loaded stays: no collection need look at it again
        while not self._signals.has_arrived:
            if not self._is_readable():
                continue
            chunk = self._read()
            # At the end a last line without its newline still counts.
            lines = [line.data for line in self._buffer.feed(chunk or b"\n")]
            left = self._take([message for line in lines if (message := self._message(line)) is not None])
            if left:
                return Handover(left, self._buffer, self._sink, self._desk.handshake)
            if not chunk:
                break
        self._send_the_rest()
        return "signal" if self._signals.has_arrived else "eof"

    def _is_readable(self) -> bool:
        """Wait for something to do, send what goes meanwhile, and return whether there is something to read."""
        if not self._sink.unsent_bytes:
            ready = self._poll.poll()
        else:
            poll = _poll(self._signals.wake_descriptor, sink=self._sink)
            # A client that leaves too many answers unread can wait with its next requests, too, unless it has left.
            poll.register(self._stdin, HANG_UP_EVENTS if self._sink.is_full else select.POLLIN)
            ready = poll.poll()
            self._sink.flush()
        return any(descriptor == self._stdin for descriptor, _ in ready)

    def _read(self) -> bytes:
        try:
            return os.read(self._stdin, MAX_READ_BYTES)
        except OSError:
            return b""

    def _message(self, line: bytes) -> IncomingMessage | ErrorReply | None:
        message = read_message(line)
        if message is None and (words := skipped_line_message(line)):
            self._say(words)
        return message

    def _take(self, messages: Sequence[IncomingMessage | ErrorReply]) -> Sequence[IncomingMessage | ErrorReply]:
        """Answer ``messages`` and return those that are left for the SDK."""
        slots: list[bytes | tuple[int | str, PendingCall]] = []
        left: Sequence[IncomingMessage | ErrorReply] = ()
        for place, message in enumerate(messages):
            match message:
                case IncomingRequest():
                    answer = self._desk.answer(message)
                    if answer is None or (
                        isinstance(answer, PendingCall) and self._needs_sdk(message, answer, len(slots) + 1)
                    ):
                        left = messages[place:]
                        break
                    slots.append(
                        (message.id, answer) if isinstance(answer, PendingCall) else _answered(message.id, answer)
                    )
                case ErrorReply():
                    slots.append(write_message(message.to_message()))
                case IncomingNotification():
                    self._desk.handle_notification(message)
                case _:
                    pass  # an answer to a question that nobody asked
        self._answer(slots)
        return left

    def _needs_sdk(self, request: IncomingRequest, asked: PendingCall, more: int) -> bool:
        """Return whether a call may be audited, or the person asked about it; it brings at most ``more`` thoughts."""
        if self._thinking.audit_options is not None:
            return True
        return self._thinking.may_ask_user(asked.call.agent.id, more) and self._desk.can_elicit(request)

    def _answer(self, slots: Sequence[bytes | tuple[int | str, PendingCall]]) -> None:
        calls = [slot[1].call for slot in slots if isinstance(slot, tuple)]
        answers = iter(self._thinking.record_all(calls) if calls else ())
        lines = [slot if isinstance(slot, bytes) else slot[1].answer_line(slot[0], next(answers)) for slot in slots]
        self._sink.add(b"".join(lines))
        self._sink.flush()

    def _send_the_rest(self) -> None:
        """Wait for the client to take its answers, for as long as it goes on reading; after a signal, not for long."""
        deadline = monotonic() + DRAIN_SECONDS
        while (unsent := self._sink.unsent_bytes) and (rest := deadline - monotonic()) > 0:
            _poll(sink=self._sink).poll(rest * 1000)
            self._sink.flush()
            if self._sink.unsent_bytes < unsent and not self._signals.has_arrived:
                deadline = monotonic() + DRAIN_SECONDS
        self._sink.abandon()


def _poll(*reads: int, sink: NonBlockingWriter | None = None) -> "select.poll":
    poll = select.poll()
    for descriptor in reads:
        poll.register(descriptor, select.POLLIN)
    if sink is not None:
        poll.register(sink.descriptor, select.POLLOUT)
    return poll


def _answered(request_id: int | str, result: object) -> bytes:
    return write_message({"jsonrpc": "2.0", "id": request_id, "result": result})
