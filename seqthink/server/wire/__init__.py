"""Messages on stdin and stdout: streams, JSON-RPC, signals, and what MCP calls things."""
