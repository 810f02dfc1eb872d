"""What agents write to disk about their own work, read as facts and translated to journal events.

A transcript is the file or database in which a client keeps a session: Claude Code, Codex, Gemini CLI, OpenCode. There
is a folder for each of them. Its core takes lines or rows and returns facts (`facts.py`); the rest is the same for all.
"""
