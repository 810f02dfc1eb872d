"""The rows of the tree: items and their order."""
