"""Text in terminal cells: widths, spans with roles, wrapping, the signs that lines are made of."""
