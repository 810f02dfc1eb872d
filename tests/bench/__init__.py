"""Measures what docs/viewer.md, "Speed" promises, each figure beside what it is compared with."""
