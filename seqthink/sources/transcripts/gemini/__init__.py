"""Gemini CLI: a file of JSON lines for each session below ``tmp/PROJECT/chats``, before April 2026 a JSON document."""
