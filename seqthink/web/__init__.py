"""The sessions in a browser: a read-only page that grows while an agent thinks (docs/web.md)."""
