"""The sessions of a fleet as journals in a private folder, so that all that reads journals reads them."""
