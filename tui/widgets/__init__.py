"""Widgets; each draws the data that its owner sets."""
