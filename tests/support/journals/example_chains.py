"""Example chains for scenes, as users meet them."""

from datetime import timedelta
from typing import Any

from tests.support.journals.build import START, JournalBuilder

_WINDOW = 258_400
_MODEL = "gpt-5.6-sol"


def queue() -> JournalBuilder:
    """Return an architecture decision: three branches, one of them with a branch of its own."""
    return (
        JournalBuilder()
        .session(cwd="/home/ana/mailer")
        .thought("Which queue for outgoing mail? 40 k a day, bursts of 3 k a minute", 1, 5)
        .thought("Must have: no mail lost on a restart, retry with back-off, one team runs it", 2, 5, after=9)
        .thought("Three candidates; try each to the point where it hurts", 3, 6, after=12)
        .thought("A table in Postgres, SKIP LOCKED: nothing new to run", 1, 3, branch="postgres", from_=3, after=15)
        .thought("3 k a minute is 50 rows a second: far below what it does today", 2, 3, branch="postgres", after=18)
        .thought("Redis streams: fast, but who backs it up?", 1, 2, branch="redis", from_=3, after=11)
        .thought("AOF every second loses a second of mail", 2, 2, branch="redis", after=13)
        .thought("With AOF always: as slow as Postgres, one more thing to run", 1, 1, branch="fsync", from_=2, after=8)
        .thought(
            "A hosted queue: nothing to run, a bill, another failure mode", 1, 2, branch="hosted", from_=3, after=10
        )
        .thought("Retries and dead letters come for free", 2, 2, branch="hosted", after=7)
        .thought("Postgres wins on what hurts: one thing to run, one backup", 4, 6, after=14)
        .thought("Vacuum: partition by day, drop old partitions", 5, 6, after=16)
        .thought("Decision: a table in Postgres, partitioned by day", 6, 6, next=False, after=12)
        .end()
    )


def cache() -> JournalBuilder:
    """Return a bug hunt in which most thoughts are revised, and the estimate keeps growing."""
    return (
        JournalBuilder()
        .session(cwd="/home/ana/catalog")
        .thought("Prices are stale for up to an hour after an import", 1, 4)
        .thought("The CDN caches for 3600 s: that is the hour", 2, 4, after=7)
        .thought("Purge the CDN after each import", 3, 4, after=9)
        .thought("No: the response says no-store; the CDN is innocent", 4, 7, revises=2, after=21)
        .thought("So a purge would change nothing", 5, 7, revises=3, after=6)
        .thought("The app keeps prices in memory, per worker, TTL 3600", 6, 7, after=17)
        .thought("Restarting workers after an import hides it", 7, 9, after=12)
        .thought("Better: the import publishes a version, workers compare", 8, 9, revises=7, after=15)
        .thought("A version per product, or one for all?", 9, 12, after=9)
        .thought(
            "One version for all: an import touches every product anyway, so workers compare once a request",
            10,
            12,
            after=11,
        )
        .thought(
            "One version a category: an import touches every product, a manual fix only one, so workers compare once a "
            "request and drop one category",
            11,
            12,
            revises=10,
            after=14,
        )
        .thought("Fix: one price version in Redis; workers reload when it moves", 12, 12, next=False, after=10)
        .end()
    )


def questions() -> JournalBuilder:
    """Return twelve short chains in one session, the last one still open (docs/screens.md, "Several chains")."""
    builder = JournalBuilder().session(client="codex", cwd="/home/ana/web-app")
    asked = [
        ("Why does lint pass locally only?", 3),
        ("Split the upload form?", 2),
        ("Is the N+1 in /feed real?", 5),
        ("Debounce or throttle the search?", 1),
        ("Drop Node 18?", 1),
        ("Where to validate MIME types?", 2),
        ("Test plan for resumable uploads", 3),
        ("Log level for client aborts", 1),
        ("Chunk size: 1, 5 or 8 MB?", 2),
        ("Where do thumbnails belong?", 2),
        ("One bucket, or one a region?", 2),
    ]
    for question, length in asked:
        for number in range(1, length + 1):
            text = question if number == 1 else f"Step {number}"
            revises = 2 if number == 5 else None
            builder.thought(text, number, length, next=number < length, revises=revises, after=9)
    builder.thought("Retry policy for the image upload", 1, 3, after=40)
    return builder.thought(
        "Cap at 5 tries with full jitter: 200 ms, 400, 800, … to 5 s; never retry a 4xx other than 408 and 429; honour "
        "Retry-After. Next: where the budget is shared.",
        2,
        3,
        after=6,
    )


