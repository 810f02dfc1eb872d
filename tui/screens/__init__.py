"""Screens of the viewer beside the tree, and what else is loaded after the first frame."""

from importlib import import_module


def load_all() -> None:
    """Load every screen, and what keys alone ask for.

    The first frame needs none of it. But a screen must not come from the files of another version: the program may
    be upgraded while a viewer runs.
    """
    for name in ("change", "comparison", "find", "help", "marks", "palette", "sessions", "statistics", "wall"):
        import_module(f"{__name__}.{name}")
    for name in ("seqthink.drawing.panels.welcome_screen", "tui.session_view.export_file"):
        import_module(name)
