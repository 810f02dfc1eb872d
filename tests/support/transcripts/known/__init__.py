"""Sessions whose truth is known, written as each client writes them: the vocabulary of `tests/transcripts/test_law.py`."""
