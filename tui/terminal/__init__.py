"""The terminal below Textual: input decoding, safe output, memory, the external editor."""
