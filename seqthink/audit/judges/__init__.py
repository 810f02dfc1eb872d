"""Judges that need no model: syntax, rules, secrets, and ruff for Python; `internal` combines them."""
