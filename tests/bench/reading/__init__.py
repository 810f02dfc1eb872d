"""Benchmarks of reading: from bytes to a session, without a screen."""
