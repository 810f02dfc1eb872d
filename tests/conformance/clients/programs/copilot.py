"""GitHub Copilot CLI."""

import json
from collections.abc import Mapping, Sequence

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Vocabulary


class Copilot:
    """Runs with ``--prompt``, offline, with a model of its user's own; it has no way to copy a session."""

    name = "copilot"
    transcripts = ".copilot"
    vocabulary = Vocabulary(
        {
            "read": {"view": lambda given: {"path": given["path"]}},
            "run": {"bash": lambda given: {**given, "description": "run a command"}},
            "write": {"create": lambda given: {"path": given["path"], "file_text": given["text"]}},
            "edit": {
                "edit": lambda given: {"path": given["path"], "old_str": given["before"], "new_str": given["after"]}
            },
            "delegate": {
                "task": lambda given: {
                    "description": given["description"],
                    "prompt": given["prompt"],
                    "agent_type": "general-purpose",
                    "name": given["description"].replace(" ", "-"),
                    "mode": "sync",
                }
            },
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return {
            "COPILOT_HOME": str(setting.home / ".copilot"),
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{setting.model}/v1",
            "COPILOT_PROVIDER_API_KEY": "scripted",
            "COPILOT_MODEL": setting.model_name or "claude-sonnet-4.5",
        }

    def prepare(self, setting: Setting) -> None:
        server = setting.server
        entry = {
            "type": "local",
            "command": server.command,
            "args": list(server.arguments),
            "env": dict(server.environ),
            "tools": ["*"],
        }
        folder = setting.home / ".copilot"
        folder.mkdir(exist_ok=True)
        (folder / "mcp-config.json").write_text(json.dumps({"mcpServers": {"seq": entry}}), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:  # noqa: ARG002, its environment says it all
        return ["--prompt", prompt, "--allow-all-tools", "--allow-all-paths"]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return [*self.begin(setting, prompt), "--continue"]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:  # noqa: ARG002, there is none
        return None

    def interactive(self, setting: Setting) -> Sequence[str]:  # noqa: ARG002, its environment says it all
        return []
