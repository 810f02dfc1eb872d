"""Benchmarks of what is about many sessions at once."""
