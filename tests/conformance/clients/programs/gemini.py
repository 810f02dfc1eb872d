"""Gemini CLI."""

import json
from collections.abc import Mapping, Sequence

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Vocabulary

_HELPER = """\
---
name: helper
description: Looks into one thing.
---
You look into one thing and report it.
"""


class GeminiCli:
    """Runs with ``--prompt``; it has no way to copy a session."""

    name = "gemini"
    transcripts = ".gemini"
    vocabulary = Vocabulary(
        {
            "read": {"read_file": lambda given: {"file_path": given["path"]}},
            "run": {"run_shell_command": lambda given: {**given, "description": "run a command"}},
            "write": {"write_file": lambda given: {"file_path": given["path"], "content": given["text"]}},
            "edit": {
                "replace": lambda given: {
                    "file_path": given["path"],
                    "instruction": "change it",
                    "old_string": given["before"],
                    "new_string": given["after"],
                }
            },
            "finish": {"complete_task": lambda given: {"result": given["answer"]}},
            "delegate": {"invoke_agent": lambda given: {"agent_name": "helper", "prompt": given["prompt"]}},
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return {
            "GEMINI_CLI_HOME": str(setting.home),
            "GEMINI_API_KEY": "scripted",
            "GOOGLE_GEMINI_BASE_URL": setting.model,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_TELEMETRY_ENABLED": "false",
        }

    def prepare(self, setting: Setting) -> None:
        server = setting.server
        entry = {
            "command": server.command,
            "args": list(server.arguments),
            "env": dict(server.environ),
            "trust": True,
        }
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "experimental": {"enableAgents": True},
            "mcpServers": {"seq": entry},
        }
        agents = setting.home / ".gemini" / "agents"
        agents.mkdir(parents=True, exist_ok=True)
        (agents / "helper.md").write_text(_HELPER, "utf-8")
        (setting.home / ".gemini" / "settings.json").write_text(json.dumps(settings), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["--prompt", prompt, *_options(setting)]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["--resume", "latest", *self.begin(setting, prompt)]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:  # noqa: ARG002, there is none
        return None

    def interactive(self, setting: Setting) -> Sequence[str]:
        return _options(setting)


def _options(setting: Setting) -> list[str]:
    return ["--yolo", "--skip-trust", "--model", setting.model_name or "gemini-3.8-flash"]
