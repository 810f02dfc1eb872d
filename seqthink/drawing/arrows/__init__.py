"""Revision arrows: the track that each runs in, and the columns of tracks beside the rows."""
