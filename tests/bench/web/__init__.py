"""`web`: what the pages cost: to write, to open, to follow."""
