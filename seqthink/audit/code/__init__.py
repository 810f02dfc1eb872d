"""Finds code in a thought: fences, diffs and unfenced lines, with their language and file."""
