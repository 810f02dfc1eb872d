"""Tables of measurements, as Markdown and as JSON."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from statistics import median, quantiles


@dataclass
class Table:
    """The table of one measurement: title, columns, rows and notes."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    notes: list[str] = field(default_factory=list[str])

    def add(self, *cells: object) -> None:
        """Add a row."""
        self.rows.append([str(cell) for cell in cells])

    def text(self) -> str:
        """Return the table as aligned Markdown."""
        lines = [list(self.columns), *[list(row) for row in self.rows]]
        widths = [max(len(line[place]) for line in lines) for place in range(len(self.columns))]
        drawn = [_line(line, widths) for line in lines]
        drawn.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
        return "\n".join(["", f"## {self.title}", "", *drawn, "", *self.notes])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.ljust(width) if not place else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join(padded) + " |"


def head() -> str:
    """Return the machine, its load, and the versions measured."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("textual", "rich", "msgspec"))
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}; "
        f"Python {platform.python_version()}, {packages}"
    )


def seconds(value: float) -> str:
    """Return a time in a readable unit."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1000:.0f} ms" if value >= 0.01 else f"{value * 1000:.2f} ms"


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile; the largest of few values."""
    return quantiles(values, n=100)[98] if len(values) >= 100 else max(values)


def spread(values: Sequence[float]) -> str:
    """Return median, minimum and maximum."""
    return f"{seconds(median(values))} ({seconds(min(values))} to {seconds(max(values))})"


def verdict(is_met: bool) -> str:
    """Return the verdict on a goal as text."""
    return "met" if is_met else "MISSED"
