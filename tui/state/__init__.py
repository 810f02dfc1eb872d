"""What the screen depends on, as values: no Textual, no clock, no thread."""
