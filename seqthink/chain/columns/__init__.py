"""What the fold stores: columns that only grow, which sessions read."""
