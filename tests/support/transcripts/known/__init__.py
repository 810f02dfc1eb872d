"""Sessions whose truth is known, written as each client writes them: the words of `tests/transcripts/test_law.py`."""
