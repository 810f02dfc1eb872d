"""A server that audits, what a client thinks there, and what a model answers."""

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.dialogue_clients import (
    CLIENTS,
    Answers,
    HandshakeClient,
    StatelessClient,
    no_answer,
    tool_use_answer,
)
from tests.support.servers.wire import Message, events, journals, start, thought

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
    """A server that audits, its client, and its journal."""

    def __init__(self, host: HandshakeClient | StatelessClient, folder: Path) -> None:
        self.host = host
        self._folder = folder

    def think(self, words: str, answers: Answers = no_answer, **more: Any) -> Message:  # noqa: ANN401 - any argument of the tool
        """Return the structured answer to a thought, which must equal its text."""
        result = self.host.call(TOOL, thought(words, **more) | {"nextThoughtNeeded": False} | more, answers)
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def told(self, *kinds: str) -> list[Message]:
        """Return the journal's events of these types."""
        return [event for event in events(journals(self._folder)[-1]) if event["type"] in kinds]


@pytest.fixture(params=CLIENTS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def audited(version: str, tmp_path: Path) -> Callable[..., Any]:
    @contextmanager
    def serve(capabilities: Message, *options: str, cwd: Path | None = None) -> Generator[Judged]:
        folder, work = tmp_path / "journals", cwd or tmp_path / "work"
        work.mkdir(exist_ok=True)
        environ = {"ENABLE_GAN_AUDITING": "true", "DISABLE_THOUGHT_LOGGING": "true"}
        with start("--journal-dir", str(folder), *options, environ=environ, cwd=work) as wire:
            yield Judged(CLIENTS[version](wire, capabilities), folder)

    return serve


LOOKED_FOR = re.compile(
    r"Pass\. Looked for: syntax, \d+ rules and ruff for Python; secrets\. "
    r"No known mistake found; behaviour was not checked\."
)


ELIXIR = "Greet:\n\n```elixir\ndef greet(name) do\n  IO.puts(name)\nend\n```\n"
BROKEN_ELIXIR = ELIXIR.replace("(name)", "(name").replace("end", "en")
NO_JUDGE = "Not judged by 'internal' (no judge supports its language): "
