"""A model that follows a script, served on the loopback interface to any of the four clients."""

import itertools
import json
import secrets
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, cast

from typing_extensions import override

from tests.conformance.clients.script import TITLE, Action, Step, step_of
from tests.conformance.clients.vocabulary import Arguments, Vocabulary
from tests.conformance.clients.wires.chat import ChatWire
from tests.conformance.clients.wires.gemini import GeminiWire
from tests.conformance.clients.wires.messages import MessagesWire
from tests.conformance.clients.wires.responses import ResponsesWire
from tests.conformance.clients.wires.wire import Answer, Asked, Json, ToolCall, Wire

_WIRES: Final[Mapping[str, Wire]] = {
    "/v1/messages": MessagesWire(),
    "/v1/responses": ResponsesWire(),
    "/v1/chat/completions": ChatWire(),
    ":generateContent": GeminiWire(),
    ":streamGenerateContent": GeminiWire(),
}
_NOWHERE: Final = Path()
_COUNT: Final = {"input_tokens": 1, "totalTokens": 1}


class ScriptedModel:
    """Answers every request with the step that its prompt's script has next."""

    def __init__(self, vocabulary: Vocabulary, delay: float, log: Path | None, work: Path) -> None:
        self._vocabulary = vocabulary
        self._work = work
        self._delay = delay
        self._log = log
        self._run = secrets.token_hex(3)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.stopped = threading.Event()

    def answer(self, asked: Asked, model: str) -> Answer:
        """Return what the model says to a request: the next step that the client can do now."""
        place = asked.place
        step, named = self._step(asked, place)
        while step.calls and not named:
            place += 1
            step, named = self._step(asked, place)
        with self._lock:
            number = next(self._numbers)
        label = f"{self._run}{number}"
        calls = [
            ToolCall(f"{place}_{label}_{index}_{asked.script}", tool, arguments)
            for index, (tool, arguments) in enumerate(named)
        ]
        return Answer(f"{label}_{asked.script}_{place}", model, step, tuple(calls))

    def _step(self, asked: Asked, place: int) -> tuple[Step, list[tuple[str, Arguments]]]:
        step = step_of(asked.script, place, self._vocabulary.spoken) if asked.tools else TITLE
        finish = Action("finish", {"answer": step.answer})
        if step.answer and self._vocabulary.call(finish, asked.tools):
            step = step._replace(calls=(finish,), answer="")
        calls = [self._vocabulary.call(self._placed(action), asked.tools, asked.agents) for action in step.calls]
        return step, [call for call in calls if call]

    def _placed(self, action: Action) -> Action:
        """Return an action with the absolute path of the file that it changes: most clients want no other."""
        if action.does not in {"write", "edit"}:
            return action
        return Action(action.does, {**action.arguments, "path": str(self._work / action.arguments["path"])})

    def note(self, path: str, request: Json, asked: Asked) -> None:
        """Write down what was asked, if it is wanted."""
        if self._log is None:
            return
        line = {"path": path, "script": asked.script, "place": asked.place, "request": request}
        with self._lock, self._log.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")

    def paced(self, answer: Answer, stream: Iterator[bytes]) -> Iterator[bytes]:
        """Hand on a stream, the delay spread over its first half."""
        parts = list(stream)
        waiting = max(1, len(parts) // 2)
        for index, part in enumerate(parts):
            if index < waiting and self._delay:
                self.stopped.wait(self._delay * answer.step.slowness / waiting)
            yield part


@contextmanager
def served(
    vocabulary: Vocabulary, delay: float = 0.0, log: Path | None = None, work: Path = _NOWHERE
) -> Generator[str]:
    """Serve a scripted model, and give its address, ``http://127.0.0.1:PORT``.

    Args:
        vocabulary: How the client calls its tools.
        delay: How many seconds an answer takes.
        log: A file to which every request is appended.
        work: The client's working folder.
    """
    model = ScriptedModel(vocabulary, delay, log, work)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"scripted": model}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        model.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    scripted: ScriptedModel

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        wire = next((wire for end, wire in _WIRES.items() if path.endswith(end)), None)
        if wire is None:
            self._send(200 if "count" in path.lower() else 404, "application/json", json.dumps(_COUNT).encode())
            return
        request = cast("Json", json.loads(body))
        asked = wire.asked(path, request)
        self.scripted.note(path, request, asked)
        answer = self.scripted.answer(asked, str(request.get("model", _model_in(path))))
        if not asked.streamed:
            self._send(200, "application/json", json.dumps(wire.whole(answer)).encode())
            return
        self._head(200, wire.content_type)
        for part in self.scripted.paced(answer, wire.written(answer)):
            self.wfile.write(part)
            self.wfile.flush()

    def do_GET(self) -> None:
        self._send(404, "application/json", b"{}")

    def do_HEAD(self) -> None:
        self._send(200, "application/json", b"")

    @override
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the client's own output is what is looked at."""

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self._head(status, content_type)
        self.wfile.write(body)

    def _head(self, status: int, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Connection", "close")
        self.end_headers()


def _model_in(path: str) -> str:
    return path.rpartition("/")[2].partition(":")[0]
