"""OpenCode."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Vocabulary

_LIMIT = {"context": 200_000, "output": 8_000}


class OpenCode:
    """Runs as ``opencode run``; sessions stand in its database."""

    name = "opencode"
    vocabulary = Vocabulary(
        {
            "read": {"read": lambda given: {"filePath": given["path"]}},
            "run": {"bash": lambda given: {**given, "description": "run a command"}},
            "write": {"write": lambda given: {"filePath": given["path"], "content": given["text"]}},
            "edit": {
                "edit": lambda given: {
                    "filePath": given["path"],
                    "oldString": given["before"],
                    "newString": given["after"],
                }
            },
            "delegate": {"task": lambda given: {**given, "subagent_type": "general"}},
        }
    )

    @property
    def transcripts(self) -> str:
        return f".local/share/{self.name}"

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return {
            "XDG_DATA_HOME": str(setting.home / ".local" / "share"),
            "XDG_CONFIG_HOME": str(setting.home / ".config"),
            "XDG_CACHE_HOME": str(setting.home / ".cache"),
            "XDG_STATE_HOME": str(setting.home / ".local" / "state"),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        }

    def prepare(self, setting: Setting) -> None:
        server = setting.server
        command = [server.command, *server.arguments]
        options = {"baseURL": f"{setting.model}/v1", "apiKey": "scripted"}
        models = {"scripted": {"name": "scripted", "reasoning": True, "tool_call": True, "limit": _LIMIT}}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options, "models": models}
        settings = {
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "share": "disabled",
            "autoupdate": False,
            "permission": "allow",
            "enabled_providers": ["scripted"],
            "provider": {"scripted": provider},
            "mcp": {"seq": {"type": "local", "command": command, "environment": dict(server.environ), "enabled": True}},
        }
        folder = setting.home / ".config" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.json").write_text(json.dumps(settings), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["run", "--pure", prompt]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["run", "--pure", "--session", self._first_session(setting), prompt]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        return ["run", "--pure", "--session", self._first_session(setting), "--fork", prompt]

    def interactive(self, setting: Setting) -> Sequence[str]:  # noqa: ARG002, its settings say it all
        return ["--pure"]

    def _first_session(self, setting: Setting) -> str:
        database = setting.home / self.transcripts / f"{self.name}.db"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            found = connection.execute("select id from session where parent_id is null order by time_created limit 1")
            return str(found.fetchone()[0])
