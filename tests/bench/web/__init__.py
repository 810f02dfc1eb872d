"""`web`: what the pages cost: to write, to open, to follow."""

from pathlib import Path

from tests.bench.report import Table
from tests.bench.web import export_html, live_page


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure the exported and the live page."""
    return [*live_page.measure(folder, is_quick=is_quick), *export_html.measure(folder, is_quick=is_quick)]
