"""Measures what viewer.md promises under "Speed", each figure beside what it is compared with."""
