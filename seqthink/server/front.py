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
from seqthink.server.desk import Asked, Desk
from seqthink.server.messages import Message, Notification, Reply, Request, left_out, read_message, write_message
from seqthink.server.protocol import Handshake
from seqthink.server.signals import Signals
from seqthink.server.thinking import Thinking
from seqthink.server.tools import Schema
from seqthink.server.wire import GONE, PATIENCE, READ, Sink, Wire


class Handover(NamedTuple):
    """All that a lane must know to go on where another stopped."""

    messages: Sequence[Message | Reply]
    """What was read and not dealt with."""
    buffer: LineBuffer
    sink: Sink
    handshake: Handshake


def run(
    thinking: Thinking, wire: Wire, signals: Signals, *, schema: Schema, say: Callable[[str], None], has_front: bool
) -> None:
    """Serve MCP on ``wire`` until the client leaves or a signal comes; then close the journal."""
    reason: EndReason = "error"
    error: str | None = None
    left: EndReason | Handover = Handover((), LineBuffer(), Sink(wire.stdout), Handshake())
    try:
        if has_front:
            left = Front(thinking, wire, signals, schema, say).serve()
        if isinstance(left, Handover):
            left = _serve_with_sdk(left, thinking, wire, signals, schema, say)
        reason = left
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
        raise
    finally:
        thinking.end(reason, error)


def _serve_with_sdk(
    handover: Handover, thinking: Thinking, wire: Wire, signals: Signals, schema: Schema, say: Callable[[str], None]
) -> EndReason:
    # The SDK makes hundreds of thousands of objects on import; looking through them for garbage takes longer than
    # any garbage is worth.
    gc.disable()
    from seqthink.server import app

    gc.freeze()
    gc.enable()
    return app.serve(handover, thinking, wire.stdin, signals, schema=schema, say=say)


class Front:
    """Reads, answers, and hands over when it must."""

    def __init__(
        self, thinking: Thinking, wire: Wire, signals: Signals, schema: Schema, say: Callable[[str], None]
    ) -> None:
        self._thinking = thinking
        self._stdin = wire.stdin
        self._signals = signals
        self._say = say
        self._desk = Desk(schema, has_context=thinking.has_context, has_audits=thinking.audits is not None)
        self._sink = Sink(wire.stdout)
        self._buffer = LineBuffer()
        self._poll = _poll(signals.bell, wire.stdin)

    def serve(self) -> EndReason | Handover:
        """Answer until the client leaves or a signal comes, or until the SDK must go on."""
        gc.freeze()  # what is loaded stays: no collection need look at it again
        while not self._signals.came:
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
        return "signal" if self._signals.came else "eof"

    def _is_readable(self) -> bool:
        """Wait for something to do, send what goes meanwhile, and return whether there is something to read."""
        if not self._sink.unsent:
            ready = self._poll.poll()
        else:
            poll = _poll(self._signals.bell, sink=self._sink)
            # A client that leaves too many answers unread can wait with its next requests, too, unless it has left.
            poll.register(self._stdin, GONE if self._sink.is_full else select.POLLIN)
            ready = poll.poll()
            self._sink.flush()
        return any(descriptor == self._stdin for descriptor, _ in ready)

    def _read(self) -> bytes:
        try:
            return os.read(self._stdin, READ)
        except OSError:
            return b""

    def _message(self, line: bytes) -> Message | Reply | None:
        message = read_message(line)
        if message is None and (words := left_out(line)):
            self._say(words)
        return message

    def _take(self, messages: Sequence[Message | Reply]) -> Sequence[Message | Reply]:
        """Answer ``messages`` and return those that are left for the SDK."""
        slots: list[bytes | tuple[int | str, Asked]] = []
        left: Sequence[Message | Reply] = ()
        for place, message in enumerate(messages):
            match message:
                case Request():
                    answer = self._desk.answer(message)
                    if answer is None or (
                        isinstance(answer, Asked) and self._needs_sdk(message, answer, len(slots) + 1)
                    ):
                        left = messages[place:]
                        break
                    slots.append((message.id, answer) if isinstance(answer, Asked) else _answered(message.id, answer))
                case Reply():
                    slots.append(write_message(message.message()))
                case Notification():
                    self._desk.note(message)
                case _:
                    pass  # an answer to a question that nobody asked
        self._answer(slots)
        return left

    def _needs_sdk(self, request: Request, asked: Asked, more: int) -> bool:
        """Return whether a call may be audited, or the person asked about it; it brings at most ``more`` thoughts."""
        if self._thinking.audits is not None:
            return True
        return self._thinking.may_ask(asked.call.agent.id, more) and self._desk.can_ask(request)

    def _answer(self, slots: Sequence[bytes | tuple[int | str, Asked]]) -> None:
        calls = [slot[1].call for slot in slots if isinstance(slot, tuple)]
        answers = iter(self._thinking.record_all(calls) if calls else ())
        lines = [slot if isinstance(slot, bytes) else slot[1].line(slot[0], next(answers)) for slot in slots]
        self._sink.add(b"".join(lines))
        self._sink.flush()

    def _send_the_rest(self) -> None:
        """Wait for the client to take its answers, for as long as it goes on reading; after a signal, not for long."""
        deadline = monotonic() + PATIENCE
        while (unsent := self._sink.unsent) and (rest := deadline - monotonic()) > 0:
            _poll(sink=self._sink).poll(rest * 1000)
            self._sink.flush()
            if self._sink.unsent < unsent and not self._signals.came:
                deadline = monotonic() + PATIENCE
        self._sink.abandon()


def _poll(*reads: int, sink: Sink | None = None) -> "select.poll":
    poll = select.poll()
    for descriptor in reads:
        poll.register(descriptor, select.POLLIN)
    if sink is not None:
        poll.register(sink.descriptor, select.POLLOUT)
    return poll


def _answered(request_id: int | str, result: object) -> bytes:
    return write_message({"jsonrpc": "2.0", "id": request_id, "result": result})
