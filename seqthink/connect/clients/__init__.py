"""MCP clients: the configuration that each one needs, and where it reads it."""
