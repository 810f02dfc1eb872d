"""The commands about many sessions at once: which there are, what they do, where something was thought."""
