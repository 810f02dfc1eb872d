"""Where sessions come from: a folder of journals, other programs' transcripts, a fleet, a pipe."""
