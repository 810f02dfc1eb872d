"""A session as `seqthink import` writes it: native reasoning, two sub-agents, a compaction, a rewind, a resume."""

from tests.support.journals.build import JournalBuilder

_PROMPT = "Checkout fails with 502 at the top of each hour. Find out why, and fix it."
_SYMPTOMS = (
    "**Looking at the symptoms**\n\nThe 502s cluster at :00 and are gone two minutes later. Nothing is deployed at "
    "those times, so something that runs by the clock is more likely than a bad release."
)
_CANDIDATES = (
    "**Two candidates**\n\nThe gateway's pool, or whatever runs at :00. I let two agents look at both at the same time."
)
_POOL_TASK = "Read the gateway's metrics around :00. Is its connection pool exhausted?"
_CRON_TASK = "List what runs at :00 and what it holds while it runs."
_POOL_FOUND = "**The pool is idle**\n\n12 of 200 connections are in use at :00; the slowest acquire took 3 ms."
_CRON_FOUND = "**One job only**\n\nThe report job starts at :00 and holds 40 of the 50 connections of checkout's pool."
_CAP = "**Capping the pool**\n\nThe simplest fix: a pool of its own with at most 10 connections."
_JITTER = (
    "**Spreading the starts**\n\nA random delay of up to five minutes keeps the job as it is, and needs no review."
)


def native_journal() -> JournalBuilder:
    """Return the journal; ``journals/native.jsonl`` holds the same bytes."""
    pool, cron = {"agent": "a1"}, {"agent": "a2"}
    begun = (
        JournalBuilder()
        .event("session", _session())
        .event("prompt", {"text": _PROMPT, "id": "p1"})
        .event("reasoning", {"text": _SYMPTOMS, "tokens": 310, "durationMs": 6000, "model": "m", "id": "r1"}, after=6)
        .event("action", {"tool": "Read", "summary": "docs/runbook.md", "call": "c1"}, after=1)
        .event("action", {"tool": "Bash", "summary": "grep -c 502 gateway.log", "call": "c2"}, after=2)
        .event("action", {"tool": "Bash", "failed": True, "call": "c2"}, after=1)
        .event("action", {"tool": "Bash", "summary": "zgrep -c 502 gateway.log.gz", "call": "c3"}, after=2)
        .event("reasoning", {"text": _CANDIDATES, "tokens": 220, "durationMs": 5000, "model": "m", "id": "r2"}, after=5)
    )  # fmt: skip
    caller = begun.seq
    return (
        begun.event("action", {"tool": "Agent", "summary": "gateway pool", "call": "c4"}, after=1)
        .event("agent", {"id": "a1", "name": "gateway pool", "of": caller, "call": "c4"})
        .event("agent", {"id": "a2", "name": "what runs at :00", "of": caller, "call": "c5"})
        .event("prompt", {"text": _POOL_TASK, "id": "p2", **pool})
        .event("prompt", {"text": _CRON_TASK, "id": "p3", **cron}, after=1)
        .event("reasoning", {"tokens": 900, "durationMs": 14_000, "id": "r3", **pool}, after=14)
        .event("action", {"tool": "Grep", "summary": "cron", "call": "c6", **cron}, after=1)
        .event("reasoning", {"text": _CRON_FOUND, "tokens": 180, "durationMs": 9000, "id": "r4", **cron}, after=9)
        .event("reasoning", {"tokens": 1200, "durationMs": 27_000, "id": "r5", **pool}, after=3)
        .event("turn", {"text": "Only the report job; it holds 40 connections for 90 s.", "id": "t1", **cron}, after=4)
        .event("reasoning", {"text": _POOL_FOUND, "tokens": 150, "durationMs": 3000, "id": "r6", **pool}, after=3)
        .event("turn", {"text": "The gateway's pool is idle: 12 of 200.", "id": "t2", **pool}, after=2)
        .event("turn", {"text": "It is the report job: it starves checkout's pool of 50.", "id": "t3"}, after=4)
        .event("compacted", {"tokensBefore": 152_000, "tokensAfter": 11_400, "id": "k1"}, after=30)
        .event("prompt", {"text": "Fix it.", "id": "p4"}, after=20)
        .event("reasoning", {"text": _CAP, "tokens": 90, "durationMs": 4000, "id": "r7"}, after=4)
        .event("action", {"tool": "Edit", "summary": "jobs/report.py", "call": "c7"}, after=2)
        .event("turn", {"text": "Done: the job has a pool of its own.", "id": "t4"}, after=3)
        .event("rewound", {"of": caller + 15, "id": "w1"}, after=60)
        .event("prompt", {"text": "Fix it without a new pool.", "id": "p5"})
        .event("reasoning", {"text": _JITTER, "tokens": 130, "durationMs": 5000, "id": "r8"}, after=5)
        .event("action", {"tool": "Edit", "summary": "jobs/report.py", "call": "c8"}, after=2)
        .event("session", _session() | {"resumed": True}, after=3600)
        .event("prompt", {"text": "Are the tests green?", "id": "p6"}, after=5)
        .event("reasoning", {"tokens": 40, "durationMs": 2000, "id": "r9"}, after=2)
        .event("action", {"tool": "Bash", "summary": "make test", "call": "c9"}, after=1)
        .event("turn", {"text": "Yes, all 212.", "id": "t5"}, after=9)
    )  # fmt: skip


def _session() -> dict[str, object]:
    return {
        "session": "20260310T140200.000000Z-k3v9qa",
        "client": {"name": "Claude Code", "version": "2.1.197"},
        "cwd": "/home/ana/shop-api",
        "notes": False,
        "source": "claude",
        "sourceIds": ["5f1c2a9e"],
        "imported": True,
    }
