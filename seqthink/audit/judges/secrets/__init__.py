"""Secrets in code of any language: the forms in which they are written down, and which values are none."""
