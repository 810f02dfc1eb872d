"""Screens for tests: scenes, terminals, a browser, hostile texts, and the pictures of them."""
