"""A second pair of eyes on code in thoughts: found, judged, improved (server.md, "Audit of code in thoughts")."""
