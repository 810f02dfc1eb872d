"""Which repository a session belongs to: worktrees, subfolders and clones together; without git, its folder."""
