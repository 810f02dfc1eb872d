"""Exports: a folded session in formats that other programs read."""
