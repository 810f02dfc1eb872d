"""`web`: what the pages cost: to write, to open, to follow."""

from pathlib import Path

from tests.bench.report import Table
from tests.bench.web import export_html


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure the exported and the live page."""
    return [*export_html.measure(folder, is_quick=is_quick)]
