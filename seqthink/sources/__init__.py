"""Sessions that others write: transcripts of other clients, and journals of other machines."""
