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

    @property
    def skipped(self) -> dict[str, int]:
        """How many records were left out, by the fields of a `skipped` event; without those that are 0."""
        numbers = {"unknown": self.unknown, "corrupt": self.corrupt, "tooLong": self.too_long}
        return {name: number for name, number in numbers.items() if number}
