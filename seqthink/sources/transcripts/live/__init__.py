"""What is known of the client behind a transcript while it runs."""
