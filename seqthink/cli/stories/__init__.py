"""The demo: a scripted agent that plays a story through a real server."""
