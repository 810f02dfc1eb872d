"""What agents write to disk about their own work, read as facts and translated to journal events.

A transcript is the file or database in which a client keeps a session. There is a folder for each client that we read,
and a package of others may bring one more. The core of each takes lines or rows and returns facts (`facts.py`); the
rest is the same for all.
"""
