"""Journals of many machines in one engine: its layout, and what is written to it and read from it (docs/fleet.md)."""
