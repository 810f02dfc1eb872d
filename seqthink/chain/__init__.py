"""The chain: what a session's events mean, folded into chains, lanes and thoughts."""
