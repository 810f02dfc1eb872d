"""Journals for tests, as the server writes them: ``JournalBuilder().session().thought("Why?", 1, 3)``."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Self

from msgspec import Struct, structs

from seqthink.core.events import (
    AskingEvent,
    AuditEvent,
    ElicitEvent,
    Event,
    RejectedEvent,
    SampleEvent,
    SessionEvent,
    ThoughtEvent,
    UnknownEvent,
)
from seqthink.journal.decode import decode
from seqthink.journal.encode import encode

START = datetime(2026, 3, 10, 14, 2, tzinfo=UTC)
SESSION = "20260310T140200.000000Z-k3v9qa"


@cache
def _field_names(event: type[Struct]) -> list[str]:
    return [field.encode_name for field in structs.fields(event)]


class JournalBuilder:
    """Builds a journal line by line; each event is ``after`` seconds later than the one before.

    The clock starts at 14:02:00 on 10 March 2026, the time of the first event. Every method returns the builder, so
    calls can be chained; ``seq`` is the number of the last event written.
    """

    def __init__(self, start: datetime = START) -> None:
        self.now = start
        self.seq = 0
        self._lines: list[bytes] = []
        self._has_thoughts = False

    def event(self, kind: str, fields: Mapping[str, Any], *, after: float = 0) -> Self:
        """Add an event of any type; ``None`` leaves a field out."""
        self.now += timedelta(seconds=after)
        self.seq += 1
        self._lines.append(encode(self.seq, self.now, kind, fields))
        return self

    def _named(
        self, event: type[Struct], fields: Mapping[str, Any], more: Mapping[str, object], *, after: float = 0
    ) -> Self:
        """Add an event with ``more`` of its fields; a name that it does not have is a typing error, and raises."""
        known = _field_names(event)
        if unknown := sorted(more.keys() - set(known)):
            raise TypeError(f"{event.__name__} has no field {unknown[0]!r}; it has {', '.join(known)}")
        return self.event(str(event.__struct_config__.tag), {**fields, **more}, after=after)

    def raw(self, data: bytes) -> Self:
        """Add raw bytes: no newline is added, and ``seq`` stays."""
        self._lines.append(data)
        return self

    def session(
        self,
        session: str = SESSION,
        *,
        title: str | None = None,
        client: str | None = "claude-code",
        cwd: str | None = "/home/ana/shop-api",
        host: str | None = "desk",
        resumed: bool = False,
        after: float = 0,
        **more: object,
    ) -> Self:
        """Add the line that a server writes first."""
        fields: dict[str, Any] = {
            "session": session,
            "title": title,
            "server": {"name": "seqthink", "version": "0.1.0"},
            "client": {"name": client, "version": "2.1.0"} if client else None,
            "protocolVersion": "2025-11-25",
            "pid": 4711,
            "host": host,
            "cwd": cwd,
            "resumed": resumed or None,
        }
        return self._named(SessionEvent, fields, more, after=after)

    def thought(
        self,
        text: str,
        number: int = 1,
        total: int = 1,
        *,
        next: bool = True,  # noqa: A002 - as the tool calls it
        branch: str | None = None,
        from_: int | None = None,
        revises: int | None = None,
        after: float = 10,
        **more: object,
    ) -> Self:
        """Add a thought; the first has no delay, each later one comes 10 seconds (or ``after``) later.

        ``revises`` makes it a revision; further fields of the tool or the journal are keyword arguments
        (``needsMoreThoughts=True``, ``isRevision=False``, ``answeredNext=True``).
        """
        fields: dict[str, Any] = {
            "thought": text,
            "nextThoughtNeeded": next,
            "thoughtNumber": number,
            "totalThoughts": total,
            "isRevision": True if revises is not None else None,
            "revisesThought": revises,
            "branchFromThought": from_,
            "branchId": branch,
        }
        after, self._has_thoughts = after if self._has_thoughts else 0, True
        return self._named(ThoughtEvent, fields, more, after=after)

    def rejected(
        self,
        error: str = "Invalid thoughtNumber: must be a positive integer, got 0",
        *,
        arguments: object = None,
        after: float = 1,
        **more: object,
    ) -> Self:
        """Add a refused call."""
        return self._named(RejectedEvent, {"error": error, "arguments": arguments}, more, after=after)

    def audit(
        self,
        of: int | None = None,
        verdict: str = "pass",
        score: int = 92,
        *,
        dimensions: Mapping[str, int] | None = None,
        summary: str = "",
        comments: Sequence[tuple[str, int, str]] = (),
        error: str | None = None,
        after: float = 2,
        **more: object,
    ) -> Self:
        """Add an audit by the internal judge, or its ``error``; ``of`` is by default the last event."""
        review: dict[str, Any] = {
            "overall": score,
            "dimensions": [{"name": n, "score": s} for n, s in (dimensions or {"correctness": score}).items()],
            "verdict": verdict,
            "review": {
                "summary": summary,
                "inline": [{"path": path, "line": line, "comment": text} for path, line, text in comments],
                "citations": [],
            },
            "proposed_diff": None,
            "iterations": 1,
            "judge_cards": [{"model": "internal", "score": score}],
        }
        fields: dict[str, Any] = {
            "of": self.seq if of is None else of,
            "config": {"threshold": 85, "judges": ["internal"]},
            "review": review if error is None else None,
            "durationMs": after * 1000,
            "error": error,
        }
        return self._named(AuditEvent, fields, more, after=after)

    def sample(self, of: int | None = None, purpose: str = "audit", *, after: float = 1, **more: object) -> Self:
        """Add a sampling exchange that belongs to the event ``of`` (by default the last one)."""
        fields: dict[str, Any] = {
            "of": self.seq if of is None else of,
            "purpose": purpose,
            "messages": [
                {"role": "user", "content": {"type": "text", "text": "Judge this diff."}},
                {"role": "assistant", "content": {"type": "text", "text": "It releases the pool."}},
            ],
            "model": "a-model",
            "durationMs": after * 1000,
            "attempt": 1,
        }
        return self._named(SampleEvent, fields, more, after=after)

    def asking(
        self,
        of: int | None = None,
        purpose: str = "limit",
        kind: str = "elicit",
        *,
        after: float = 0,
        **more: object,
    ) -> Self:
        """Add an open question about the event ``of`` (by default the last one)."""
        fields = {"of": self.seq if of is None else of, "purpose": purpose, "kind": kind}
        return self._named(AskingEvent, fields, more, after=after)

    def elicit(
        self,
        of: int | None = None,
        purpose: str = "limit",
        action: str | None = "accept",
        *,
        content: Mapping[str, Any] | None = None,
        after: float = 1,
        **more: object,
    ) -> Self:
        """Add a question to the user about the event ``of`` (by default the last one)."""
        fields: dict[str, Any] = {
            "of": self.seq if of is None else of,
            "purpose": purpose,
            "messages": [
                {"role": "assistant", "content": {"type": "text", "text": "Go on?"}},
                {"role": "user", "content": {"type": "text", "text": str(action)}},
            ],
            "action": action,
            "content": content,
            "durationMs": after * 1000,
        }
        return self._named(ElicitEvent, fields, more, after=after)

    def context(
        self,
        content: str | None = "The pool has 50 connections.",
        *,
        id: str = "c1",  # noqa: A002 - as the journal calls it
        action: str = "store",
        tags: Sequence[str] | None = None,
        of: int | None = None,
        after: float = 1,
    ) -> Self:
        """Add a context item that was stored or updated."""
        fields = {
            "id": id,
            "action": action,
            "content": content,
            "tags": None if tags is None else list(tags),
            "of": of,
        }
        return self.event("context", fields, after=after)

    def note(
        self,
        text: str = "Look at the report job first.",
        *,
        id: str = "9f86d081884c7d65",  # noqa: A002 - as the journal calls it
        of: int | None = None,
        written: str | None = None,
        agent: str | None = None,
        after: float = 0,
    ) -> Self:
        """Add a note that was delivered in the answer to the event ``of`` (by default the last one)."""
        fields = {"id": id, "text": text, "of": self.seq if of is None else of, "writtenAt": written, "agent": agent}
        return self.event("note", fields, after=after)

    def end(self, reason: str = "eof", *, error: str | None = None, after: float = 0) -> Self:
        """Add the line that a server writes when it stops cleanly."""
        return self.event("end", {"reason": reason, "error": error}, after=after)

    @property
    def data(self) -> bytes:
        """The journal's bytes."""
        return b"".join(self._lines)

    @property
    def lines(self) -> list[bytes]:
        """The journal's lines, one per event, newlines included."""
        return list(self._lines)

    @property
    def events(self) -> list[Event]:
        """The events, decoded as by a reader; lines of a newer version are skipped."""
        decoded = [decode(line) for line in self.data.split(b"\n")[:-1]]
        return [event for event in decoded if not isinstance(event, UnknownEvent)]

    def write(self, path: Path) -> Path:
        """Write the journal to ``path`` and return it."""
        path.write_bytes(self.data)
        return path

    def append_to(self, path: Path) -> Path:
        """Append to ``path`` what it lacks, in place, as a server does, and return it."""
        with path.open("ab") as file:
            file.write(self.data[file.tell() :])
        return path


