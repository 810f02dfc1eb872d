"""Clients' files on a machine: read, planned, written."""
