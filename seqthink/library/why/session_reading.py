"""Brings the index of edits up to date: reads the sessions that are new or have changed, forgets those that are gone.

What was read is kept, also where the user interrupts it.
"""

import time
from array import array
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile, modified
from seqthink.library.viewer_store.edit_index import (
    EditIndex,
    IndexedEdit,
    IndexedGitCommand,
    IndexedSession,
    SessionKey,
)
from seqthink.library.why.line_digests import packed, unpacked
from seqthink.library.why.recorded_edits import EditCollector, JournalCollector, RecordedEdit, SessionEdits
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.choosing import ChosenSession
from seqthink.sources.transcripts.registry import JOURNAL

READ_BYTES: Final = 1 << 20
_SAVE_SECONDS: Final = 2.0
"""How often what was read is saved."""
_MINUTES_TYPE: Final = "I"
_encode = msgspec.msgpack.encode
_decode_edit = msgspec.msgpack.Decoder(
    tuple[str, str | None, int, str, str, str, int, bytes, bytes, bool, bool]  # the fields of `RecordedEdit`
).decode


class AboutSession(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the index keeps of a session for people."""

    client: str = ""
    """The client's version; of a journal its name."""
    title: str = ""


class Reading(msgspec.Struct, kw_only=True):
    """What one update of the index did."""

    sessions: int = 0
    """How many sessions there are."""
    read: int = 0
    """How many of them were read now."""
    unreadable: int = 0
    unread: int = 0
    """How many were not read, as the budget was spent or the index is full."""
    is_full: bool = False


def update_index(
    index: EditIndex,
    transcripts: Sequence[ChosenSession],
    journals: Sequence[SessionFile],
    sources: Collection[str],
    *,
    budget: Budget,
    report: Callable[[int, int], object],
) -> Reading:
    """Read what has changed, the newest first.

    Args:
        index: where it is kept.
        transcripts: all sessions of the clients in ``sources``.
        journals: all journals of ours, if ``sources`` has them.
        sources: the names of the sources that were listed.
        budget: how much reading may cost.
        report: called with how many sessions were read, and of how many.

    Raises:
        OSError: the index cannot be written.
    """
    wanted = [
        *((SessionKey(one.found.source, one.found.id), _stamp_of(one), one) for one in transcripts),
        *((SessionKey(JOURNAL, file.session), _stamp_of_file(file), file) for file in journals),
    ]
    known = index.stamps()
    there = {key for key, _, _ in wanted}
    gone = [key for key in known if key.source in sources and key not in there]
    if gone:
        index.forget(gone)
    stale = [(key, stamp, session) for key, stamp, session in wanted if known.get(key) != stamp]
    found = Reading(sessions=len(wanted))
    saved = time.monotonic()
    try:
        for place, (key, stamp, session) in enumerate(stale):
            report(place, len(stale))
            found.is_full = found.is_full or index.is_full
            if budget.is_spent or found.is_full:
                found.unread = len(stale) - place
                break
            _read_one(index, key, stamp, session, budget, found)
            if time.monotonic() - saved > _SAVE_SECONDS:
                index.save()
                saved = time.monotonic()
    finally:
        index.save()
    return found


def _read_one(
    index: EditIndex, key: SessionKey, stamp: str, session: ChosenSession | SessionFile, budget: Budget, found: Reading
) -> None:
    try:
        edits = _journal_edits(session.path) if isinstance(session, SessionFile) else _transcript_edits(session, budget)
    except OSError:
        found.unreadable += 1
        return
    if edits is None:
        return
    found.read += 1
    _put(index, key, stamp, edits)


def _transcript_edits(chosen: ChosenSession, budget: Budget) -> SessionEdits | None:
    """Return what a session did; None if there was no time to read it to its end."""
    collector = EditCollector()
    feed = chosen.source.open(chosen.found)
    try:
        at_end = False
        while not at_end:
            batch = feed.read(READ_BYTES)
            if batch.restarted:
                collector = EditCollector()
            collector.add(batch.facts)
            budget.spend(READ_BYTES)
            at_end = batch.at_end
            if not at_end and budget.is_spent:
                return None
    finally:
        feed.close()
    return collector.finish()


def _journal_edits(path: Path) -> SessionEdits:
    collector, reader = JournalCollector(), JournalReader(path)
    at_end = False
    while not at_end:
        batch = reader.read()
        if batch.restarted is not None:
            collector = JournalCollector()
        for event, _, _ in batch.events:
            collector.add(event)
        at_end = batch.at_end
    return collector.finish()


def _put(index: EditIndex, key: SessionKey, stamp: str, found: SessionEdits) -> None:
    about = msgspec.json.encode(AboutSession(found.client, found.title)).decode()
    minutes = array(_MINUTES_TYPE, (minute for minute in found.minutes if 0 <= minute < 1 << 32))
    session = IndexedSession(
        key=key,
        stamp=stamp,
        about=_text(about),
        folder=_text(found.cwd),
        repository=_text(found.repository),
        first=minutes[0] if minutes else 0,
        last=minutes[-1] if minutes else 0,
        minutes=minutes.tobytes(),
    )
    index.put(
        session,
        (
            IndexedEdit(_text(_name_of(path)), _text(path), encoded(edit))
            for edit in found.edits
            for path in dict.fromkeys(filter(None, (edit.path, edit.moved_to)))
        ),
        (IndexedGitCommand(_bounded(one.time), _text(one.folder), one.step) for one in found.git_commands),
    )


def encoded(edit: RecordedEdit) -> bytes:
    """Return an edit as the index keeps it."""
    return _encode(
        (
            *(_text(edit.call), _text(edit.agent) if edit.agent is not None else None, _bounded(edit.time)),
            *(_text(edit.path), edit.kind, _text(edit.moved_to), _bounded(edit.line)),
            *(packed(edit.after), packed(edit.removed), edit.is_whole, edit.knows_before),
        )
    )


def decoded(data: bytes) -> RecordedEdit | None:
    """Return an edit that the index kept; None if that is damaged."""
    try:
        call, agent, when, path, kind, moved_to, line, after, removed, is_whole, knows_before = _decode_edit(data)
    except msgspec.DecodeError:
        return None
    fields: dict[str, Any] = {"kind": kind}
    return RecordedEdit(
        call=call,
        agent=agent,
        time=when,
        path=path,
        moved_to=moved_to,
        line=line,
        after=unpacked(after),
        removed=unpacked(removed),
        is_whole=is_whole,
        knows_before=knows_before,
        **fields,
    )


def minutes_of(session: IndexedSession) -> "array[int]":
    """Return the minutes in which a session was at work."""
    minutes = array(_MINUTES_TYPE)
    minutes.frombytes(session.minutes[: len(session.minutes) // minutes.itemsize * minutes.itemsize])
    return minutes


def about_of(session: IndexedSession) -> AboutSession:
    """Return what is shown of a session."""
    try:
        return msgspec.json.decode(session.about, type=AboutSession)
    except msgspec.DecodeError:
        return AboutSession()


def _stamp_of(chosen: ChosenSession) -> str:
    found = chosen.found
    return f"{found.changed} {found.size} {found.path}".encode("utf-8", "replace").decode()


def _stamp_of_file(file: SessionFile) -> str:
    return f"{modified(file.path)} {file.size} {file.path}".encode("utf-8", "replace").decode()


def _name_of(path: str) -> str:
    return path.rpartition("/")[2]


def _text(text: str) -> str:
    """Return a text without what no database holds."""
    return text.encode("utf-8", "replace").decode()


def _bounded(number: int) -> int:
    return min(max(number, -(1 << 62)), 1 << 62)
