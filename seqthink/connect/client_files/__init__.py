"""The configuration files of MCP clients on this machine: found, read, edited and written safely."""
