"""Widgets: each draws what it is given."""
