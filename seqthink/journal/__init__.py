"""The journal: one session, one append-only file of JSON Lines (bytes in, events out, and back)."""
