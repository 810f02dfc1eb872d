"""The tree: which rows there are and in which order, while a session grows, folded and filtered."""
