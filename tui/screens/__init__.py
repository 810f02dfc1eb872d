"""Screens of the viewer beside the tree."""

from importlib import import_module


def load_all() -> None:
    """Load every screen.

    The first frame needs none of them. But a screen must not come from the files of another version: the program may
    be upgraded while a viewer runs.
    """
    for name in ("find", "help", "marks", "palette", "sessions", "statistics", "wall"):
        import_module(f"{__name__}.{name}")
