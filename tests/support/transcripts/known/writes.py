"""What a client writes, in order: it can be written at once, in steps, or damaged."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.transcripts.known.sessions import Said

BEGIN_MS = 1_795_000_000_000
"""When the first session begins, in milliseconds since 1970."""


@dataclass(frozen=True)
class Write:
    """Bytes that a client adds to a file, or that replace it."""

    path: str
    """The file, relative to the home folder."""
    data: bytes
    holds: tuple[Said, ...] = ()
    """What is lost with it, unless another write holds it, too."""
    places: tuple[Said, ...] = ()
    """What is out of its place without it: the call whose answer this is."""
    replaces: bool = False


@dataclass
class Written:
    """What a client wrote of a session."""

    source: str
    id: str
    """The client's id of the session."""
    writes: list[Write] = field(default_factory=list[Write])
    said: list[Said] = field(default_factory=list[Said])
    """All that has to be shown, that of each agent in its order."""


def apply(write: Write, home: Path, upto: int | None = None, since: int = 0) -> None:
    """Do a write, or the part of it between two bytes."""
    path = home / write.path
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb" if write.replaces else "ab") as file:
        file.write(write.data[since:upto])


def apply_all(writes: Iterable[Write], home: Path) -> None:
    """Do all of them."""
    for write in writes:
        apply(write, home)


def line_of(record: dict[str, Any]) -> bytes:
    """Return a record as a line of JSON."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
