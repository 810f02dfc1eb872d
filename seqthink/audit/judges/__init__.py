"""Who judges code without a model: syntax, known smells, secrets, and ruff for Python, put together by `internal`."""
