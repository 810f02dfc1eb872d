"""All sessions that can be shown, wherever they come from, and one of them read and folded as it grows."""
