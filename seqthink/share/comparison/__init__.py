"""Two compared sessions, as data and as a page."""
