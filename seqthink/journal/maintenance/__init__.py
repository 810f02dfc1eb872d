"""Maintains journals: checks them line by line, writes clean copies, deletes old ones."""
