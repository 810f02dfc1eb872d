"""Edits of clients' configuration texts that leave everything else as it is: JSON, JSON with comments, TOML. Pure."""
