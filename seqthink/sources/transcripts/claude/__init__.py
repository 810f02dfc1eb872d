"""Claude Code's transcripts: one JSON Lines file for each session, and one for each subagent."""
