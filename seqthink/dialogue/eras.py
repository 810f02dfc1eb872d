"""What the two eras of MCP are told apart by, and how a request asks for log messages. Standard library only."""

from typing import Final

MODERN: Final = "2026-07-28"
"""The stateless revision: each request carries what `initialize` used to say once, and a server has none of its own."""

LOG_LEVEL: Final = "io.modelcontextprotocol/logLevel"
LOG_LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
