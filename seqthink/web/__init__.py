"""The sessions in a browser, read-only: who may read, how they are served, and what the page asks (docs/web.md)."""
