"""OpenCode: sessions in an SQLite database that the client writes while it works."""
