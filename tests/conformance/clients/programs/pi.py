"""pi."""

import json
from collections.abc import Mapping, Sequence

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Vocabulary

_MODEL = {
    "id": "scripted", "name": "scripted", "reasoning": True, "contextWindow": 200_000, "maxTokens": 8_000,
}  # fmt: skip


class Pi:
    """Runs with ``--print``; a session's id is the end of its file's name. It has no subagents."""

    name = "pi"
    transcripts = ".pi/agent"
    vocabulary = Vocabulary(
        {
            "read": {"read": lambda given: given},
            "run": {"bash": lambda given: given},
            "write": {"write": lambda given: {"path": given["path"], "content": given["text"]}},
            "edit": {
                "edit": lambda given: {
                    "path": given["path"],
                    "edits": [{"oldText": given["before"], "newText": given["after"]}],
                }
            },
            "code": {"codemode": lambda given: {"code": given["source"]}},
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:  # noqa: ARG002, its settings say it all
        return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}

    def prepare(self, setting: Setting) -> None:
        folder, server = setting.home / ".pi" / "agent", setting.server
        folder.mkdir(parents=True, exist_ok=True)
        provider = {
            "baseUrl": f"{setting.model}/v1",
            "api": "openai-completions",
            "apiKey": "scripted",
            "models": [_MODEL],
        }
        entry = {
            "command": server.command,
            "args": list(server.arguments),
            "env": dict(server.environ),
            "exposure": "direct",
        }
        (folder / "models.json").write_text(json.dumps({"providers": {"scripted": provider}}), "utf-8")
        (folder / "settings.json").write_text(json.dumps({"defaultTools": ["+codemode"]}), "utf-8")
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"seq": entry}}), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return [*self.interactive(setting), "--print", prompt]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["--session", _first_session(setting), *self.begin(setting, prompt)]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        return ["--fork", _first_session(setting), *self.begin(setting, prompt)]

    def interactive(self, setting: Setting) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["--provider", "scripted", "--model", "scripted", "--thinking", "medium", "--approve"]


def _first_session(setting: Setting) -> str:
    files = (setting.home / ".pi" / "agent" / "sessions").glob("*/*.jsonl")
    return min(file.stem for file in files).rpartition("_")[2]
