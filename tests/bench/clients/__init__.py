"""What the viewer costs with sessions of clients on disk."""
