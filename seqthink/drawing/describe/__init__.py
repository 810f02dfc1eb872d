"""What is said about a session, in words, numbers and marks; terminal, exports and pages say the same."""