def straight(count: int, total: int = 30) -> JournalBuilder:
    """Return a long chain without branches or revisions."""
    journal = JournalBuilder().session()
    for number in range(1, count + 1):
        journal.thought(f"Step {number} of a long way", number, total)
    return journal


def slow_login() -> JournalBuilder:
    """Return a main agent and two sub-agents that look at a slow login, thinking in turn."""
    sessions: dict[str, Any] = {"agent": "0198c0de-3f1a-7c20-9a0b-5d1e8a2b7c01"}
    queries: dict[str, Any] = {"agent": "0198c0de-3f1a-7c20-9a0b-5d1e8a2b7c02"}
    return (
        JournalBuilder()
        .session(client="codex", cwd="/home/ana/accounts")
        .thought("Login takes 4 s since Monday: sessions, queries or the hash?", 1, 4)
        .thought("Two agents look at sessions and queries; I read the deploy", 2, 4, after=14)
        .event("agent", {"id": sessions["agent"], "name": "session store", "of": 3, "model": "gpt-5.5"})
        .thought("Where are sessions kept? Redis, one shard, TTL 30 days", 1, 3, after=9, **sessions)
        .event("agent", {"id": queries["agent"], "name": "slow queries", "of": 3, "model": "gpt-5.5"})
        .thought("Slow log: SELECT … FROM devices WHERE user_id = ?", 1, 3, after=2, **queries)
        .thought("Redis answers in 2 ms at p99: not the sessions", 2, 2, next=False, after=12, **sessions)
        .thought("devices has 40 million rows and no index on user_id", 2, 3, after=7, **queries)
        .rejected('Invalid thoughtNumber: must be a positive integer, got "3a"', after=3, **queries)
        .thought("The index is there: Monday's migration dropped and rebuilt it INVALID", 3, 4, revises=2, after=11,
                 **queries)
        .thought("Monday's deploy ran that migration: it timed out and was marked as done", 3, 5, after=4)
        .thought("Rebuild it CONCURRENTLY, then check that it is valid", 4, 4, next=False, after=13, **queries)
        .thought("Both agree: the index. Rebuild it tonight", 4, 5, after=8)
        .thought("And let migrations fail loudly when they time out", 5, 5, next=False, after=9)
        .end()
    )  # fmt: skip


def full_contexts() -> JournalBuilder:
    """Return the journal: one sub-agent's context is nearly full; the main agent's was, before it was compacted."""
    session = JournalBuilder(START - timedelta(seconds=90)).session(client="codex", cwd="/home/ada/ledger")
    session.event("prompt", {"text": "Why are invoices of March twice in the ledger?", "id": "p1"})
    used(session, 41_300)
    session.thought("Fourteen of them, all from one batch", 1, 5, after=6)
    used(session, 96_800)
    session.thought("Is it the retry, or two workers on one queue?", 2, 5, after=9)
    used(session, 221_700)
    session.thought("The batch has one id, so the retry wrote it again", 3, 5, after=12)
    session.event("compacted", {"tokensBefore": 224_600, "tokensAfter": 38_200, "id": "k1"}, after=3)
    used(session, 43_900, after=4)
    session.thought("Two can look at once: one at the log, one at the schema", 4, 6, after=5)
    fork = session.seq
    for name, task, tokens, window in (
        ("a1", "read the log", 212_000, _WINDOW),
        ("a2", "read the schema", 8_600, None),
    ):
        session.event("agent", {"id": name, "name": task, "of": fork, "model": _MODEL})
        session.event("prompt", {"text": task, "id": f"p-{name}", "agent": name})
        used(session, tokens, agent=name, window=window)
        session.event("thought", _first_thought(f"{task}: where does the batch begin?", name), after=3)
    used(session, 61_200, after=2)
    return session.thought("An idempotency key on the batch would stop it", 5, 6, after=6)


def used(
    session: JournalBuilder, tokens: int, *, agent: str | None = None, window: int | None = _WINDOW, after: float = 0
) -> None:
    """Say how much of its context an agent uses."""
    fields = {"tokens": tokens, "window": window, "model": _MODEL, "agent": agent}
    session.event("usage", fields, after=after)


def _first_thought(text: str, agent: str) -> dict[str, object]:
    return {"thought": text, "thoughtNumber": 1, "totalThoughts": 3, "nextThoughtNeeded": True, "agent": agent}
