"""Variables that keep a client's program from sending anything while we run it for a moment. Pure.

They are those that each program documents. Measured with strace on 2026-11-27, in an empty home: `claude mcp add-json`
of Claude Code 2.1.197 looks up its maker's address three times, and writes a file of events to be sent. With its own
variable alone it still opens a connection in advance. It does not where there is a proxy, so it gets one at which
nobody answers: with both it makes no connection. `--version` makes none in any of the four that were measured (not
Copilot CLI and Kilo); there they are a precaution. Codex and Qwen Code document no variable.
"""

from collections.abc import Mapping
from typing import Final

from seqthink.connect.clients.registry import CLIENTS

_LEFT_OUT: Final = frozenset({"CLAUDE_CODE_ENABLE_TELEMETRY", "NO_PROXY", "no_proxy"})
"""What would switch sending on, or go round the proxy."""


def quiet_environment(client: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which the program of ``client`` is run for a moment.

    Args:
        client: its name on the command line.
        environ: the environment of this shell.
    """
    kept = {name: value for name, value in environ.items() if name not in _LEFT_OUT}
    return {**kept, **CLIENTS[client].quiet}
