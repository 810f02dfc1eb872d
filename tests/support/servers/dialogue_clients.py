"""Clients on raw pipes that answer a server's questions, in either protocol version; the traffic can be compared."""

import atexit
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Self

from tests.support.servers.commands import environment
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, Wire, events, journals, start

Answers = Callable[[Message], Message | None]
"""Returns the answer to a question, a result or an ``error``; None for no answer."""

CAPABILITIES: Message = {"sampling": {"tools": {}}, "elicitation": {"form": {}}}


def no_answer(_question: Message) -> None:
    """Give no answer."""


class HandshakeClient:
    """A client of 2025-11-25: questions are requests from the server."""

    def __init__(self, wire: Wire, capabilities: Message = CAPABILITIES) -> None:
        self.wire = wire
        self.questions: list[Message] = []
        self.notifications: list[Message] = []
        self._calls = 0
        client = {"name": "handshake-client", "version": "1"}
        wire.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client})
        wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, name: str, arguments: Message, answers: Answers, **meta: str) -> Message:
        """Return the result of a call, or its error."""
        call = self.send(name, arguments, **meta)
        while True:
            message = self.wire.receive()
            if message.get("id") == call and "method" not in message:
                return message.get("result", message)
            if "id" not in message:
                self.notifications.append(message)
                continue
            self.questions.append(message)
            answer = answers(message)
            if answer is not None:
                self.answer(message, answer)

    def begin(self, name: str, arguments: Message) -> Message:
        """Call, and return the first question."""
        self.send(name, arguments)
        return self.wire.receive()

    def send(self, name: str, arguments: Message, **meta: str) -> str:
        """Send a call and return its id."""
        self._calls += 1
        call = f"call {self._calls}"
        params = {"name": name, "arguments": arguments} | ({"_meta": meta} if meta else {})
        self.wire.send({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": params})
        return call

    def answer(self, question: Message, answer: Message) -> None:
        """Answer a question."""
        body = answer if "error" in answer else {"result": answer}
        self.wire.send({"jsonrpc": "2.0", "id": question["id"], **body})


class StatelessClient:
    """A client of 2026-07-28: questions are the result of a call, which is repeated with the answers."""

    def __init__(self, wire: Wire, capabilities: Message = CAPABILITIES) -> None:
        self.wire = wire
        self.questions: list[Message] = []
        self.notifications: list[Message] = []
        self._meta = STATELESS_META | {"io.modelcontextprotocol/clientCapabilities": capabilities}
        self._calls = 0

    def call(self, name: str, arguments: Message, answers: Answers, **meta: str) -> Message:
        """Return the result of a call, or its error."""
        result = self.send_and_receive(name, arguments, None, None, **meta)
        while result.get("resultType") == "input_required":
            self.questions += result["inputRequests"].values()
            answered = {key: answers(question) for key, question in result["inputRequests"].items()}
            given = {key: answer for key, answer in answered.items() if answer is not None}
            result = self.send_and_receive(name, arguments, given, result["requestState"], **meta)
        return result

    def begin(self, name: str, arguments: Message) -> Message:
        """Call, and return the first question."""
        [question] = self.send_and_receive(name, arguments)["inputRequests"].values()
        return question

    def send_and_receive(
        self, name: str, arguments: Message, answers: Message | None = None, state: str | None = None, **meta: str
    ) -> Message:
        """Send one request for a call, and return its result or the error."""
        call = self.send(name, arguments, answers, state, **meta)
        while (message := self.wire.receive()).get("id") != call:
            self.notifications.append(message)
        return message.get("result", message)

    def send(
        self, name: str, arguments: Message, answers: Message | None = None, state: str | None = None, **meta: str
    ) -> str:
        """Send one request for a call, and return its id."""
        self._calls += 1
        call = f"call {self._calls}"
        params: Message = {"name": name, "arguments": arguments, "_meta": self._meta | meta}
        params |= {} if answers is None else {"inputResponses": answers}
        params |= {} if state is None else {"requestState": state}
        self.wire.send({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": params})
        return call


CLIENTS: dict[str, type[HandshakeClient] | type[StatelessClient]] = {
    "handshake": HandshakeClient,
    "stateless": StatelessClient,
}


@cache
def _warm_process() -> WarmServer:
    warm = WarmServer(program="tests.support.servers.dialogue_server", environ=environment())
    atexit.register(warm.__exit__)
    return warm


class DialogueServer:
    """The server of tests/support/servers/dialogue_server.py, with its journal in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.wire = start(str(folder), warm=_warm_process())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.wire.__exit__(*exception)

    def journaled(self, *kinds: str) -> list[Message]:
        """Return the events of some kinds since the last call, without varying fields."""
        last = [event for event in events(journals(self._folder)[-1]) if event["type"] != "end"]
        begun = max(place for place, event in enumerate(last) if event["type"] == "rejected")
        noise = {"v", "seq", "time", "of", "durationMs"}
        return [
            {name: value for name, value in event.items() if name not in noise}
            for event in last[begun:]
            if event["type"] in kinds
        ]


def text_answer(words: str) -> Message:
    """Return a model's text answer."""
    return {"role": "assistant", "model": "m", "stopReason": "endTurn", "content": {"type": "text", "text": words}}


def tool_use_answer(name: str, asked: Message, use_id: str = "c1") -> Message:
    """Return a model's answer that uses a tool."""
    content = [{"type": "tool_use", "id": use_id, "name": name, "input": asked}]
    return {"role": "assistant", "model": "m", "stopReason": "toolUse", "content": content}


def structured_result(result: Message) -> Message:
    """Return the structured result of a call; its text must be the same."""
    assert str(json.loads(json.dumps(result["structuredContent"]))) == result["content"][0]["text"]
    return result["structuredContent"]
