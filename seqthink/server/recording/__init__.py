"""Calls become events and answers: the recorder, its state, limits, notes, context items."""
