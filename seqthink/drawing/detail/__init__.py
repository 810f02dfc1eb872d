"""The text pane: everything about one thought or refused call."""
