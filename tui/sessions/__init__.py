"""What the viewer reads and writes: journals as they grow, the folder of sessions, notes."""
