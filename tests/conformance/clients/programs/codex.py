"""Codex."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Arguments, Vocabulary, Word

_CODE = "exec"


def _in_code(tool: str, arguments: Arguments) -> Arguments:
    return {"source": f"text(await tools.{tool}({json.dumps(arguments, ensure_ascii=False)}));"}


_RUN: Final[Mapping[str, Word]] = {
    "exec_command": lambda given: {"cmd": given["command"]},
    "shell_command": lambda given: {"command": given["command"]},
    "shell": lambda given: {"command": ["bash", "-c", given["command"]]},
    _CODE: lambda given: _in_code("exec_command", {"cmd": given["command"]}),
}


def _written(given: Arguments) -> str:
    return _patch(f"*** Add File: {given['path']}", _signed("+", given["text"]))


def _edited(given: Arguments) -> str:
    changed = _signed("-", given["before"]) + _signed("+", given["after"])
    return _patch(f"*** Update File: {given['path']}", f"@@\n{changed}")


def _signed(sign: str, text: str) -> str:
    return "".join(f"{sign}{line}\n" for line in text.splitlines())


def _patch(head: str, lines: str) -> str:
    return f"*** Begin Patch\n{head}\n{lines}*** End Patch"


def _patching(patch: Callable[[Arguments], str]) -> Mapping[str, Word]:
    return {
        "apply_patch": lambda given: {"source": patch(given)},
        "exec_command": lambda given: {"cmd": f"apply_patch <<'EOF'\n{patch(given)}\nEOF\n"},
        _CODE: lambda given: {
            "source": f"text(await tools.apply_patch({json.dumps(patch(given), ensure_ascii=False)}));"
        },
    }


def _reading(run: Word) -> Word:
    return lambda given: run({"command": f"cat {given['path']}"})


def _spawned(given: Arguments) -> Arguments:
    name = re.sub("[^a-z0-9]+", "_", given["description"])
    return {"message": given["prompt"], "task_name": name, "fork_turns": "none"}


class Codex:
    """Runs as ``codex exec``; a session's id is the end of its file's name."""

    name = "codex"
    transcripts = ".codex"
    vocabulary = Vocabulary(
        {
            "think": {_CODE: lambda given: _in_code("mcp__seq__sequentialthinking", given)},
            "read": {tool: _reading(run) for tool, run in _RUN.items()},
            "run": _RUN,
            "write": _patching(_written),
            "edit": _patching(_edited),
            "delegate": {
                "multi_agent_v1.spawn_agent": lambda given: {"message": given["prompt"]},
                "collaboration.spawn_agent": _spawned,
            },
            "wait": {
                "multi_agent_v1.wait_agent": lambda given: {"targets": given["agents"]},
                "collaboration.wait_agent": lambda _: {},
            },
            "code": {_CODE: lambda given: given},
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return {"CODEX_HOME": str(setting.home / ".codex"), "SCRIPTED_KEY": "scripted"}

    def prepare(self, setting: Setting) -> None:
        folder = setting.home / ".codex"
        folder.mkdir(exist_ok=True)
        server = setting.server
        environ = "".join(f"{name} = {json.dumps(value)}\n" for name, value in server.environ.items())
        (folder / "config.toml").write_text(
            f"""\
model = "{setting.model_name or "gpt-5.3-codex"}"
model_provider = "scripted"
model_reasoning_summary = "detailed"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{setting.model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[projects.{json.dumps(str(setting.work))}]
trust_level = "trusted"

[mcp_servers.seq]
command = {json.dumps(server.command)}
args = {json.dumps(list(server.arguments))}

[mcp_servers.seq.env]
{environ}""",
            "utf-8",
        )

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["exec", "--skip-git-repo-check", prompt]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["exec", "--skip-git-repo-check", "resume", _first_session(setting), prompt]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        return ["exec", "--skip-git-repo-check", "fork", _first_session(setting), prompt]

    def interactive(self, setting: Setting) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["--no-daemon"]


def _first_session(setting: Setting) -> str:
    files = (setting.home / ".codex" / "sessions").rglob("rollout-*.jsonl")
    return min(files, key=_by_time_in_name).stem[-36:]


def _by_time_in_name(file: Path) -> str:
    return file.name
