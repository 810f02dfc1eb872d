"""What lists of many sessions show of each: its end, from the newest lines alone, and its group."""
