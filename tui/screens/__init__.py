"""Screens of the viewer beside the tree."""
