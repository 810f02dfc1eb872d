"""Runs of plain thoughts, folded at once: what many events in a row add to the columns (docs/architecture.md)."""
