"""Sessions whose truth is known, as each client writes them: the words of `tests/sources/transcripts/test_law.py`."""
