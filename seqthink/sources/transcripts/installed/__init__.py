"""Sources that other packages bring, by the entry-point group ``seqthink.sources``: found, loaded, and kept apart."""