def shop_api() -> JournalBuilder:
    """Return the example session of docs/screens.md; ``journals/shop-api.jsonl`` holds the same bytes."""
    cron: dict[str, Any] = {"branch": "cron-job", "from_": 3}
    return (
        JournalBuilder()
        .session()
        .thought(_SYMPTOMS, 1, 5)
        .thought(_LAYERS, 2, 5, after=8)
        .thought(_HYPOTHESES, 3, 6, after=20)
        .thought(_DNS, 4, 6, after=14)
        .thought(_POOL, 5, 6, after=17)
        .thought(_REPORT_JOB, 1, 3, after=21, **cron)
        .thought(_HOLDS, 2, 3, after=9, **cron)
        .thought(_STARVES, 3, 3, after=11, **cron)
        .thought(_NOT_THE_GATEWAY, 6, 8, revises=2, after=16)
        .thought(_FIX, 7, 8, after=24)
        .audit(verdict="revise", score=71, dimensions=_REVISE_DIMENSIONS, summary=_REVISE_SUMMARY,
               comments=_REVISE_COMMENTS, after=3)
        .thought(_FIX_AGAIN, 8, 8, next=False, revises=7, after=16)
        .audit(verdict="pass", score=92, dimensions=_PASS_DIMENSIONS, summary="Passes: 1 finding.",
               comments=_PASS_COMMENTS, after=2)
        .end()
    )  # fmt: skip


