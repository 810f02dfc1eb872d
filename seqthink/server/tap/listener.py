"""Finds the thoughts in the lines that pass between a client and a server. Pure, standard library only.

The server's answer decides whether a call was a thought or was refused, and the call is reported at the time of the
answer. A call that nobody answered was never accepted: it is reported as refused, with the reason. Nothing that either
side sends raises, and what is not an MCP message is ignored.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from seqthink.core.arguments import InvalidArguments
from seqthink.server.tap.watched_tools import WatchedTools
from seqthink.server.tools.agents import CallingAgent, identify_caller
from seqthink.server.wire.jsonrpc import parse_json
from seqthink.server.wire.meta_keys import CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY, SERVER_INFO_KEY

MAX_OPEN_CALLS: Final = 1_000
MAX_OPEN_BYTES: Final = 32 << 20
"""Bounds on the calls that wait for their answers: beyond them the oldest is taken for one that gets none."""
_MAX_NAME_CHARS: Final = 200
_MAX_ERROR_CHARS: Final = 4_096

# An escaped slash is JSON, too, and some encoders write it.
_WANTED_FROM_CLIENT: Final = (
    b"tools/call",
    b"tools\\/call",
    b'"initialize"',
    b"notifications/cancelled",
    b"notifications\\/cancelled",
)

CALLED_OFF: Final = "the client called it off before the server answered"
SERVER_ENDED: Final = "the server ended without an answer"
OVERTAKEN: Final = "the server did not answer it while it answered many later calls"
ID_REUSED: Final = "the client used its id again before the server answered"
NO_REASON: Final = "the server refused it and gave no reason"
NOT_HELD: Final = "the server accepted it, but a thought cannot hold its arguments"

Fields = Mapping[str, Any]


class OpenCall(NamedTuple):
    """A call that waits for its answer."""

    tool: str
    arguments: Any
    """Any JSON."""
    agent: CallingAgent
    id: str | None
    """The client's own id of the call, not that of the request."""
    size: int
    """Bytes of its line."""
    is_called_off: bool = False


class HeardThought(NamedTuple):
    """A call that the server accepted."""

    fields: Fields
    """Those of the event `thought`, but for whose it is."""
    call: OpenCall


class HeardRefusal(NamedTuple):
    """A call that the server did not accept."""

    error: str
    call: OpenCall


Heard = HeardThought | HeardRefusal


class Connection(NamedTuple):
    """What client and server have said about themselves."""

    client: Fields | None = None
    """Name and version of the client."""
    server: Fields | None = None
    """Name and version of the server."""
    protocol_version: str | None = None


class Listener:
    """Takes the lines of both sides in the order in which they passed, and returns the thoughts that they complete."""

    def __init__(self, tools: WatchedTools) -> None:
        self.connection = Connection()
        self._tools = tools
        self._open: dict[int | float | str, OpenCall] = {}  # by the request's id, oldest first
        self._open_bytes = 0
        self._handshake_id: int | float | str | None = None

    def hear_client(self, line: bytes) -> list[Heard]:
        """Take a line of the client."""
        if not any(word in line for word in _WANTED_FROM_CLIENT):
            return []
        heard: list[Heard] = []
        for message in _messages(line):
            params = _object(message.get("params"))
            match message.get("method"):
                case "tools/call":
                    heard += self._open_call(_request_id(message.get("id")), params, len(line))
                case "initialize":
                    self._handshake_id = _request_id(message.get("id"))
                    self._meet(client=params.get("clientInfo"), protocol_version=params.get("protocolVersion"))
                case "notifications/cancelled":
                    self._call_off(_request_id(params.get("requestId")))
                case _:
                    pass
        return heard

    def hear_server(self, line: bytes) -> list[Heard]:
        """Take a line of the server."""
        if not self._open and self._handshake_id is None:
            return []
        heard: list[Heard] = []
        for message in _messages(line):
            request_id = _request_id(message.get("id"))
            if request_id is None or "method" in message or not ("result" in message or "error" in message):
                continue
            if request_id == self._handshake_id:
                self._handshake_id = None
                result = _object(message.get("result"))
                self._meet(server=result.get("serverInfo"), protocol_version=result.get("protocolVersion"))
            elif request_id in self._open:
                heard += self._close_called_off_before(request_id)
                heard += self._answered(self._close(request_id), message)
        return heard

    def end(self) -> list[Heard]:
        """Return the calls that got no answer, now that the server has ended."""
        return [
            HeardRefusal(CALLED_OFF if call.is_called_off else SERVER_ENDED, call)
            for call in map(self._close, list(self._open))
        ]

    # Requests

    def _open_call(self, request_id: int | float | str | None, params: Fields, size: int) -> Iterator[Heard]:
        tool = params.get("name")
        if request_id is None or not isinstance(tool, str) or tool not in self._tools.names:
            return
        if request_id in self._open:
            yield HeardRefusal(ID_REUSED, self._close(request_id))
        meta = _object(params.get("_meta"))
        if PROTOCOL_VERSION_KEY in meta:
            self._meet(client=meta.get(CLIENT_INFO_KEY), protocol_version=meta[PROTOCOL_VERSION_KEY])
        self._open[request_id] = OpenCall(tool, params.get("arguments", {}), *identify_caller(meta), size)
        self._open_bytes += size
        while len(self._open) > MAX_OPEN_CALLS or self._open_bytes > MAX_OPEN_BYTES:
            yield HeardRefusal(OVERTAKEN, self._close(next(iter(self._open))))

    def _call_off(self, request_id: int | float | str | None) -> None:
        """Mark a call as called off. Its answer may be on the way already, and then it counts."""
        if request_id is not None and request_id in self._open:
            self._open[request_id] = self._open[request_id]._replace(is_called_off=True)

    def _close(self, request_id: int | float | str) -> OpenCall:
        call = self._open.pop(request_id)
        self._open_bytes -= call.size
        return call

    # Answers

    def _close_called_off_before(self, answered_id: int | float | str) -> Iterator[Heard]:
        """Give up the calls that were called off and are older than an answered one: their answers would be here."""
        for request_id in list(self._open):
            if request_id == answered_id:
                break
            if self._open[request_id].is_called_off:
                yield HeardRefusal(CALLED_OFF, self._close(request_id))

    def _answered(self, call: OpenCall, answer: Fields) -> Iterator[Heard]:
        if "error" in answer:
            yield HeardRefusal(_error_text(_object(answer["error"]).get("message")), call)
            return
        result = _object(answer["result"])
        if self.connection.server is None:
            self._meet(server=_object(result.get("_meta")).get(SERVER_INFO_KEY))
        if result.get("resultType") == "input_required":
            return  # the client will send the call again, with what the server asks for
        if result.get("isError") is True:
            yield HeardRefusal(_refusal_text(result), call)
            return
        thought = self._tools.thought_in(call.arguments)
        if isinstance(thought, InvalidArguments):
            yield HeardRefusal(f"{NOT_HELD}: {thought.message}", call)
            return
        yield HeardThought(_with_answer(thought.fields, _answer_body(result), thought.coerced), call)

    def _meet(self, *, client: object = None, server: object = None, protocol_version: object = None) -> None:
        """Note what the sides say about themselves."""
        known = self.connection
        self.connection = Connection(
            _identity(client) or known.client,
            _identity(server) or known.server,
            protocol_version[:_MAX_NAME_CHARS] if isinstance(protocol_version, str) else known.protocol_version,
        )


