"""Better code without a model: programs that repair what the internal judge finds."""
