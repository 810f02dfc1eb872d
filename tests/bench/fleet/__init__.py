"""Measurements of a fleet: shipping, reading, faults, and what they cost."""
