"""The MCP server with the tool `sequentialthinking`. Every event is journaled before its answer is sent."""
