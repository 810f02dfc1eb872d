"""Fleets for tests: an engine in memory, servers that are started and killed, engines that misbehave."""
