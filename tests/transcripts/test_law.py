"""The law: whatever a folder of transcripts holds is on the screen exactly once, under the agent that had it.

What is damaged is not there, and is counted instead.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.transcripts.spool import Spool
from tests.support.transcripts.known.claude_files import ClaudeWriter
from tests.support.transcripts.known.codex_files import CodexWriter
from tests.support.transcripts.known.damage import damages
from tests.support.transcripts.known.drawn import sessions
from tests.support.transcripts.known.gemini_files import GeminiWriter
from tests.support.transcripts.known.opencode_rows import OpenCodeWriter
from tests.support.transcripts.known.sessions import KnownSession, Rows
from tests.support.transcripts.known.shown import damage_of, found_in, read_to_end, rows_in
from tests.support.transcripts.known.writer import SessionWriter
from tests.support.transcripts.known.writes import Truth, Write, apply, apply_all


CLIENTS = pytest.mark.parametrize("writer", [ClaudeWriter, CodexWriter, GeminiWriter, OpenCodeWriter])


@contextmanager
def new_home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        yield home


def shown_of(home: Path) -> dict[tuple[str, str], Rows]:
    """Return the rows of each session below a home folder."""
    rows: dict[tuple[str, str], Rows] = {}
    for place, (source, found) in enumerate(found_in(home)):
        spool = Spool(source, found, home.parent / f"{place}.jsonl")
        try:
            read_to_end(spool)
            spool.flush()
            rows[found.source, found.id] = rows_in(spool.path)
        finally:
            spool.close()
    return rows


@CLIENTS
@given(session=sessions())
def test_all_is_shown_once(writer: type[SessionWriter], session: KnownSession) -> None:
    written = writer(session).write()
    with new_home() as home:
        apply_all(written.writes, home)
        shown = shown_of(home)

    assert list(shown) == [(written.source, written.id)]
    assert Truth(written).differences(shown[written.source, written.id]) == []


@CLIENTS
@given(session=sessions(), data=st.data())
def test_damage_costs_no_more_than_what_is_damaged_and_is_counted(writer: type[SessionWriter], session: KnownSession, data: st.DataObject) -> None:
    written = writer(session).write()
    damaged = data.draw(damages(written))
    with new_home() as home:
        apply_all(damaged.writes, home)
        shown = shown_of(home)
        counted = sum(map(damage_of, found_in(home)))

    assert list(shown) == [(written.source, written.id)]
    assert Truth(written, damaged.lost).differences(shown[written.source, written.id]) == []
    assert counted >= damaged.counted


@CLIENTS
@given(session=sessions(), data=st.data())
def test_a_session_that_is_read_while_it_grows_is_shown_as_one_that_is_read_at_once(
    writer: type[SessionWriter], session: KnownSession, data: st.DataObject
) -> None:
    written = writer(session).write()
    with new_home() as home:
        apply(written.writes[0], home)
        [(source, found)] = found_in(home)
        spool = Spool(source, found, home.parent / "spool.jsonl")
        try:
            _grow(spool, written.writes[1:], home, data)
            spool.flush()
            shown = rows_in(spool.path)
        finally:
            spool.close()

    assert Truth(written).differences(shown) == []


def _grow(spool: Spool, writes: list[Write], home: Path, data: st.DataObject) -> None:
    places = data.draw(st.sets(st.integers(0, len(writes) - 1), max_size=4)) if writes else set[int]()
    for place, write in enumerate(writes):
        if place in places:
            at = data.draw(st.integers(0, len(write.data)))
            apply(write, home, at)
            read_to_end(spool, is_quiet=data.draw(st.booleans()))
            apply(write, home, None, at)
        else:
            apply(write, home)
    read_to_end(spool)
