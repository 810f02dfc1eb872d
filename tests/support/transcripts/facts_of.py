"""The facts of a recorded run, as its source reads them."""

from pathlib import Path
from typing import TypeVar

from seqthink.sources.transcripts.facts import Fact
from seqthink.sources.transcripts.registry import load_source
from seqthink.sources.transcripts.source import SessionFeed
from tests.support.transcripts.recorded import lay_out

_Kind = TypeVar("_Kind", bound=Fact)


def facts_of_run(run: str, home: Path, slice_bytes: int = 1 << 20) -> list[Fact]:
    """Return all facts of the only session of a run, which has no record that cannot be read."""
    source = load_source(run.partition("/")[0])
    (found,) = source.find(source.folder({}, lay_out(run, home)), 10)
    feed = source.open(found)
    facts = read_all(feed, slice_bytes)
    assert (feed.counts.unknown, feed.counts.corrupt, feed.counts.too_long) == (0, 0, 0)
    return facts


def read_all(feed: SessionFeed, slice_bytes: int = 1 << 20) -> list[Fact]:
    """Return all facts that there are now, with those that are certain only if nothing more comes."""
    batch = feed.read(slice_bytes)
    facts = list(batch.facts)
    while not batch.at_end:
        batch = feed.read(slice_bytes)
        facts += batch.facts
    return [*facts, *feed.settle()]


def of(kind: type[_Kind], facts: list[Fact]) -> list[_Kind]:
    """Return the facts of one type."""
    return [fact for fact in facts if isinstance(fact, kind)]
