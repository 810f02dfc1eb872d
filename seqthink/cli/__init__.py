"""The command line: one module a command; each imports only what that command needs."""
