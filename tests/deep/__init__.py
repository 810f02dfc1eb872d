"""Tests that need more than this project installs, or take long: `-m deep` selects them, and no other run does."""
