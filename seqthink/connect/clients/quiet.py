"""Variables that keep a client's program from sending anything while we run it for a moment. Pure.

They are those that each program documents. Measured with strace on 2026-11-27, in an empty home: `claude mcp add-json`
of Claude Code 2.1.197 looks up its maker's address three times, and writes a file of events to be sent. With its own
variable alone it still opens a connection in advance. It does not where there is a proxy, so it gets one at which
nobody answers: with both it makes no connection. `--version` makes none in any of the four that were measured (not
Copilot CLI and Kilo); there they are a precaution.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NOBODY: Final = "http://127.0.0.1:9"
"""The port of a service that no system offers any more: a connection is refused on this machine."""
_QUIET: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "claude-code": {
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            "HTTPS_PROXY": _NOBODY,
            "https_proxy": _NOBODY,
        },
        "copilot-cli": {"COPILOT_AUTO_UPDATE": "false", "COPILOT_OFFLINE": "true"},
        "gemini-cli": {"GEMINI_TELEMETRY_ENABLED": "false"},
        "kilo": {"KILO_DISABLE_AUTOUPDATE": "true", "KILO_DISABLE_MODELS_FETCH": "true"},
        "opencode": {"OPENCODE_DISABLE_AUTOUPDATE": "true", "OPENCODE_DISABLE_MODELS_FETCH": "true"},
        "cline": {"CLINE_NO_AUTO_UPDATE": "1"},
        "pi": {"PI_OFFLINE": "1"},
    }
)
"""By client; Codex and Qwen Code document no variable."""
_LEFT_OUT: Final = frozenset({"CLAUDE_CODE_ENABLE_TELEMETRY", "NO_PROXY", "no_proxy"})
"""What would switch sending on, or go round the proxy."""


def quiet_environment(client: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which the program of ``client`` is run for a moment.

    Args:
        client: its name on the command line.
        environ: the environment of this shell.
    """
    kept = {name: value for name, value in environ.items() if name not in _LEFT_OUT}
    return {**kept, **_QUIET.get(client, {})}
