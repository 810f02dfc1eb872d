"""Other people's tests of an MCP server, run against ours: the official conformance suite, and the Inspector."""
