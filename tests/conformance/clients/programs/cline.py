"""Cline CLI."""

import json
from collections.abc import Mapping, Sequence

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Vocabulary

_PROVIDER = "openai-compatible"


class ClineCli:
    """Runs with a prompt; a session's id is the name of its folder. It cannot copy a session."""

    name = "cline"
    transcripts = ".cline/data/sessions"
    vocabulary = Vocabulary(
        {
            "read": {"read_files": lambda given: {"files": [{"path": given["path"]}]}},
            "run": {"run_commands": lambda given: {"commands": [given["command"]]}},
            "write": {"editor": lambda given: {"path": given["path"], "new_text": given["text"]}},
            "edit": {
                "editor": lambda given: {
                    "path": given["path"],
                    "old_text": given["before"],
                    "new_text": given["after"],
                }
            },
            "delegate": {"spawn_agent": lambda given: {"task": given["prompt"], "systemPrompt": "You help."}},
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:  # noqa: ARG002, its settings say it all
        return {"CLINE_SESSION_BACKEND_MODE": "local", "CLINE_NO_AUTO_UPDATE": "1"}

    def prepare(self, setting: Setting) -> None:
        folder, server = setting.home / ".cline" / "data" / "settings", setting.server
        folder.mkdir(parents=True, exist_ok=True)
        model = {
            "provider": _PROVIDER,
            "apiKey": "scripted",
            "model": setting.model_name or "claude-sonnet-4-6",
            "baseUrl": f"{setting.model}/v1",
        }
        providers = {
            "version": 1,
            "lastUsedProvider": _PROVIDER,
            "modes": {},
            "providers": {
                _PROVIDER: {"settings": model, "updatedAt": "2026-11-29T00:00:00.000Z", "tokenSource": "manual"}
            },
        }
        entry = {"command": server.command, "args": list(server.arguments), "env": dict(server.environ)}
        (folder / "providers.json").write_text(json.dumps(providers), "utf-8")
        (folder / "cline_mcp_settings.json").write_text(json.dumps({"mcpServers": {"seq": entry}}), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return [*self.interactive(setting), prompt]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str] | None:  # noqa: ARG002, with ``--id`` on a screen
        return None

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:  # noqa: ARG002, there is none
        return None

    def interactive(self, setting: Setting) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["--provider", _PROVIDER]
