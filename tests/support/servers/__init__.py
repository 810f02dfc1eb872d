"""Servers and clients for tests: real processes and pipes, scripted clients, injected faults."""
