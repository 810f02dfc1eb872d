"""The clients: where each keeps its settings, and how it is told to begin, to resume and to fork."""
