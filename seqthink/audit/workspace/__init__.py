"""Access to the workspace: files, diffs, and isolated git."""
