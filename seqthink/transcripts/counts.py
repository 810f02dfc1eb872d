"""What became of the records that were read."""

from msgspec import Struct


class ReadCounts(Struct):
    """What became of the records of a transcript."""

    read: int = 0
    """Records that were looked at."""
    unknown: int = 0
    """Records of a type that the reader does not know, as from a newer version of the client."""
    corrupt: int = 0
    """Records that do not parse, or have a shape that cannot be read."""
    too_long: int = 0
    """Records that were left out because they are too long."""
