"""The faults of `faults.toml`."""

import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

FAULTS_FILE = Path(__file__).with_name("faults.toml")


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """One fault: a text of one file becomes another."""

    name: str
    """What goes wrong, as a sentence."""
    room: str
    """The part of the program that it is in."""
    file: str
    """Path in the project."""
    before: str
    after: str
    tests: tuple[str, ...]
    """Paths that should notice it, the likeliest first."""

    def places_in(self, project: Path) -> int:
        """Return in how many places of a tree the fault could be planted; it needs exactly one."""
        path = project / self.file
        return path.read_text("utf-8").count(self.before) if path.is_file() else 0


def all_faults() -> list[Fault]:
    """Return all faults, in the order of the file."""
    return msgspec.convert(tomllib.loads(FAULTS_FILE.read_text("utf-8"))["fault"], list[Fault])
