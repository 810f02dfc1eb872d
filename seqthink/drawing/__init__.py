"""The drawing: a folded session as rows of styled text; the terminal and the pipe show the same."""
