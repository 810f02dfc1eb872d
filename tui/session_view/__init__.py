"""The screen that shows one session, and the controllers behind its keys."""
