"""Transcripts written as journals that stay: `seqthink import`."""
