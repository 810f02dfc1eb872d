"""Small faults that the suite has to find, and what plants them: `python -m tests.faults`."""
