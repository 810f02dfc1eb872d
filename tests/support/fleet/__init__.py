"""Engines for tests: real ones, hostile ones."""
