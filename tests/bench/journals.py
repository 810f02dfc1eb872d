"""Journals of any length and shape, on disk or as events; a thought's text begins with ``t`` and its place, from 1."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from seqthink.core.events import ThoughtEvent
from tests.support.journals.build import START, JournalBuilder

SHAPES = ("straight", "fork", "robin", "revise")
WORDS = {
    "straight": "straight",
    "fork": "fork at every thought",
    "robin": "64 branches in turn",
    "revise": "all revise the first",
}
FILLING = " and so the pool of the checkout starves while the report job holds its connections;" * 4
_LINES_PER_WRITE = 2000


def text_mark(place: int) -> str:
    """Return the start of the text of the thought at ``place``."""
    return f"t{place}."


def line(place: int, length: int, seconds: float = 0.01) -> bytes:
    """Return the journal line of the thought at ``place`` of a straight journal, one every ``seconds``."""
    builder = JournalBuilder(START + timedelta(seconds=place * seconds))
    builder.seq = place
    return _add(builder, place, "straight", length).data


def write(path: Path, length: int, shape: str = "straight", *, is_over: bool = True) -> Path:
    """Write a journal of ``length`` thoughts, about 500 bytes each."""
    builder = JournalBuilder().session()
    with path.open("wb") as file:
        for place in range(1, length + 1):
            _add(builder, place, shape, length)
            if place % _LINES_PER_WRITE == 0 or place == length:
                if place == length and is_over:
                    builder.end()
                file.write(builder.data)
                bunch, builder = builder, JournalBuilder(builder.now)
                builder.seq = bunch.seq
    return path


def events(length: int, shape: str) -> Iterator[ThoughtEvent]:
    """Yield the thoughts alone, with short texts."""
    for place in range(1, length + 1):
        fields = _fields(place, shape)
        yield ThoughtEvent(
            v=1,
            seq=place,
            time=START + timedelta(milliseconds=place),
            thought="x",
            nextThoughtNeeded=True,
            totalThoughts=length,
            thoughtNumber=place if shape != "robin" else (place - 1) // 64 + 1,
            revisesThought=fields["revises"],
            branchFromThought=fields["from_"],
            branchId=f"b{fields['branch']}" if fields["branch"] is not None else None,
        )


def _fields(place: int, shape: str) -> dict[str, int | None]:
    fields: dict[str, int | None] = {"branch": None, "from_": None, "revises": None}
    if shape == "fork" and place > 1:
        fields |= {"branch": place, "from_": place - 1}
    elif shape == "robin" and place > 64:
        fields |= {"branch": place % 64, "from_": place % 64 + 1}
    elif shape == "revise" and place > 1:
        fields |= {"revises": 1}
    return fields


def _add(builder: JournalBuilder, place: int, shape: str, length: int) -> JournalBuilder:
    fields = _fields(place, shape)
    branch = f"b{fields['branch']}" if fields["branch"] is not None else None
    text = f"{text_mark(place)}{FILLING}"
    return builder.thought(
        text, place, 2 * length, branch=branch, from_=fields["from_"], revises=fields["revises"], after=0.01
    )
