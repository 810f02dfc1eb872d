"""The clients: where each keeps its settings, and how it begins, resumes and forks."""