def _messages(line: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects in a line: one message, or those of a batch."""
    try:
        value = parse_json(line)
    except (ValueError, RecursionError):
        return
    for message in cast("list[Any]", value) if isinstance(value, list) else [value]:
        if isinstance(message, dict):
            yield cast("dict[str, Any]", message)


def _object(value: object) -> Fields:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _request_id(value: object) -> int | float | str | None:
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None


def _identity(value: object) -> Fields | None:
    """Return name and version of a program, or None if it gives no name."""
    program = _object(value)
    name, version = program.get("name"), program.get("version")
    if not isinstance(name, str):
        return None
    return {"name": name[:_MAX_NAME_CHARS], "version": version[:_MAX_NAME_CHARS] if isinstance(version, str) else ""}


def _with_answer(thought: Fields, body: Fields, coerced: tuple[str, ...]) -> Fields:
    """Return the fields of a thought's event: those of the call, and how the answer differs."""
    requested, answered = thought["totalThoughts"], body.get("totalThoughts")
    total = max(requested, thought["thoughtNumber"], answered if type(answered) is int and answered < 2**53 else 0)
    answered_next, hint = body.get("nextThoughtNeeded"), body.get("hint")
    differs = isinstance(answered_next, bool) and answered_next != thought["nextThoughtNeeded"]
    return {
        **thought,
        "answeredNext": answered_next if differs else None,
        "totalThoughts": total,
        "requestedTotal": requested if requested < total else None,
        "hint": hint[:_MAX_ERROR_CHARS] if isinstance(hint, str) and hint else None,
        "coerced": list(coerced) or None,
    }


def _answer_body(result: Fields) -> Fields:
    """Return what an answer says about the thought: its structured content, else the object that its text is.

    Fields in snake case are returned under the names of the reference server.
    """
    body = _object(result.get("structuredContent")) or _object_in(_text(result))
    return {
        "totalThoughts": body.get("totalThoughts", body.get("total_thoughts")),
        "nextThoughtNeeded": body.get("nextThoughtNeeded", body.get("next_thought_needed")),
        "hint": body.get("hint"),
    }


def _text(result: Fields) -> str:
    """Return the text blocks of an answer, joined."""
    content = result.get("content")
    blocks = cast("list[Any]", content) if isinstance(content, list) else []
    texts = (_object(block).get("text") for block in blocks)
    return "\n".join(text for text in texts if isinstance(text, str))


def _object_in(text: str) -> Fields:
    if not text.lstrip().startswith("{"):
        return {}
    try:
        return _object(parse_json(text.encode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return {}


def _refusal_text(result: Fields) -> str:
    """Return why a result is an error: its `error` if its text is an object with one, else the text."""
    text = _text(result)
    error = _object_in(text).get("error")
    return _error_text(error if isinstance(error, str) and error else text)


def _error_text(text: object) -> str:
    return text[:_MAX_ERROR_CHARS] if isinstance(text, str) and text.strip() else NO_REASON
