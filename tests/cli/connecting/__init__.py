"""The commands that connect clients."""
