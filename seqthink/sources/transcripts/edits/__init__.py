"""What calls change in files: taken from their arguments and results, and found again by a call's id."""
