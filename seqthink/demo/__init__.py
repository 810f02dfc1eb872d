"""The demo: a story that a scripted agent thinks through a real server."""
