"""A server that audits, what a client thinks there, and what a model answers."""

import json
import re
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from tests.support.servers.dialogue_clients import (
    CLIENTS,
    Answers,
    HandshakeClient,
    StatelessClient,
    no_answer,
    tool_use_answer,
)
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import Message, Wire, events, journals, start, thought

TOOL = "sequentialthinking"
FIVE = {"thoughtNumber", "totalThoughts", "nextThoughtNeeded", "branches", "thoughtHistoryLength"}
SAMPLES: Message = {"sampling": {"tools": {}}}
TALKS: Message = {"sampling": {"tools": {}}, "elicitation": {"form": {}}}

CLEAN = "Sum them:\n\n```python\ndef add(a: int, b: int) -> int:\n    return a + b\n```\n"
FLAWED = "Load it:\n\n```python\ndef load(text):\n    return eval(text)\n```\n"
BROKEN = "Start:\n\n```go\nfunc main() {\n\tx :=\n}\n```\n"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
LEAKING = f'Log in:\n\n```python\ntoken = "{SECRET}"\n```\n'
MENDED = """\
--- a/thought
+++ b/thought
@@ -2,5 +2,5 @@

 ```python
 def load(text):
-    return eval(text)
+    return float(text)
 ```
"""
WORSE = MENDED.replace("+    return float(text)", "+    return exec(text")


def config(**settings: object) -> str:
    return f"```gan-config\n{json.dumps(settings)}\n```\n"


def model_review(score: float, **more: object) -> Message:
    fields = {"overall": score, "dimensions": [{"name": "correctness", "score": score}], "summary": f"It is {score}."}
    return tool_use_answer("__schema__", fields | more)


def repair(diff: str) -> Message:
    return tool_use_answer("__schema__", {"diff": diff})


def always(answer: Message) -> Answers:
    return lambda _question: answer


def in_turn(*answers: Message) -> Answers:
    left = iter(answers)
    return lambda _question: next(left)


class Judged:
    """A server that audits, its client, and what its journal has from now on."""

    def __init__(self, host: HandshakeClient | StatelessClient, folder: Path) -> None:
        self.host = host
        self._folder = folder
        self._earlier_bytes = sum(path.stat().st_size for path in journals(folder))

    def think(self, words: str, answers: Answers = no_answer, **more: Any) -> Message:  # noqa: ANN401 - any argument of the tool
        """Return the structured answer to a thought, which must equal its text."""
        result = self.host.call(TOOL, thought(words, **more) | {"nextThoughtNeeded": False} | more, answers)
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def recorded(self, *kinds: str) -> list[Message]:
        """Return the journal's new events of these types."""
        [journal] = journals(self._folder)
        new_lines = journal.read_bytes()[self._earlier_bytes :].splitlines()
        return [event for event in map(json.loads, new_lines) if event["type"] in kinds]

    @property
    def session_id(self) -> str:
        """The id of the session, as the journal has it."""
        [journal] = journals(self._folder)
        return events(journal)[0]["session"]


class AuditServers:
    """Servers that audit: one of its own for a test that asks, else one for many tests, whose workspace changes.

    To load an audit and to start its judge takes a hundred times as long as a verdict.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running = ExitStack()
        self._warm = self._running.enter_context(WarmServer("seqthink.server.sdk_path.audit_hook"))
        self._shared: dict[str, tuple[HandshakeClient | StatelessClient, Path]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._running.close()

    def start(self, *options: str, folder: Path, work: Path) -> Wire:
        """Start a server in ``work`` with its journal in ``folder``."""
        environ = {"ENABLE_GAN_AUDITING": "true", "DISABLE_THOUGHT_LOGGING": "true"}
        return start("--journal-dir", str(folder), *options, warm=self._warm, environ=environ, cwd=work)

    @contextmanager
    def shared(self, version: str, capabilities: Message, work: Path) -> Generator[Judged]:
        """Yield a client of a server that other tests use, too; after a failed test it is not used again."""
        name = f"{version} {json.dumps(capabilities) if version == 'handshake' else ''}"
        host, folder = self._shared.pop(name, None) or self._start_shared(version, capabilities)
        if version == "stateless":
            host = CLIENTS[version](host.wire, capabilities)
        host.notifications.clear()
        _link(folder / "workspace", work)
        yield Judged(host, folder / "journals")
        self._shared[name] = host, folder

    def _start_shared(self, version: str, capabilities: Message) -> tuple[HandshakeClient | StatelessClient, Path]:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        _link(folder / "workspace", folder)
        options = ("--workspace", str(folder / "workspace"), "--max-thought-bytes", str(1 << 20))
        wire = self._running.enter_context(self.start(*options, folder=folder / "journals", work=folder))
        return CLIENTS[version](wire, capabilities), folder


def _link(link: Path, folder: Path) -> None:
    """Make ``link`` name ``folder``; a server that is just starting never finds it missing."""
    new = link.with_name("new")
    new.symlink_to(folder)
    new.replace(link)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AuditServers]:
    with AuditServers(tmp_path_factory.mktemp("servers")) as servers:
        yield servers


@pytest.fixture(params=CLIENTS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def audited(version: str, servers: AuditServers, tmp_path: Path) -> Callable[..., Any]:
    """Return what serves a client: a server with options is the test's own, and so is one that is ``alone``."""

    @contextmanager
    def serve(capabilities: Message, *options: str, cwd: Path | None = None, alone: bool = False) -> Generator[Judged]:
        folder, work = tmp_path / "journals", cwd or tmp_path / "work"
        work.mkdir(exist_ok=True)
        if not (options or alone):
            with servers.shared(version, capabilities, work) as judged:
                yield judged
            return
        with servers.start(*options, folder=folder, work=work) as wire:
            yield Judged(CLIENTS[version](wire, capabilities), folder)

    return serve


LOOKED_FOR = re.compile(
    r"Pass\. Looked for: syntax, \d+ rules and ruff for Python; secrets\. "
    r"No known mistake found; behaviour was not checked\."
)


ELIXIR = "Greet:\n\n```elixir\ndef greet(name) do\n  IO.puts(name)\nend\n```\n"
BROKEN_ELIXIR = ELIXIR.replace("(name)", "(name").replace("end", "en")
NO_JUDGE = "Not judged by 'internal' (no judge supports its language): "
