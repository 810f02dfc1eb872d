"""Finds words in the texts of many sessions: journals are read from their ends backwards, and no index is kept.

Bytes are compared first, a block at a time; only lines that may hold the words are decoded (docs/sessions.md,
"Finding").
"""
