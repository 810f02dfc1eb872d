"""What both lanes must say alike of MCP: names, revisions, the keys of a request's envelope."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink import __version__
from seqthink.dialogue.protocol_versions import LOG_LEVELS, LogLevel

SERVER_IDENTITY: Final = {"name": "seqthink", "title": "Sequential Thinking", "version": __version__}
"""How the server names itself to a client."""

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""What `initialize` can settle on; to any other wish the answer is the newest."""

PROTOCOL_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY: Final = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
_UP_TO_WARNING: Final = LOG_LEVELS[: LOG_LEVELS.index("warning") + 1]
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"


class Handshake(NamedTuple):
    """What a connection has settled so far."""

    params: Mapping[str, Any] | None = None
    """Those of the last `initialize` that was accepted."""
    protocol_version: str = HANDSHAKE_VERSIONS[-1]
    client: Mapping[str, Any] | None = None
    """Who connected, once it has said so."""
    is_initialized: bool = False
    log_level: LogLevel = LOG_LEVELS[0]
    """The least severe log message that the client wants: any, until it says otherwise."""

    def after_initialize(self, params: Mapping[str, Any]) -> "Handshake":
        """Return what is settled after another `initialize`."""
        wished: str = params["protocolVersion"]
        revision = wished if wished in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        return self._replace(params=params, protocol_version=revision, client=client_identity(params["clientInfo"]))


def client_identity(client: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the journal keeps of a client's description of itself."""
    return {"name": client["name"], "version": client["version"]}


def includes_warnings(log_level: object) -> bool:
    """Return whether a client that asks for log messages from ``log_level`` on gets warnings, too."""
    return log_level in _UP_TO_WARNING


def warning_params(text: str) -> dict[str, Any]:
    """Return the parameters of a `notifications/message` that warns."""
    return {"level": "warning", "logger": SERVER_IDENTITY["name"], "data": text}


def is_stateless(params: Mapping[str, Any] | None) -> bool:
    """Return whether a request carries the envelope that only the stateless revisions know."""
    meta: Any = (params or {}).get("_meta")
    return isinstance(meta, dict) and PROTOCOL_VERSION_KEY in meta
