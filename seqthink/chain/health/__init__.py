"""What in a session looks as if the thinking had gone astray (docs/journal.md, "Chain health"). Pure."""
