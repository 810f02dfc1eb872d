"""Recordings of a replay, and the files that play them."""
