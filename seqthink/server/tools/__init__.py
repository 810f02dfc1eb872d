"""The tools' definitions, and what their arguments may be."""
