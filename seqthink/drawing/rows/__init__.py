"""One row: its gutter, its text cut to the width, its marks and highlights."""
