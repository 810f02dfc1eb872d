"""Finds the sessions in Kilo's database."""

from seqthink.sources.transcripts.opencode.source import OpenCodeSource


class KiloSource(OpenCodeSource):
    """Sessions of Kilo."""

    name = "kilo"
    label = "Kilo"
