"""Journals and sessions for tests: builders, strategies, the slow fold."""
