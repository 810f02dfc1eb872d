"""From a line of a file to the thought behind it: what was edited, who wrote which line, and how sure that is."""
