"""What `seqthink ship` does: sends what an engine lacks of this machine's journals, and goes on as they grow."""
