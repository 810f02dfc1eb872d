"""Qwen Code."""

import json
from collections.abc import Mapping, Sequence

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Arguments, Vocabulary

_THINKING = "mcp__seq__sequentialthinking"


class QwenCode:
    """Runs with ``--prompt``; a session's id is the name of its file. Another tool calls those of MCP servers."""

    name = "qwen"
    transcripts = ".qwen"
    vocabulary = Vocabulary(
        {
            "think": {"tool_call": lambda given: {"name": _THINKING, "arguments": given}},
            "read": {"run_shell_command": lambda given: _run(f"cat {given['path']}")},
            "run": {"run_shell_command": lambda given: _run(given["command"])},
            "write": {"write_file": lambda given: {"file_path": given["path"], "content": given["text"]}},
            "edit": {
                "edit": lambda given: {
                    "file_path": given["path"],
                    "old_string": given["before"],
                    "new_string": given["after"],
                }
            },
            "delegate": {
                "agent": lambda given: {**given, "subagent_type": "general-purpose", "run_in_background": False}
            },
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return {
            "OPENAI_API_KEY": "scripted",
            "OPENAI_BASE_URL": f"{setting.model}/v1",
            "OPENAI_MODEL": setting.model_name or "qwen3-coder-plus",
            "QWEN_TELEMETRY_ENABLED": "false",
        }

    def prepare(self, setting: Setting) -> None:
        server = setting.server
        entry = {"command": server.command, "args": list(server.arguments), "env": dict(server.environ), "trust": True}
        settings = {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False},
            "mcpServers": {"seq": entry},
        }
        folder = setting.home / ".qwen"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.json").write_text(json.dumps(settings), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["--prompt", prompt, *self.interactive(setting)]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["--resume", _first_session(setting), *self.begin(setting, prompt)]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        return ["--fork-session", *self.resume(setting, prompt)]

    def interactive(self, setting: Setting) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["--yolo"]


def _run(command: str) -> Arguments:
    return {"command": command, "description": "run a command", "is_background": False}


def _first_session(setting: Setting) -> str:
    files = (setting.home / ".qwen" / "projects").glob("*/chats/*.jsonl")
    return min(files, key=lambda file: file.stat().st_ctime).stem
