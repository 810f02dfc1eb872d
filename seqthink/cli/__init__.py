"""The command line: one module per command. Each imports only what its command needs."""
