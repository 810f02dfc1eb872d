"""Where branches come back: which thoughts name a branch after its newest thought."""
