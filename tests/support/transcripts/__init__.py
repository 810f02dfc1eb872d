"""Transcripts of real clients, for tests that read them."""
