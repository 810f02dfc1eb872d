"""Talking back to the client: questions to its model and to its person, and what comes of them (server.md)."""
