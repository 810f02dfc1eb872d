"""Which MCP version a request speaks, and how a request asks for log messages. Standard library only."""

from typing import Final, Literal

STATELESS_VERSION: Final = "2026-07-28"
"""The first version without a handshake: each request carries what `initialize` used to say once."""

LOG_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"
"""The key in a stateless request's `_meta` that says from which level on it wants log messages."""
LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LOG_LEVELS: Final[tuple[LogLevel, ...]] = (
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
)  # fmt: skip
"""All levels, the least severe first."""
