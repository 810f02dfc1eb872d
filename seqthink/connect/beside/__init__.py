"""The viewer in a split beside the agent: which terminal that is, and the commands that split it."""
