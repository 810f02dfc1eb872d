"""Engines for tests: in memory, real, and hostile."""
