"""The sessions in a browser, for reading: who may, how they are served, and what the page asks for (docs/web.md)."""
