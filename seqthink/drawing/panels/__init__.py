"""The other parts of the screen: status line, scrubber, charts, lists, help, input lines."""
