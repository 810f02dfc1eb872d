"""Commands that connect a client: its configuration, printed and written."""
