"""Benchmarks of reading a session: from bytes to the fold, and to what is written of it, without a screen."""
