"""What all rooms build on: events, arguments, untrusted text, times, errors, files, settings, secrets, diffs."""
