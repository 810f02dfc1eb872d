"""Measures the promises of docs/viewer.md, "Speed", each figure beside what it is compared with."""
