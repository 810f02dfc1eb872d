"""The demo: a scripted agent that tells a story through a real server."""
