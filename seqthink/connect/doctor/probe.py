"""Tries a server as a client would: starts it, asks for its tools, and calls one once."""

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Final

from msgspec import structs

from seqthink import __version__
from seqthink.connect.doctor import probe_messages as messages
from seqthink.connect.doctor.probe_results import Outcome, ProbeResult
from seqthink.connect.doctor.server_commands import ServerCommand, with_test_folder
from seqthink.connect.doctor.started_server import FloodedError, SilentError, StartedServer, StdoutClosedError

DEFAULT_SECONDS: Final = 20
"""How long a server has for all its answers: `uvx` downloads at its first start."""
_ADVICE: Final = ("hint:", "run 'docker ", "see 'docker ")
"""How lines begin that launchers write after the reason of their failure."""
_TEST_SUFFIX: Final = ".jsonl"


def try_server(command: ServerCommand, environment: Mapping[str, str], seconds: float, cancelled: Event) -> ProbeResult:
    """Start a server, call the tool once, and end it.

    Its journal goes to a temporary folder, so that the user's list of sessions has no trace of it.

    Args:
        command: how the client starts it.
        environment: the environment that the client gives it, without the entry's own variables.
        seconds: how long it has for all its answers.
        cancelled: set when the result is not wanted any more.
    """
    with tempfile.TemporaryDirectory(prefix="seqthink-doctor-", ignore_cleanup_errors=True) as folder:
        tried = with_test_folder(command, folder)
        try:
            server = StartedServer(
                tried.words, {**environment, **tried.environment}, _working_folder(tried.folder), cancelled
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            return ProbeResult("cannot start", last_words=reason)
        with server:
            result = _Conversation(server, monotonic(), seconds).run()
            status = server.end(at_once=result.outcome in {"silent", "flooded"})
        if result.outcome in {"exited", "silent"}:
            result = _with_last_words(result, server.stderr, status)
        return _with_journal(result, Path(folder))


def _working_folder(named: str) -> Path:
    """Return the folder to start a server in: the entry's or its client's, else the home folder."""
    with suppress(RuntimeError):
        folder = Path(named).expanduser() if named else Path.home()
        if named or folder.is_dir():
            return folder
    return Path(tempfile.gettempdir())


class _Conversation:
    """The requests to a server and its answers."""

    def __init__(self, server: StartedServer, started: float, seconds: float) -> None:
        self._server = server
        self._started = started
        self._until = started + seconds
        self._stray = 0
        self._first_stray = b""
        self._name: messages.ServerName | None = None
        self._seconds = 0.0

    def run(self) -> ProbeResult:
        """Return the result; the server still runs then."""
        try:
            return self._talk()
        except FloodedError:
            return self._result("flooded", self._first_stray)
        except StdoutClosedError:
            return self._result("no protocol", self._first_stray) if self._stray else self._result("exited")
        except SilentError:
            return self._result("no protocol", self._first_stray) if self._stray else self._result("silent")

    def _talk(self) -> ProbeResult:
        first = self._ask(messages.initialize_request(__version__), messages.INITIALIZE_ID)
        self._seconds = monotonic() - self._started
        self._name = messages.server_of_answer(first)
        if self._name is None:
            return self._result("not initialized", messages.refusal(first).encode())
        if not messages.has_tool(self._ask(messages.initialized_and_tools_request(), messages.TOOLS_ID)):
            return self._result("no tool")
        refusal = messages.refusal(self._ask(messages.call_request(), messages.CALL_ID))
        return self._result("refused", refusal.encode()) if refusal else self._result("answered")

    def _ask(self, request: bytes, number: int) -> messages.Message:
        """Return the answer to a request; what else the server says meanwhile is none of ours."""
        self._server.send(request)
        while True:
            line = self._server.next_line(self._until)
            if not line.strip():
                continue
            message = messages.read_line(line)
            if message is None:
                self._stray += 1
                self._first_stray = self._first_stray or line
            elif message.get("id") == number and "method" not in message:
                return message

    def _result(self, outcome: Outcome, words: bytes = b"") -> ProbeResult:
        return ProbeResult(
            outcome,
            self._name,
            words.decode("utf-8", "replace"),
            stray_lines=self._stray,
            seconds=self._seconds,
        )


def _with_last_words(result: ProbeResult, stderr: str, status: int | None) -> ProbeResult:
    """Return a result with the last line that the program wrote on stderr, and its exit status if it has ended."""
    lines = [line for line in stderr.splitlines() if line.strip() and not line.strip().lower().startswith(_ADVICE)]
    exit_status = status if result.outcome == "exited" else None
    return structs.replace(result, last_words=lines[-1] if lines else "", exit_status=exit_status)


def _with_journal(result: ProbeResult, folder: Path) -> ProbeResult:
    """Return a result that says whether the folder of the test holds the call."""
    texts = [path.read_bytes() for path in folder.glob(f"*{_TEST_SUFFIX}") if path.is_file()]
    if not any(messages.TEST_THOUGHT.encode() in text for text in texts):
        return result
    return structs.replace(result, has_journal=True)
