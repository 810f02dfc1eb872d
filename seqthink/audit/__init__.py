"""Audit of code in thoughts: find it, judge it, ask for better code (docs/audit.md)."""
