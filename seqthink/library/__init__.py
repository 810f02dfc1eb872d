"""All sessions of a machine: where they come from, read live, listed, found, and what viewers remember of them."""