_SYMPTOMS = (
    "Symptoms: 502s cluster at the top of each hour\n"
    "and are gone two minutes later. Nothing was deployed at those times."
)
_LAYERS = "Layers: CDN → gateway → checkout → payments. The gateway answers the 502, so I suspect its pool first."
_HYPOTHESES = (
    "Hypotheses: gateway pool, DNS, a cron job\n\nThe hour's beginning speaks for the job, the 502 for the pool."
)
_DNS = "DNS is fine: TTL 300, no failed lookups"
_POOL = (
    "Gateway pool: 12 of 200 in use at :00, and the slowest acquire took 3 ms. "
    "So the gateway does not starve: what answers 502 sits behind it."
)
_REPORT_JOB = "What runs at :00? The report job, alone"
_HOLDS = "It holds 40 connections for 90 s"
_STARVES = "Checkout's pool has 50: it starves"
_NOT_THE_GATEWAY = (
    "Not the gateway: its pool is idle\nwhile 502s happen. The 502 is checkout's own\n"
    "pool, starved by the report job on branch cron-job. This replaces thought 2."
)
_FIX = (
    "Fix: jitter the report job, cap its pool at 10.\n\n```diff\n--- a/jobs/report.py\n+++ b/jobs/report.py\n"
    "@@ -40 +40,2 @@\n pool = Pool(size=10)\n+rows = pool.run(q)  # TODO release\n```"
)
_FIX_AGAIN = "Fix again: also release on timeout. The pool's finally block now runs when the job is cancelled."
_REVISE_DIMENSIONS = {"correctness": 59, "security": 100, "clarity": 54}
_REVISE_SUMMARY = "Revise: the pool leaks when the query fails."
_REVISE_COMMENTS = (
    ("jobs/report.py", 41, 'the pool is not released when run() raises: use "with" or a finally block.'),
    ("jobs/report.py", 41, "TODO left in an added line."),
)
_PASS_DIMENSIONS = {"correctness": 92, "security": 100, "clarity": 84}
_PASS_COMMENTS = (("jobs/report.py", 41, "TODO left in an added line; finish or file it."),)
