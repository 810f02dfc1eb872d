"""Claude Code."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from tests.conformance.clients.programs.program import Setting
from tests.conformance.clients.vocabulary import Vocabulary, Word

_DELEGATE: Final[Mapping[str, Word]] = {
    "Agent": lambda given: {**given, "subagent_type": "general-purpose", "run_in_background": False},
    "Task": lambda given: {**given, "subagent_type": "general-purpose"},
}


class ClaudeCode:
    """Runs in print mode; a session's id is the name of its file."""

    name = "claude"
    transcripts = ".claude"
    vocabulary = Vocabulary(
        {
            "read": {"Read": lambda given: {"file_path": given["path"]}},
            "run": {"Bash": lambda given: {**given, "description": "run a command"}},
            "write": {"Write": lambda given: {"file_path": given["path"], "content": given["text"]}},
            "edit": {
                "Edit": lambda given: {
                    "file_path": given["path"],
                    "old_string": given["before"],
                    "new_string": given["after"],
                }
            },
            "delegate": _DELEGATE,
        }
    )

    def environ(self, setting: Setting) -> Mapping[str, str]:
        return {
            "ANTHROPIC_BASE_URL": setting.model,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CONFIG_DIR": str(setting.home / ".claude"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",
        }

    def prepare(self, setting: Setting) -> None:
        server = setting.server
        entry = {"command": server.command, "args": list(server.arguments), "env": dict(server.environ)}
        (setting.home / "mcp.json").write_text(json.dumps({"mcpServers": {"seq": entry}}), "utf-8")
        folder = setting.home / ".claude"
        folder.mkdir(exist_ok=True)
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        approved = {"approved": ["scripted"], "rejected": []}
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": approved,
            "projects": {str(setting.work): trusted},
        }
        if not (folder / ".claude.json").exists():
            (folder / ".claude.json").write_text(json.dumps(state), "utf-8")

    def begin(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["-p", prompt, *_options(setting)]

    def resume(self, setting: Setting, prompt: str) -> Sequence[str]:
        return ["-p", prompt, "--resume", _first_session(setting), *_options(setting)]

    def fork(self, setting: Setting, prompt: str) -> Sequence[str] | None:
        return [*self.resume(setting, prompt), "--fork-session"]

    def interactive(self, setting: Setting) -> Sequence[str]:
        return _options(setting)


def _options(setting: Setting) -> list[str]:
    model = setting.model_name or "claude-opus-4-8"
    return [
        "--model", model, "--mcp-config", str(setting.home / "mcp.json"), "--strict-mcp-config",
        "--permission-mode", "default", "--allowedTools",
        "mcp__seq,Read,Bash,Edit,Write,Agent,Task",
    ]  # fmt: skip


def _first_session(setting: Setting) -> str:
    files = (setting.home / ".claude" / "projects").glob("*/*.jsonl")
    return min(files, key=lambda file: file.stat().st_ctime).stem
