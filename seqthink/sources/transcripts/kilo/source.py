"""Finds the sessions in Kilo's database."""

from collections.abc import Iterable

from typing_extensions import override

from seqthink.sources.transcripts.opencode.source import OpenCodeSource


class KiloSource(OpenCodeSource):
    """Sessions of Kilo."""

    name = "kilo"
    label = "Kilo"

    @override
    def is_own(self, name: str, tables: Iterable[str] = ()) -> bool:
        """Return whether it is named as Kilo's, or has a table that only Kilo has."""
        return name.startswith(self.name) or any(table.startswith(f"{self.name}_") for table in tables)
