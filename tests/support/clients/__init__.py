"""Machines with MCP clients on them."""
