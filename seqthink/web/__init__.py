"""The pages of `seqthink web`: who may read them, and how they are served. Nothing here writes to a journal."""
