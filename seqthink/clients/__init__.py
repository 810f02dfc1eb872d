"""The MCP clients that people use: what each has to be told of the server, and where it reads that."""
