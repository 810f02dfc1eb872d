"""What the clients that write JSON Lines have in common: finding their files, and reading them as they grow."""
