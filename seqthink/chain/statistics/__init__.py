"""Statistics of sessions: what one session counts, and what many count together."""
