"""The commands about many sessions at once: what there is, what it is doing, where something was thought."""
