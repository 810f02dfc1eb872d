"""Code to judge and workspaces to judge it in."""
