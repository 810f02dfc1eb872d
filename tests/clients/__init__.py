"""Clients' configurations as text: read and edited, without a file."""
