"""What the two eras of MCP are told apart by, and how a request asks for log messages. Standard library only."""

from typing import Final, Literal

MODERN: Final = "2026-07-28"
"""The stateless revision: each request carries what `initialize` used to say once, and a server has none of its own."""

LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LOG_LEVELS: Final[tuple[LogLevel, ...]] = (
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
)  # fmt: skip
