"""The commands that keep, check and remove journals, and say which settings are in force."""
