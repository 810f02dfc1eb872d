"""The prompts: templates that a client offers its user, as slash commands for example."""
