"""What only a transcript says: prompts, native reasoning, the ends of turns, and what a rewind left behind."""
