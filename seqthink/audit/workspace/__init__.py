"""What an audit may read and change on disk: diffs, git without its configuration, and one folder."""
