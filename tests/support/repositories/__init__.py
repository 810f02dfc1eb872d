"""Repositories with a known history, made for tests and measurements."""
