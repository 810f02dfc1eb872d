"""Runs a client through a scenario: its prompts one after another, each in a process of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.conformance.clients.model import served
from tests.conformance.clients.programs.claude import ClaudeCode
from tests.conformance.clients.programs.cline import ClineCli
from tests.conformance.clients.programs.codex import Codex
from tests.conformance.clients.programs.copilot import Copilot
from tests.conformance.clients.programs.gemini import GeminiCli
from tests.conformance.clients.programs.kilo import Kilo
from tests.conformance.clients.programs.opencode import OpenCode
from tests.conformance.clients.programs.pi import Pi
from tests.conformance.clients.programs.program import Program, Server, Setting
from tests.conformance.clients.programs.qwen import QwenCode
from tests.conformance.node import CannotRunError

_ALL: Final = (ClaudeCode(), ClineCli(), Codex(), Copilot(), GeminiCli(), Kilo(), OpenCode(), Pi(), QwenCode())
PROGRAMS: Final[Mapping[str, Program]] = {program.name: program for program in _ALL}
_BOUND = 600.0
_NOTES = "Once an hour something happens.\nNobody wrote down what.\n"
_ACCESS = "".join(f"09:{minute:02}:00 GET / {502 if minute == 0 else 200}\n" for minute in range(0, 60, 10))


class Stage(NamedTuple):
    """One prompt: how it is asked, and what."""

    how: str
    """``begin``, ``resume`` or ``fork``."""
    prompt: str


SCENARIOS: Final[Mapping[str, tuple[Stage, ...]]] = {
    "chain": (
        Stage("begin", "Why do we see 502s? (play: chain)"),
        Stage("resume", "And again? (play: again)"),
        Stage("fork", "And if the job has to stay? (play: other)"),
    ),
    "agents": (
        Stage("begin", "Why do we see 502s? Ask two others. (play: agents)"),
        Stage("resume", "And again? (play: again)"),
        Stage("fork", "And if the job has to stay? (play: other)"),
    ),
    "three": (Stage("begin", "Why do we see 502s? Ask three others. (play: three)"),),
    "mails": (Stage("begin", "Why do some get two welcome mails? Ask three others. (play: mails)"),),
    "slow": (Stage("begin", "Read everything about the 502s. (play: slow)"),),
    "compact": (
        Stage("begin", "Read all of it. (play: long)"),
        Stage("resume", "And again? (play: again)"),
        Stage("resume", "And if the job has to stay? (play: other)"),
    ),
    "brim": (
        Stage("begin", "Read all of it at once. (play: brim)"),
        Stage("resume", "And again? (play: again)"),
    ),
    "near": (Stage("begin", "Why do we see 502s? Be careless with types. (play: near)"),),
    "writing": (Stage("begin", "Report the 502s by the hour. (play: writing)"),),
    "code": (Stage("begin", "Why do we see 502s? Think in code. (play: code)"),),
}


class Ended(NamedTuple):
    """How one prompt ended."""

    stage: Stage
    status: int | None
    """The client's exit status; None if it cannot do this."""
    said: str


def run(program: Program, stages: Sequence[Stage], setting: Setting, delay: float) -> list[Ended]:
    """Ask every prompt, and return how each ended. ``setting.model`` is set here.

    Raises:
        CannotRunError: the client is not installed, or does not end.
    """
    with ready(program, setting, delay) as there:
        return [_ask(program, there, stage) for stage in stages]


def interact(program: Program, setting: Setting, delay: float) -> int:
    """Open the client's own screen on this terminal, and return its exit status when it is closed.

    Raises:
        CannotRunError: the client is not installed.
    """
    with ready(program, setting, delay) as there:
        command = command_of(program, program.interactive(there))
        return subprocess.run(command, cwd=there.work, env=environ_of(program, there), check=False).returncode


@contextmanager
def ready(program: Program, setting: Setting, delay: float) -> Generator[Setting]:
    """Serve the model, prepare the client for it, and give the setting in which both know each other."""
    setting.work.mkdir(parents=True, exist_ok=True)
    (setting.work / "notes.md").write_text(_NOTES, "utf-8")
    (setting.work / "access.log").write_text(_ACCESS, "utf-8")
    with served(program.vocabulary, delay, setting.home / "requests.jsonl", setting.work) as address:
        there = setting._replace(model=address)
        program.prepare(there)
        yield there


def command_of(program: Program, arguments: Sequence[str]) -> list[str]:
    """Return the command line of a client.

    Raises:
        CannotRunError: it is not installed.
    """
    path = shutil.which(program.name)
    if path is None:
        raise CannotRunError(f"{program.name} is not on the path: install it first")
    return [path, *arguments]


def environ_of(program: Program, setting: Setting) -> dict[str, str]:
    """Return a client's environment: nothing of the user's own settings, and no way to the network but loopback."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TERM", "TMPDIR") if name in os.environ}
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
    loopback = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {**kept, **nowhere, **loopback, "HOME": str(setting.home), **program.environ(setting)}


def _ask(program: Program, setting: Setting, stage: Stage) -> Ended:
    how = {"begin": program.begin, "resume": program.resume, "fork": program.fork}[stage.how]
    arguments = how(setting, stage.prompt)
    if arguments is None:
        return Ended(stage, None, f"{program.name} has no {stage.how}")
    try:
        done = subprocess.run(
            command_of(program, arguments), cwd=setting.work, env=environ_of(program, setting),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
            errors="replace", timeout=_BOUND, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise CannotRunError(f"{program.name} did not end within {_BOUND:.0f} seconds") from error
    return Ended(stage, done.returncode, done.stdout)


def our_server(home: Path) -> Server:
    """Return seqthink's server, whose journals go below ``home``."""
    return Server(sys.executable, ("-m", "seqthink", "serve"), {"SEQTHINK_HOME": str(home / "journals")})


def reference_server() -> Server:
    """Return the reference server.

    Raises:
        CannotRunError: it is not installed.
    """
    path = shutil.which("mcp-server-sequential-thinking")
    if path is None:
        raise CannotRunError("mcp-server-sequential-thinking is not on the path: install it first")
    return Server(path, (), {"DISABLE_THOUGHT_LOGGING": "true"})
