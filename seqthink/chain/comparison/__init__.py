"""Two sessions side by side: which of their texts say the same, and where they part."""
