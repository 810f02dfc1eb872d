"""The clients and edits of their configuration."""
