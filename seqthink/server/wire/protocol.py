"""Names and versions of MCP that both paths share."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink import __version__
from seqthink.dialogue.protocol_versions import LOG_LEVELS, LogLevel
from seqthink.server.wire.meta_keys import PROTOCOL_VERSION_KEY

SERVER_IDENTITY: Final = {"name": "seqthink", "title": "Sequential Thinking", "version": __version__}
"""How the server introduces itself to a client."""

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The versions that `initialize` can agree on, oldest first. A client that requests another gets the newest."""

_LEVELS_UP_TO_WARNING: Final = LOG_LEVELS[: LOG_LEVELS.index("warning") + 1]


class Handshake(NamedTuple):
    """What a connection has agreed on so far."""

    params: Mapping[str, Any] | None = None
    """The parameters of the last accepted `initialize`."""
    protocol_version: str = HANDSHAKE_VERSIONS[-1]
    """The version agreed on; before `initialize`, the newest."""
    client: Mapping[str, Any] | None = None
    """Name and version of the client, from `initialize`."""
    is_initialized: bool = False
    """Whether `notifications/initialized` came."""
    log_level: LogLevel = LOG_LEVELS[0]
    """The least severe log message that the client wants: all, unless it says otherwise."""

    def after_initialize(self, params: Mapping[str, Any]) -> "Handshake":
        """Return the state after an accepted `initialize`."""
        requested: str = params["protocolVersion"]
        protocol_version = requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        return self._replace(
            params=params, protocol_version=protocol_version, client=client_identity(params["clientInfo"])
        )


def client_identity(client: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a client's self-description that the journal keeps."""
    return {"name": client["name"], "version": client["version"]}


def includes_warnings(log_level: object) -> bool:
    """Return whether a client with this ``log_level`` wants warnings."""
    return log_level in _LEVELS_UP_TO_WARNING


def warning_params(text: str) -> dict[str, Any]:
    """Return the parameters of a `notifications/message` with a warning."""
    return {"level": "warning", "logger": SERVER_IDENTITY["name"], "data": text}


def is_stateless(params: Mapping[str, Any] | None) -> bool:
    """Return whether a request carries the `_meta` of the stateless versions of MCP."""
    meta: Any = (params or {}).get("_meta")
    return isinstance(meta, dict) and PROTOCOL_VERSION_KEY in meta
