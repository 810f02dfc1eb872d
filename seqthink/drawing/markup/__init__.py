"""The markup of a thought as lines of cells: Markdown, diffs, and what a revision changed."""
