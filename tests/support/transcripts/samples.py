"""The known sessions of our own clients as samples for the laws of every source, and sources with planted faults."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from seqthink.sources.testing import Said, Sample, SampleRecord
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import (
    Fact,
    Prompt,
    Reasoning,
    Remark,
    Result,
    ToolCall,
    TurnEnded,
)
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession, SessionFeed, Source
from tests.support.transcripts.known.damage import row_of_unknown_type
from tests.support.transcripts.known.sessions import Delegate, End, KnownAgent, KnownSession, Step, Think, Turn
from tests.support.transcripts.known.sessions import Said as KnownSaid
from tests.support.transcripts.known.writer import SessionWriter
from tests.support.transcripts.known.writes import BEGIN_MS, Write, Written, apply, line_of

_FILLING = "x" * 1_000_000
_TIME = "2026-11-29T10:00:00.000Z"


def known_session(number: int = 1, variant: int = 0) -> KnownSession:
    """Return a session with everything that a client may keep, each text in it once."""
    reader = Turn(
        "what does it read?", (Step(("the log first",), (Think("it reads lines"),)),), (), "lines", End.MARKED
    )
    first = Turn(
        "why is it slow?",
        (
            Step(("who knows?",), (Think("ask another"), Delegate(KnownAgent((reader,))))),
            Step((), (Think("it reads twice"),), remark="let me look"),
        ),
        (),
        "the query",
        End.MARKED,
    )
    second = Turn("are you sure?", (Step((), (Think("look again"),)),), ("hm",), "yes", End.MARKED)
    return KnownSession(number, KnownAgent((first, second)), variant=variant)


def sample_of(writer: SessionWriter) -> Sample:
    """Return a known session, written by a client, as a sample."""
    written = writer.write()
    fragile = set(map(id, written.fragile))
    begun: set[str] = set()
    records: list[SampleRecord] = []
    held: set[int] = set()
    last = {write.path: write for write in written.writes}
    for write in written.writes:
        if write.replaces:  # it says what the one before said, and more
            new = tuple(said for said in write.holds if id(said) not in held)
            held.update(map(id, new))
            records.append(_rewritten(write, new, is_last=write is last[write.path]))
            continue
        # The first record of a file says whose it is.
        is_fragile = id(write) in fragile or write.path not in begun or bool(write.places or write.marks or write.run)
        begun.add(write.path)
        records.append(_record(write, written, is_fragile=is_fragile or not write.path.endswith(".jsonl")))
    main = written.writes[0].path
    fillings = {
        "claude": _claude_filling,
        "codex": _codex_filling,
        "copilot": _copilot_filling,
        "gemini": _gemini_filling,
        "pi": _pi_filling,
        "qwen": _qwen_filling,
    }
    if main.endswith(".db"):
        records.append(SampleRecord(main, is_fragile=True, do=partial(_changed, written)))
        filled = partial(_opencode_filling, written)
        return Sample(written.id, records, filled, is_append_only=False, contexts=written.contexts)
    if main.endswith(".json"):
        filled = partial(_cline_filling, written)
        return Sample(written.id, records, filled, is_append_only=False, contexts=written.contexts)
    filling = fillings[written.source]

    def long_record(number: int) -> SampleRecord:
        return SampleRecord(main, line_of(filling(written.id, number)))

    return Sample(written.id, records, long_record, contexts=written.contexts)


def _rewritten(write: Write, new: Sequence[KnownSaid], *, is_last: bool) -> SampleRecord:
    """Return a document that is written again, with what is new in it; cut, it has lost its last message."""
    cut = replace(write, data=write.data[: write.data.rindex(b'"role"')])
    damaged = partial(apply, cut) if is_last else None
    return SampleRecord(write.path, b"", tuple(map(_said, new)), damaged is None, partial(apply, write), damaged)


def _record(write: Write, written: Written, *, is_fragile: bool) -> SampleRecord:
    says = tuple(map(_said, write.holds))
    if write.sql is None:
        return SampleRecord(write.path, write.data, says, is_fragile)
    ids = Counter(one.sql[1][0] for one in written.writes if one.sql is not None)
    is_written_once = ids[write.sql[1][0]] == 1  # else it is whole in the end
    damaged = partial(apply, row_of_unknown_type(write)) if is_written_once and says else None
    return SampleRecord(write.path, b"", says, damaged is None, partial(apply, write), damaged)


def _said(said: KnownSaid) -> Said:
    kinds: Mapping[str, Any] = {kind: kind for kind in ("prompt", "reasoning", "remark", "thought", "answer")}
    return Said(said.agent, kinds[said.kind], said.text)


def _claude_filling(session: str, number: int) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": f"none{number}", "content": _FILLING}
    head = {"type": "user", "uuid": f"f{number}", "sessionId": session, "timestamp": _TIME}
    return {**head, "message": {"role": "user", "content": [result]}}


def _codex_filling(_session: str, number: int) -> dict[str, Any]:
    output = {"type": "function_call_output", "call_id": f"none{number}", "output": _FILLING}
    return {"timestamp": _TIME, "type": "response_item", "payload": output}


def _copilot_filling(_session: str, number: int) -> dict[str, Any]:
    about = {"id": f"f{number}", "timestamp": _TIME, "parentId": None}
    return {"type": "system.message", "data": {"role": "system", "content": _FILLING}, **about}


def _gemini_filling(_session: str, number: int) -> dict[str, Any]:
    return {"id": f"f{number}", "timestamp": _TIME, "type": "info", "content": _FILLING}


def _pi_filling(_session: str, number: int) -> dict[str, Any]:
    message = {"role": "toolResult", "toolCallId": f"none{number}", "content": [{"type": "text", "text": _FILLING}]}
    return {"type": "message", "id": f"f{number}", "parentId": f"f{number - 1}", "timestamp": _TIME, "message": message}


def _qwen_filling(session: str, number: int) -> dict[str, Any]:
    about = {"uuid": f"f{number}", "parentUuid": f"f{number - 1}", "sessionId": session, "timestamp": _TIME}
    part = {"functionResponse": {"id": f"none{number}", "name": "x", "response": {"output": _FILLING}}}
    return {**about, "type": "tool_result", "message": {"role": "user", "parts": [part]}}


def _cline_filling(written: Written, number: int) -> SampleRecord:
    main = written.writes[0].path
    document = json.loads([write.data for write in written.writes if write.path == main][-1])
    result = {"type": "tool_result", "tool_use_id": f"none{number}", "content": _FILLING}
    document["messages"].append({"id": f"f{number}", "role": "user", "content": [result], "ts": BEGIN_MS})
    data = json.dumps(document).encode()
    return SampleRecord(main, do=partial(apply, Write(main, data, replaces=True)))


def _changed(written: Written, home: Path) -> None:
    """Note that the session changed now, as the client does with each change."""
    for table in ("session", "session_v2"):
        statement = f"UPDATE {table} SET time_updated = ? WHERE id = ?"
        apply(Write(written.writes[0].path, b"", sql=(statement, (BEGIN_MS + 86_400_000, written.id))), home)


def _opencode_filling(written: Written, number: int) -> SampleRecord:
    [*_, newest] = [write for write in written.writes if write.sql is not None]
    statement, values = newest.sql or ("", ())
    row = (f"zzz_{number:06}", *values[1:-1], json.dumps({"type": "snapshot", "snapshot": _FILLING}))
    return SampleRecord(newest.path, do=partial(apply, Write(newest.path, b"", sql=(statement, row))))


# Planted faults


class FaultySource:
    """A source that returns what another one does, but for its facts.

    Args:
        source: the other one.
        change: returns the facts of one feed in place of its own; a new one for each feed.
        keeps: whether it keeps whatever the session's file holds, at each read.
    """

    def __init__(
        self, source: Source, change: "Callable[[], Callable[[Fact], Sequence[Fact]]]", *, keeps: bool = False
    ) -> None:
        self.name, self.label = source.name, source.label
        self._source, self._change, self._keeps = source, change, keeps

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        return self._source.folder(environ, home)

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        return self._source.find(folder, limit)

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        return self._source.watched_folders(folder)

    def recognises(self, path: Path, head: bytes) -> bool:
        return self._source.recognises(path, head)

    def sessions_in(self, path: Path) -> list[FoundSession]:
        return self._source.sessions_in(path)

    def process_of(self, found: FoundSession) -> ClientProcess:
        return self._source.process_of(found)

    def open(self, found: FoundSession) -> SessionFeed:
        return _FaultyFeed(self._source.open(found), self._change(), found.path if self._keeps else None)


class _FaultyFeed:
    def __init__(self, feed: SessionFeed, change: Callable[[Fact], Sequence[Fact]], kept: Path | None) -> None:
        self._feed, self._change, self._path = feed, change, kept
        self._kept: list[bytes] = []

    @property
    def counts(self) -> ReadCounts:
        return self._feed.counts

    @property
    def agent_files(self) -> Sequence[Path]:
        return self._feed.agent_files

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        return self._feed.unstarted_calls

    def unwritten_calls(self) -> Sequence[ToolCall]:
        return self._feed.unwritten_calls()

    def read(self, limit_bytes: int) -> FactBatch:
        batch = self._feed.read(limit_bytes)
        if self._path is not None:
            self._kept.append(self._path.read_bytes())
        return batch._replace(facts=[changed for fact in batch.facts for changed in self._change(fact)])

    def is_abandoned(self) -> bool | None:
        return self._feed.is_abandoned()

    def settle(self) -> list[Fact]:
        return [changed for fact in self._feed.settle() for changed in self._change(fact)]

    def close(self) -> None:
        self._feed.close()


def _has_text(fact: Fact) -> bool:
    return isinstance(fact, Prompt | Reasoning | Remark | TurnEnded) or (
        isinstance(fact, ToolCall) and fact.arguments is not None
    )


def losing(place: int) -> Callable[[Fact], Sequence[Fact]]:
    """Lose the fact at a place among those that are shown."""
    ids = _ids_of_shown()

    def change(fact: Fact) -> Sequence[Fact]:
        return [] if _has_text(fact) and ids(fact) == place else [fact]

    return change


def doubling(place: int) -> Callable[[Fact], Sequence[Fact]]:
    """Return one of the facts that are shown twice, the second time as another one."""
    ids = _ids_of_shown()

    def change(fact: Fact) -> Sequence[Fact]:
        if not _has_text(fact) or ids(fact) != place:
            return [fact]
        again = _with(fact, id=f"{fact.id}-again")
        return [fact, again, *_result_of(again)]

    return change


def misplacing(place: int) -> Callable[[Fact], Sequence[Fact]]:
    """Say of one of the facts that are shown that another agent had it."""
    ids = _ids_of_shown()

    def change(fact: Fact) -> Sequence[Fact]:
        return [_with(fact, agent="nobody") if _has_text(fact) and ids(fact) == place else fact]

    return change


def unchanged() -> Callable[[Fact], Sequence[Fact]]:
    """Change nothing."""
    return lambda fact: [fact]


def _ids_of_shown() -> Callable[[Fact], int]:
    """Return what counts the facts that are shown, each once."""
    places: dict[tuple[type[Fact], str], int] = {}
    return lambda fact: places.setdefault((type(fact), fact.id), len(places))


def _result_of(fact: Fact) -> Iterator[Fact]:
    if isinstance(fact, ToolCall):
        yield Result(id=fact.id, time=fact.time, agent=fact.agent, is_error=False)


def _with(fact: Fact, **fields: object) -> Fact:
    return msgspec.structs.replace(fact, **fields)
