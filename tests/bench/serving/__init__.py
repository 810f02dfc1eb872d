"""Benchmarks of `seqthink serve`: its plain path, and the hand-over to the SDK."""
