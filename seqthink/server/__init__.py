"""The server: the tool `sequentialthinking` over MCP; every event is journaled before its answer leaves."""
