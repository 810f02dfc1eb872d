"""The tap: passes the bytes of any MCP stdio server on, and journals the thoughts that it hears (docs/sources.md)."""
