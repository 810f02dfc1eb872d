"""What of a thought is code: fences, diffs and bare lines, in which language, for which file."""
