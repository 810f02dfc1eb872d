"""Pages behind the real door: a server in a process of its own, and raw requests to it."""
