"""seqthink: a sequential-thinking server with a journal, and the code that understands journals."""

__version__ = "0.1.0"
