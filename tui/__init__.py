"""The viewer: a Textual app that reads journals and draws the chain."""
