"""Codex: a rollout file of JSON lines for each thread, below ``sessions/YYYY/MM/DD``."""
