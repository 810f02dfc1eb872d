"""Measures `seqthink serve` beyond its plain path."""
